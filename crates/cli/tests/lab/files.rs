//! File inputs: no picker of the desktop opens, the files are set once, and only files inside the
//! declared folders are taken.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, assert_evidence, shortened};

/// With a folder of files to upload, and one file beside it that must not be taken.
fn start() -> Lab {
    Lab::with_folder(|folder| {
        let root = folder.join("files");
        std::fs::create_dir(&root).unwrap();
        for name in ["a.txt", "b.txt", "p.png"] {
            std::fs::write(root.join(name), name).unwrap();
        }
        std::fs::write(folder.join("secret.txt"), "secret").unwrap();
        std::os::unix::fs::symlink(folder.join("secret.txt"), root.join("link.txt")).unwrap();
        ["--set", "density_gate=off", "--upload-root", &root.display().to_string()].map(str::to_string).to_vec()
    })
}

fn upload(lab: &mut Lab, paths: &[PathBuf]) -> Value {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    lab.call(json!({"tool": "upload_file", "paths": paths}))
}

/// The click was kept from the picker, and the input waits for its files.
#[track_caller]
fn assert_waits(answer: &Value, multiple: bool, accept: Value) {
    let short = shortened(answer);
    assert_effect(answer, "refused");
    assert_eq!(
        (&answer["effect"]["reason"], &answer["dispatched"]),
        (&json!("native_control"), &Value::Null),
        "{short}"
    );
    let pending = &answer["pending"];
    assert_eq!((&pending["kind"], &pending["follow_up"]), (&json!("file"), &json!("upload_file")), "{short}");
    assert_eq!(pending["multiple"], multiple, "{short}");
    assert_eq!(pending["accept"], accept, "{short}");
    assert!(answer["message"].as_str().unwrap().contains("upload_file"), "{short}");
}

#[test]
fn file_inputs() {
    let mut lab = start();
    let file = |lab: &Lab, name: &str| lab.path("files").join(name);
    lab.page("file-plain", |lab| {
        let answer = lab.click("file");
        assert_waits(&answer, false, Value::Null);
        assert_eq!((&answer["focus"]["id"], &answer["focus"]["type"]), (&json!("file"), &json!("file")));
        let path = file(lab, "a.txt");
        let uploaded = upload(lab, &[path]);
        assert_effect(&uploaded, "confirmed");
        assert_eq!(uploaded["pending"], Value::Null);
        assert!(uploaded["message"].as_str().unwrap().contains("a.txt"), "{}", uploaded["message"]);
    });
    lab.page("file-multiple", |lab| {
        assert_waits(&lab.click("file"), true, Value::Null);
        let paths = [file(lab, "a.txt"), file(lab, "b.txt")];
        assert_effect(&upload(lab, &paths), "confirmed");
    });
    lab.page("file-accept", |lab| {
        let answer = lab.click("file");
        assert_waits(&answer, false, json!("image/png,.png"));
        assert!(answer["message"].as_str().unwrap().contains("image/png"), "{}", answer["message"]);
        let path = file(lab, "p.png");
        assert_effect(&upload(lab, &[path]), "confirmed");
    });
    for (page, id) in [
        ("file-label", "label"),
        ("file-wrapped", "label"),
        ("file-cover", "file"),
        ("file-shadow", "file"),
        ("file-shadow-closed", "file"),
        ("file-frame", "inner/file"),
        ("file-cross", "inner/file"),
    ] {
        lab.page(page, |lab| {
            assert_waits(&lab.click(id), false, Value::Null);
            let path = file(lab, "a.txt");
            assert_effect(&upload(lab, &[path]), "confirmed");
        });
    }
    lab.page("file-directory", |lab| {
        let answer = lab.click("file");
        assert_eq!((&answer["pending"]["kind"], &answer["dispatched"]), (&json!("file"), &Value::Null));
        assert!(answer["message"].as_str().unwrap().contains("folder"), "{}", shortened(&answer));
        // The browser ignores a plain file here, so nobody may say that it arrived.
        let path = file(lab, "a.txt");
        let uploaded = upload(lab, &[path]);
        assert_ne!(uploaded["effect"]["status"], "confirmed", "{}", shortened(&uploaded));
        assert_eq!(lab.events("change", "file").len(), 0);
    });
    lab.finish();
}

