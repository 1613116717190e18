//! Every row of the pixel tools and every protocol trap on its lab page, through `surehand tools`.
//! One browser per group of pages: a test opens page after page and asks the lab what it noticed.

#[cfg(test)]
mod clicks;
#[cfg(test)]
mod dialogs;
#[cfg(test)]
mod drags;
#[cfg(test)]
mod driver;
#[cfg(test)]
mod effects;
#[cfg(test)]
mod files;
#[cfg(test)]
mod frames;
#[cfg(test)]
mod gate;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod navigation;
#[cfg(test)]
mod pickers;
#[cfg(test)]
mod real_sites;
#[cfg(test)]
mod scrolling;
#[cfg(test)]
mod selects;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod text;
#[cfg(test)]
mod traps;
#[cfg(test)]
mod uploads;
#[cfg(test)]
mod windows;
