//! The spaces that models point in, with arithmetic of its own.

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Space {
    /// Pixels of the picture as it was sent.
    Picture,
    /// 0 to 1000 on both axes.
    Grid,
    /// Pixels of the picture after the model's processor has made both sides multiples of a factor.
    Resized { factor: f64, least: f64, most: f64 },
}

impl Space {
    /// A place in the picture, in whole numbers of this space.
    pub(crate) fn name(self, place: (f64, f64), picture: (u32, u32)) -> (i64, i64) {
        let (wide, high) = self.extent(picture);
        let axis = |at: f64, side: u32, extent: f64| (at * extent / f64::from(side)).round() as i64;
        (axis(place.0, picture.0, wide), axis(place.1, picture.1, high))
    }

    /// Where such numbers are on the page.
    pub(crate) fn on_page(self, named: (i64, i64), picture: (u32, u32), view: (f64, f64)) -> (f64, f64) {
        let (wide, high) = self.extent(picture);
        (named.0 as f64 * view.0 / wide, named.1 as f64 * view.1 / high)
    }

    fn extent(self, (width, height): (u32, u32)) -> (f64, f64) {
        let (width, height) = (f64::from(width), f64::from(height));
        match self {
            Space::Picture => (width, height),
            Space::Grid => (1000.0, 1000.0),
            Space::Resized { factor, least, most } => {
                let near = |side: f64| ((side / factor).round_ties_even() * factor).max(factor);
                let (wide, high) = (near(width), near(height));
                if wide * high > most {
                    let shrink = (width * height / most).sqrt();
                    let down = |side: f64| ((side / shrink / factor).floor() * factor).max(factor);
                    (down(width), down(height))
                } else if wide * high < least {
                    let grow = (least / (width * height)).sqrt();
                    let up = |side: f64| (side * grow / factor).ceil() * factor;
                    (up(width), up(height))
                } else {
                    (wide, high)
                }
            }
        }
    }
}
