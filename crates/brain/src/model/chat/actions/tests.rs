//! One table of written calls and what they come to, for the names of every family.

use serde_json::{Value, json};

use super::super::super::knowledge::Tokens;
use super::super::super::tolerant::{Repairs, call_at, statements};
use super::*;

fn read_call(name: &str, fields: Value, habits: Habits) -> (Vec<Value>, Option<String>, Option<String>) {
    let mut heard = Heard::default();
    let call = WrittenCall { name: name.into(), fields: fields.as_object().unwrap().clone(), id: None };
    let note = read(&call, habits, &mut heard);
    let mut reading = heard.into_reading(Value::Null, Tokens::default());
    fill_endings(&mut reading.spoken.gestures, None);
    let gestures = reading.spoken.gestures.into_iter().map(|gesture| Value::Object(gesture.call)).collect();
    (gestures, note, reading.problem)
}

#[track_caller]
fn check(name: &str, fields: Value, expected: &[Value]) {
    let (gestures, _, problem) = read_call(name, fields.clone(), Habits::default());
    assert_eq!((gestures.as_slice(), problem), (expected, None), "{name} {fields}");
}

#[test]
fn qwen_actions() {
    let click = json!({"tool": "mouse", "action": "click", "coordinate": [10, 20]});
    check("computer_use", json!({"action": "left_click", "coordinate": [10, 20]}), std::slice::from_ref(&click));
    check("computer_use", json!({"action": "left_click", "coordinate": "[10, 20]"}), std::slice::from_ref(&click));
    check("left_click", json!({"x": 10, "y": "20"}), std::slice::from_ref(&click));
    check("", json!({"action": "click", "point": {"x": 10, "y": 20}}), std::slice::from_ref(&click));
    let double = json!({"tool": "mouse", "action": "click", "coordinate": [10, 20], "count": 2});
    check("computer_use", json!({"action": "double_click", "coordinate": [10, 20]}), &[double]);
    let right =
        json!({"tool": "mouse", "action": "click", "coordinate": [10, 20], "button": "right", "modifiers": ["ctrl"]});
    check("computer_use", json!({"action": "right_click", "coordinate": [10, 20], "keys": ["Control"]}), &[right]);
    let drag = json!({"tool": "mouse", "action": "drag", "end_coordinate": [10, 20]});
    check("computer_use", json!({"action": "left_click_drag", "coordinate": [10, 20]}), &[drag]);
    let whole = json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [10, 20]});
    check("drag", json!({"start_box": "(1,2)", "end_box": "(10,20)"}), std::slice::from_ref(&whole));
    check(
        "drag_and_drop",
        json!({"x": 1, "y": 2, "destination_x": 10, "destination_y": 20}),
        std::slice::from_ref(&whole),
    );
    check("drag", json!({"start_coordinate": [1, 2], "coordinate": [10, 20]}), &[whole]);
    let down = json!({"tool": "mouse", "action": "scroll", "direction": "down", "pixels": 500});
    check("computer_use", json!({"action": "scroll", "pixels": -500}), &[down]);
    let notches = json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 2], "direction": "up", "notches": 5});
    check("computer_use", json!({"action": "scroll", "pixels": 5, "coordinate": [1, 2]}), &[notches]);
    check(
        "computer_use",
        json!({"action": "hscroll", "pixels": 300}),
        &[json!({"tool": "mouse", "action": "scroll", "direction": "right", "pixels": 300})],
    );
    check(
        "computer_use",
        json!({"action": "key", "keys": ["ctrl", "c"]}),
        &[json!({"tool": "keyboard", "action": "press", "key": "ctrl+c"})],
    );
    check("computer_use", json!({"action": "wait", "time": 2}), &[json!({"tool": "wait", "seconds": 2.0})]);
    check(
        "computer_use",
        json!({"action": "type", "text": "a\"b\n😀"}),
        &[json!({"tool": "keyboard", "action": "type", "text": "a\"b\n😀"})],
    );
    let done = json!({"tool": "done", "success": true, "summary": "42", "output": "42"});
    check("computer_use", json!({"action": "answer", "text": "42"}), &[done]);
    let failed = json!({"tool": "done", "success": false, "summary": "The model gave up."});
    check("computer_use", json!({"action": "terminate", "status": "failure"}), &[failed]);
    check("computer_use", json!({"action": "confirm_preview"}), &[json!({"tool": "mouse", "action": "confirm"})]);
}

