//! Messages: what requests make a service send to connections that are held, known again by a mark where it arrives.

mod ledger;
mod mark;
mod order;
mod reception;
mod search;
mod seen;

pub(crate) use ledger::{Ledger, Sendings};
pub(crate) use mark::Marks;
pub(crate) use reception::Reception;
