//! The steps from a request to a verdict, one module each.
//!
//! Each module keeps the fields of the state it makes to itself, so that the step is the only way to the state, and takes the
//! state before it by value, so that no state is used twice. Leaving a step out does not compile.

mod trail;
mod ownership;
mod evidence;
mod recognition;
mod stripping;
mod floors;
mod questions;
mod judging;
mod deciding;

pub use self::deciding::Grant;
pub(crate) use self::{
    deciding::decide,
    evidence::{EvidenceAccepted, Received},
    judging::Judged,
    ownership::OwnershipHeld,
    recognition::Recognized,
    stripping::WrapperStripped,
    trail::Trail,
};
