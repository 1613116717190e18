//! Uploads: whatever a path looks like, only regular files that really lie in a declared folder are
//! handed to the page, and nothing of surehand's own data.

use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, shortened};

#[test]
fn only_files_that_really_lie_in_a_declared_folder() {
    let mut lab = Lab::with_folder(|folder| {
        let root = folder.join("files");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(root.join("a.txt"), "a").unwrap();
        std::fs::write(folder.join("secret.txt"), "secret").unwrap();
        symlink(folder.join("secret.txt"), root.join("link.txt")).unwrap();
        symlink(folder, root.join("linked")).unwrap();
        symlink("a.txt", root.join("within.txt")).unwrap();
        std::fs::write(root.join(std::ffi::OsStr::from_bytes(b"odd-\xff.txt")), "o").unwrap();
        symlink(std::ffi::OsStr::from_bytes(b"odd-\xff.txt"), root.join("odd.txt")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(root.join("fifo")).status().unwrap().success());
        // The root is named by a link, and the link is turned round after the start.
        symlink(&root, folder.join("root")).unwrap();
        // The whole folder is declared as well, with surehand's own data in it.
        let flags = ["--set", "density_gate=off", "--upload-root", &folder.join("root").display().to_string()];
        let mut flags: Vec<String> = flags.map(str::to_string).to_vec();
        flags.extend(["--upload-root".to_string(), folder.join("data").display().to_string()]);
        std::fs::create_dir_all(folder.join("data/sessions/work")).unwrap();
        std::fs::write(folder.join("data/sessions/work/origins.json"), "[]").unwrap();
        flags
    });
    lab.page("file-plain", |lab| {
        lab.click("file");
        let outside = lab.path("secret.txt").display().to_string();
        let data = lab.path("data/sessions/work/origins.json").display().to_string();
        let long = "x/".repeat(5000);
        let refused = [
            (outside.as_str(), "path_not_allowed"),
            ("../secret.txt", "path_not_allowed"),
            ("sub/../../secret.txt", "path_not_allowed"),
            ("link.txt", "path_not_allowed"),
            ("linked/secret.txt", "path_not_allowed"),
            ("/proc/self/environ", "path_not_allowed"),
            (data.as_str(), "path_not_allowed"),
            ("sessions/work/origins.json", "path_not_allowed"),
            (long.as_str(), "path_not_allowed"),
            ("fifo", "path_not_found"),
            ("sub", "path_not_found"),
            ("odd.txt", "path_not_found"),
            ("missing.txt", "path_not_found"),
            ("a.txt\0.png", "path_not_found"),
        ];
        for (path, code) in refused {
            let answer = lab.call(json!({"tool": "upload_file", "paths": [path]}));
            assert_error(&answer, code);
            assert!(answer["message"].as_str().unwrap().len() < 600, "{}", shortened(&answer));
        }
        std::fs::remove_file(lab.path("root")).unwrap();
        symlink("/etc", lab.path("root")).unwrap();
        let turned = lab.path("root/passwd").display().to_string();
        for (path, code) in [("passwd", "path_not_found"), (turned.as_str(), "path_not_allowed")] {
            assert_error(&lab.call(json!({"tool": "upload_file", "paths": [path]})), code);
        }
        assert_eq!(lab.events("change", "file").len(), 0, "nothing was set");
        let given = lab.call(json!({"tool": "upload_file", "paths": ["within.txt"]}));
        assert_effect(&given, "confirmed");
        let words = given["message"].as_str().unwrap();
        assert!(words.contains("a.txt") && !words.contains("within"), "the file itself was given: {words}");
        assert_eq!(given["pending"], Value::Null);
    });
    lab.finish();
}