#[test]
fn own_tools_and_their_odd_relatives() {
    check(
        "mouse",
        json!({"action": "click", "coordinate": "(5, 6)"}),
        &[json!({"tool": "mouse", "action": "click", "coordinate": [5, 6]})],
    );
    check(
        "mouse",
        json!({"action": "left_click", "coordinate": [5, 6]}),
        &[json!({"tool": "mouse", "action": "click", "coordinate": [5, 6]})],
    );
    check(
        "functions.tab",
        json!({"action": "open", "url": "https://a.test/"}),
        &[json!({"tool": "tab", "action": "open", "url": "https://a.test/"})],
    );
    check(
        "done",
        json!({"success": true, "summary": "s"}),
        &[json!({"tool": "done", "success": true, "summary": "s"})],
    );
    check(
        "finished",
        json!({"content": "it is 3"}),
        &[json!({"tool": "done", "success": true, "summary": "it is 3", "output": "it is 3"})],
    );
    check("zoom", json!({"bbox": [1, 2, 3, 4]}), &[json!({"tool": "zoom", "region": [1, 2, 3, 4]})]);
    check(
        "keyboard",
        json!({"action": "press", "key": "enter"}),
        &[json!({"tool": "keyboard", "action": "press", "key": "enter"})],
    );
}

#[test]
fn fara_and_holo() {
    let fara = Habits { types_with_enter: true, ..Habits::default() };
    let (typed, ..) = read_call(
        "computer_use",
        json!({"action": "type", "text": "cats", "coordinate": [1, 2], "delete_existing_text": true}),
        fara,
    );
    assert_eq!(
        typed,
        [
            json!({"tool": "mouse", "action": "click", "coordinate": [1, 2]}),
            json!({"tool": "keyboard", "action": "clear"}),
            json!({"tool": "keyboard", "action": "type", "text": "cats"}),
            json!({"tool": "keyboard", "action": "press", "key": "enter"}),
        ]
    );
    let (kept, ..) = read_call("computer_use", json!({"action": "type", "text": "a", "press_enter": false}), fara);
    assert_eq!(kept.len(), 1);
    let (look, note, _) =
        read_call("computer_use", json!({"action": "pause_and_memorize_fact", "fact": "it is 3"}), fara);
    assert_eq!((look, note.as_deref()), (vec![json!({"tool": "look"})], Some("it is 3")));
    check(
        "visit_url",
        json!({"url": "shop.test/a"}),
        &[json!({"tool": "tab", "action": "open", "url": "https://shop.test/a"})],
    );
    check(
        "web_search",
        json!({"query": "a b&ü"}),
        &[json!({"tool": "tab", "action": "open", "url": "https://www.bing.com/search?q=a+b%26%C3%BC"})],
    );
    check("history_back", json!({}), &[json!({"tool": "tab", "action": "back"})]);
    check("ask_user_question", json!({"question": "Which?"}), &[json!({"tool": "ask_user", "question": "Which?"})]);
    check(
        "",
        json!({"action": "click_absolute", "x": 3, "y": 4}),
        &[json!({"tool": "mouse", "action": "click", "coordinate": [3, 4]})],
    );
    check(
        "click",
        json!({"element": "the cart", "x": 3, "y": 4}),
        &[json!({"tool": "mouse", "action": "click", "coordinate": [3, 4]})],
    );
    check("write", json!({"content": "a"}), &[json!({"tool": "keyboard", "action": "type", "text": "a"})]);
}

#[test]
fn what_makes_no_sense_is_one_sentence() {
    for (name, fields) in [
        ("computer_use", json!({"action": "fly"})),
        ("computer_use", json!({})),
        ("computer_use", json!({"action": "left_click", "coordinate": "there"})),
        ("computer_use", json!({"action": "left_click", "coordinate": [1]})),
        ("click", json!({"x": 1})),
        ("type", json!({})),
        ("key", json!({})),
        ("drag", json!({"start_box": "(1,2)"})),
        ("scroll", json!({"direction": "sideways"})),
        ("mouse_down", json!({"button": "right"})),
        ("visit_url", json!({})),
    ] {
        let (gestures, _, problem) = read_call(name, fields.clone(), Habits::default());
        let problem = problem.unwrap_or_else(|| panic!("{name} {fields}: {gestures:?}"));
        assert!(gestures.is_empty() && !problem.contains('\n'), "{problem}");
    }
}

