// One test binary over real HTTP on a free port: the server itself, then each site.
// The modules are marked as tests so that their helpers, too, may unwrap.

#[cfg(test)]
mod client;
#[cfg(test)]
mod crm;
#[cfg(test)]
mod server;
