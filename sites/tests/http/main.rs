// One test binary over real HTTP on a free port: the server itself, then each site.
// The modules are marked as tests so that their helpers, too, may unwrap.

#[cfg(test)]
mod board;
#[cfg(test)]
mod client;
#[cfg(test)]
mod crm;
#[cfg(test)]
mod fault;
#[cfg(test)]
mod lab;
#[cfg(test)]
mod mail;
#[cfg(test)]
mod player;
#[cfg(test)]
mod server;
#[cfg(test)]
mod shop;
#[cfg(test)]
mod studio;