#[test]
fn ui_tars_functions() {
    let tars = Habits { press_holds: true, wait_seconds: Some(5.0), notches: Some(5.0), ..Habits::default() };
    for (text, expected) in [
        ("click(start_box='(10,20)')", json!({"tool": "mouse", "action": "click", "coordinate": [10, 20]})),
        (
            "click(start_box='<|box_start|>(10,20)<|box_end|>')",
            json!({"tool": "mouse", "action": "click", "coordinate": [10, 20]}),
        ),
        ("click(point='<point>10 20</point>')", json!({"tool": "mouse", "action": "click", "coordinate": [10, 20]})),
        ("click(start_box='[8, 18, 12, 22]')", json!({"tool": "mouse", "action": "click", "coordinate": [10, 20]})),
        ("click(10, 20)", json!({"tool": "mouse", "action": "click", "coordinate": [10, 20]})),
        (
            "left_double(start_box='(10,20)')",
            json!({"tool": "mouse", "action": "click", "coordinate": [10, 20], "count": 2}),
        ),
        ("hotkey(key='ctrl c')", json!({"tool": "keyboard", "action": "press", "key": "ctrl+c"})),
        ("type(content='it\\'s\\n')", json!({"tool": "keyboard", "action": "type", "text": "it's\n"})),
        (
            "scroll(start_box='(1,2)', direction='down')",
            json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 2], "direction": "down", "notches": 5}),
        ),
        ("wait()", json!({"tool": "wait", "seconds": 5.0})),
        ("press(key='shift')", json!({"tool": "hold", "action": "key_down", "key": "shift"})),
        ("release(key='shift')", json!({"tool": "hold", "action": "key_up", "key": "shift"})),
        ("finished()", json!({"tool": "done", "success": true, "summary": "The model ended with success."})),
        ("call_user()", json!({"tool": "ask_user", "question": "I need your help to go on."})),
        (
            "tab(action='open', url='https://a.test/')",
            json!({"tool": "tab", "action": "open", "url": "https://a.test/"}),
        ),
        ("confirm_preview()", json!({"tool": "mouse", "action": "confirm"})),
    ] {
        let (call, _) = call_at(text, 0, &mut Repairs::default()).unwrap();
        let call = from_python(call);
        let (gestures, _, problem) = read_call(&call.name, Value::Object(call.fields), tars);
        assert_eq!((gestures, problem), (vec![expected], None), "{text}");
    }
}

#[track_caller]
fn code(code: &str) -> Result<Vec<Value>, String> {
    statements(code, &mut Repairs::default())
        .and_then(|calls| script(calls, Habits::default()))
        .map(|(gestures, _)| gestures)
}

