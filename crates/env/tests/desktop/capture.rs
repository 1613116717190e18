//! Frames show exactly what applications drew.

use surehand_env::Environment;
use surehand_types::FrameSource;

use crate::painter::{BACKGROUND, Painter, Part, rectangle};
use crate::support::{Driver, SIZE, TestDisplay};

fn rgb(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

#[tokio::test]
async fn a_frame_is_exactly_what_was_drawn() {
    let display = TestDisplay::start();
    let squares = [
        (rectangle(0, 0, 1, 1), 0xff_00_00),
        (rectangle(999, 799, 1, 1), 0x00_ff_00),
        (rectangle(300, 200, 17, 5), 0x01_02_03),
        (rectangle(640, 400, 1, 300), 0xfe_fd_fc),
    ];
    let parts: Vec<Part> = squares.iter().map(|(place, colour)| Part::Fixed(*place, *colour)).collect();
    let _painter = Painter::start(&display.name, &parts);
    let mut driver = Driver::start(&display.options()).await;
    let seen = driver.env.observe().await.unwrap();
    let pixels = &seen.frame.pixels;
    assert_eq!((pixels.width, pixels.height), (SIZE.0.into(), SIZE.1.into()));
    assert_eq!(seen.frame.source, FrameSource::Screen);
    for y in 0..pixels.height {
        for x in 0..pixels.width {
            let part = squares.iter().find(|(place, _)| {
                let (left, top) = (place.x as u32, place.y as u32);
                (left..left + u32::from(place.width)).contains(&x) && (top..top + u32::from(place.height)).contains(&y)
            });
            let expected = part.map_or(BACKGROUND, |(_, colour)| *colour);
            assert_eq!(pixels.at(x, y), Some(rgb(expected)), "{x}, {y}");
        }
    }
    driver.env.close().await;
}