#[test]
fn file_choosers_of_scripts_and_refusals() {
    let mut lab = start();
    let file = |lab: &Lab, name: &str| lab.path("files").join(name);
    for (page, id) in [("file-script", "go"), ("file-script-made", "go"), ("file-drop", "zone")] {
        lab.page(page, |lab| {
            let answer = lab.click(id);
            assert_evidence(&answer, "file_chooser");
            assert!(answer["dispatched"].is_object(), "{}", shortened(&answer));
            assert_eq!(answer["pending"]["kind"], "file", "{}", shortened(&answer));
            assert_eq!(answer["pending"]["follow_up"], "upload_file");
            let path = file(lab, "a.txt");
            assert_effect(&upload(lab, &[path]), "confirmed");
        });
    }
    lab.page("file-script-late", |lab| {
        let clicked = lab.click("go");
        let answer = if clicked["pending"].is_null() { lab.wait(0.5) } else { clicked };
        assert_eq!(answer["pending"]["kind"], "file", "{}", shortened(&answer));
        let path = file(lab, "a.txt");
        assert_effect(&upload(lab, &[path]), "confirmed");
    });
    lab.page("file-picker-api", |lab| {
        let answer = lab.click("go");
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["pending"], Value::Null);
    });
    // The keyboard and a double click open the chooser themselves; it is caught all the same.
    lab.page("file-plain", |lab| {
        lab.click("file");
        let answer = lab.press("space");
        assert_evidence(&answer, "file_chooser");
        assert_eq!(answer["pending"]["kind"], "file", "{}", shortened(&answer));
        let path = file(lab, "a.txt");
        assert_effect(&upload(lab, &[path]), "confirmed");
    });
    lab.page("file-multiple", |lab| {
        let answer = lab.click_with("file", json!({"count": 2}));
        assert!(answer["dispatched"].is_object(), "{}", shortened(&answer));
        assert_eq!((&answer["pending"]["kind"], &answer["pending"]["multiple"]), (&json!("file"), &json!(true)));
        let paths = [file(lab, "a.txt"), file(lab, "b.txt")];
        assert_effect(&upload(lab, &paths), "confirmed");
    });
    // It waits for its files only as long as its document is there.
    lab.page_unjudged("file-plain", |lab| {
        lab.click("file");
        assert_eq!(lab.call(json!({"tool": "tab", "action": "refresh"}))["pending"], Value::Null);
        let path = file(lab, "a.txt");
        assert_error(&upload(lab, &[path]), "no_pending_file_input");
    });
    lab.page("file-plain", |lab| {
        let path = file(lab, "a.txt");
        assert_error(&upload(lab, &[path]), "no_pending_file_input");
        lab.click("file");
        let refused = [
            (vec![lab.path("secret.txt")], "path_not_allowed"),
            (vec![lab.path("files/../secret.txt")], "path_not_allowed"),
            (vec![lab.path("files/link.txt")], "path_not_allowed"),
            (vec![PathBuf::from("/etc/hostname")], "path_not_allowed"),
            (vec![lab.path("files/missing.txt")], "path_not_found"),
            (vec![lab.path("files/a.txt"), lab.path("files/missing.txt")], "path_not_found"),
            (vec![lab.path("files/a.txt"), lab.path("files/b.txt")], "not_multiple"),
        ];
        for (paths, code) in refused {
            let answer = upload(lab, &paths);
            assert_error(&answer, code);
            assert_eq!((&answer["effect"]["status"], &answer["effect"]["reason"]), (&json!("refused"), &json!(code)));
            assert_eq!(answer["pending"]["kind"], "file", "a failed follow-up keeps it: {}", shortened(&answer));
        }
        assert_eq!(lab.events("change", "file").len(), 0, "nothing was set");
        let path = file(lab, "a.txt");
        assert_effect(&upload(lab, &[path]), "confirmed");
    });
    lab.finish();
}