#[test]
fn pyautogui_functions() {
    let click = |extra: Value| {
        let mut call = json!({"tool": "mouse", "action": "click", "coordinate": [1, 2]});
        call.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        call
    };
    let press = |key: &str| json!({"tool": "keyboard", "action": "press", "key": key});
    for (text, expected) in [
        ("pyautogui.click(1, 2)", vec![click(json!({}))]),
        ("pyautogui.click((1, 2))", vec![click(json!({}))]),
        ("pyautogui.click(x=1, y=2, clicks=2, button='right')", vec![click(json!({"button": "right", "count": 2}))]),
        ("pyautogui.click(1, 2, 3, 0.1, 'left')", vec![click(json!({"count": 3}))]),
        ("pyautogui.click()", vec![json!({"tool": "mouse", "action": "click"})]),
        ("pyautogui.doubleClick(1, 2)", vec![click(json!({"count": 2}))]),
        ("pyautogui.tripleClick(x=1, y=2)", vec![click(json!({"count": 3}))]),
        ("pyautogui.rightClick(1, 2)", vec![click(json!({"button": "right"}))]),
        ("pyautogui.middleClick(1, 2)", vec![click(json!({"button": "middle"}))]),
        ("computer.triple_click(x=1, y=2)", vec![click(json!({"count": 3}))]),
        (
            "pyautogui.moveTo(1, 2, duration=0.5)",
            vec![json!({"tool": "mouse", "action": "move", "coordinate": [1, 2]})],
        ),
        (
            "pyautogui.moveTo(1, 2)\npyautogui.dragTo(5, 6, button='left')",
            vec![
                json!({"tool": "mouse", "action": "move", "coordinate": [1, 2]}),
                json!({"tool": "mouse", "action": "drag", "end_coordinate": [5, 6], "start_coordinate": [1, 2]}),
            ],
        ),
        (
            "pyautogui.moveTo(1, 2); pyautogui.drag(4, 4)",
            vec![
                json!({"tool": "mouse", "action": "move", "coordinate": [1, 2]}),
                json!({"tool": "mouse", "action": "drag", "end_coordinate": [5, 6], "start_coordinate": [1, 2]}),
            ],
        ),
        ("pyautogui.dragTo(5, 6)", vec![json!({"tool": "mouse", "action": "drag", "end_coordinate": [5, 6]})]),
        ("pyautogui.scroll(-5)", vec![json!({"tool": "mouse", "action": "scroll", "direction": "down", "notches": 5})]),
        (
            "pyautogui.scroll(500, x=1, y=2)",
            vec![json!({"tool": "mouse", "action": "scroll", "direction": "up", "pixels": 500, "coordinate": [1, 2]})],
        ),
        (
            "pyautogui.hscroll(3)",
            vec![json!({"tool": "mouse", "action": "scroll", "direction": "right", "notches": 3})],
        ),
        (
            "pyautogui.write('It\\'s \"x\"', interval=0.1)",
            vec![json!({"tool": "keyboard", "action": "type", "text": "It's \"x\""})],
        ),
        ("pyautogui.typewrite(message='a\\n')", vec![json!({"tool": "keyboard", "action": "type", "text": "a\n"})]),
        ("pyautogui.typewrite(['a', 'enter'])", vec![press("a"), press("enter")]),
        ("pyautogui.press('tab', presses=2)", vec![press("tab"), press("tab")]),
        ("pyautogui.press(['up', 'down'])", vec![press("arrowup"), press("arrowdown")]),
        ("pyautogui.hotkey('ctrl', 'shift', 't')", vec![press("ctrl+shift+t")]),
        ("pyautogui.hotkey(['ctrl', 'c'])", vec![press("ctrl+c")]),
        ("pyautogui.keyDown('shift')", vec![json!({"tool": "hold", "action": "key_down", "key": "shift"})]),
        (
            "pyautogui.mouseDown(x=1, y=2)\npyautogui.mouseUp()",
            vec![
                json!({"tool": "hold", "action": "mouse_down", "coordinate": [1, 2]}),
                json!({"tool": "hold", "action": "mouse_up"}),
            ],
        ),
        ("time.sleep(3)", vec![json!({"tool": "wait", "seconds": 3.0})]),
        ("computer.wait()", vec![json!({"tool": "wait"})]),
        ("WAIT", vec![json!({"tool": "wait"})]),
        (
            "computer.terminate(status='success', answer='3')",
            vec![json!({"tool": "done", "success": true, "summary": "3", "output": "3"})],
        ),
        ("FAIL", vec![json!({"tool": "done", "success": false, "summary": ""})]),
        ("computer.confirm_preview()", vec![json!({"tool": "mouse", "action": "confirm"})]),
        (
            "computer.tab(action='open', url='https://a.test/')",
            vec![json!({"action": "open", "url": "https://a.test/", "tool": "tab"})],
        ),
        ("computer.select_option(['Canada'])", vec![json!({"values": ["Canada"], "tool": "select_option"})]),
    ] {
        let got = code(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(got.len(), expected.len(), "{text}: {got:?}");
        for (got, expected) in got.iter().zip(&expected) {
            // The order of fields does not matter.
            assert_eq!(got.as_object().unwrap().len(), expected.as_object().unwrap().len(), "{text}: {got}");
            for (field, value) in expected.as_object().unwrap() {
                assert!(
                    got[field] == *value
                        || got[field]
                            .as_str()
                            .is_some_and(|got| value.as_str().is_some_and(|value| value.ends_with(got))),
                    "{text}: {got}"
                );
            }
        }
    }
    for text in [
        "pyautogui.drag(1, 2)",
        "pyautogui.locateOnScreen('a.png')",
        "pyautogui.click('button.png')",
        "os.system('x')",
        "subprocess.run(['x'])",
        "exec('x')",
        "pyautogui.mouseDown(button='right')",
        "pyautogui.alert('x')",
        "STOP",
        "pyautogui.press('a', presses=64)\npyautogui.press('b')",
    ] {
        let why = code(text).expect_err(text);
        assert!(!why.contains('\n') && why.len() < 300, "{why}");
    }
}
