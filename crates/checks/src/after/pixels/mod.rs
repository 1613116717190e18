//! Evidence from real pixels: which tiles of the picture are other ones, which of them move by
//! themselves, and what became of each while an action was watched.

mod changed;
mod evidence;
mod tiles;
mod watch;

pub use changed::{changed_beyond, without_carets};
pub use evidence::{Ambient, HALO, Painted, PixelFacts, Scene};
pub use tiles::{TILE, TileSet, changed_tiles, differing_tiles};
pub use watch::{Moved, Watch};
