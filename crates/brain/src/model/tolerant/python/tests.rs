//! Scripts that are read, and all that spoils one.

use super::*;

fn read(code: &str) -> Result<Vec<PyCall>, String> {
    statements(code, &mut Repairs::default())
}

fn call(code: &str) -> PyCall {
    read(code).unwrap_or_else(|why| panic!("{code}: {why}")).remove(0)
}

#[test]
fn scripts_are_lists_of_calls() {
    let code = "import pyautogui, time\nimport pyautogui as pg\n\n# look\npg.click(x=1, y=-2.5); time.sleep(1)\n\
                pyautogui.hotkey(['ctrl', 'c'],)  # copy\npyautogui.write(\n  'a' 'b',\n  interval=0.1,\n)\nDONE";
    let calls = read(code).unwrap();
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["pyautogui.click", "time.sleep", "pyautogui.hotkey", "pyautogui.write", "DONE"]);
    assert_eq!(calls[0].argument(1, &["y"]), Some(&Literal::Number(-2.5)));
    assert_eq!(calls[3].argument(0, &["message"]), Some(&Literal::Text("ab".into())));
    assert!(!calls[4].called);
}

#[test]
fn everything_else_spoils_the_script() {
    for code in [
        "import os\nos.system('x')",
        "from os import system",
        "x = 5",
        "for i in range(3): pyautogui.click(1, 2)",
        "pyautogui.click(x, y)",
        "pyautogui.click(1+2, 3)",
        "pyautogui.write('a' + 'b')",
        "pyautogui.write('a' if x else 'b')",
        "pyautogui.write('a'.upper())",
        "pyautogui.write('a' * 3)",
        "pyautogui.click(1, 2",
        "pyautogui.write(f'{x}')",
        "pyautogui.write(open('a').read())",
        "pyautogui.click(1, 2).x",
        "pyautogui.click(1, 2) if True else 0",
        "__import__('os').system('x')",
        "pyautogui.write('open",
        "lambda: 1",
        "import time; os.system('x')",
        "pyautogui.click(1e999, 2)",
    ] {
        let why = read(code).expect_err(code);
        assert!(!why.contains('\n'), "{why}");
    }
}

#[test]
fn wide_and_loose_forms() {
    assert_eq!(call("click（start_box=‘(1,2)’）").named, [("start_box".into(), Literal::Text("(1,2)".into()))]);
    assert_eq!(call("type(content='It's me')").named, [("content".into(), Literal::Text("It's me".into()))]);
    assert_eq!(
        call("click(point=<point>1 2</point>)").named,
        [("point".into(), Literal::Text("<point>1 2</point>".into()))]
    );
    assert_eq!(
        call("click(start_box=<|box_start|>(1,2)<|box_end|>)").named,
        [("start_box".into(), Literal::Text("<|box_start|>(1,2)<|box_end|>".into()))]
    );
}

#[test]
fn long_garbage_comes_to_an_end() {
    for piece in ["f(", "f('", "((((", "'\\", "f([1,", "f(a=", "import time;", "f()\n", "\"\"\"", "f('a',b='"] {
        let code = piece.repeat(300_000 / piece.len());
        let _ = read(&code);
    }
}
