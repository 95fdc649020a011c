//! What the program says, leaves and ends with: right on a busy machine too, so these run side by side.

mod canary;
mod check;
mod compare;
mod compressed;
mod cut_off;
mod diagnose;
mod foreign;
mod grpc;
mod hold;
mod hostile;
mod http2;
mod left_behind;
mod listed;
mod ownership;
mod progress;
mod proxy;
mod reach;
mod redirects;
mod refusals;
mod runs;
mod streams;
mod study;
mod tls;
mod unix_sockets;
mod validate;
pub(crate) mod what_if;
mod without;
