//! Establishes what the whole Bash command of a permission ask is, or refuses with a reason.
//!
//! A permission system asks about one *unit* (`timeout 60s pnpm test`), but an allow releases the whole tool call
//! (`timeout 60s pnpm test && git push`). Before anything may be allowed, the whole has to be known. There are two sources
//! for it, and the host declares which one applies ([`EvidenceSource`]):
//!
//! - the structured **payload** of a permission system from 25.3 on ([`from_payload`], ADR 0002);
//! - the **session walk** for older ones, which have no payload ([`from_session`], ADR 0001).
//!
//! Both end in one [`CommandEvidence`] or in a [`Refusal`] with an [`EvidenceCode`]. [`session_entries`] reads the text of
//! a session file, so that past sessions can be replayed.
//!
//! ```
//! use innercmd_evidence::{EvidenceCode, Provenance, from_payload, parse_details};
//!
//! let line = r#"{"requestId":"perm-1","source":"tool_call","agentName":null,"toolCallId":"call_1","toolName":"bash",
//!     "command":"timeout 60s pnpm test","payload":{"kind":"bash","request":{
//!         "requester":{"agentName":null,"forwarded":false,"sessionId":null},"surface":"bash","toolName":"bash",
//!         "invokedToolName":null,"value":"timeout 60s pnpm test","commandContext":null},
//!     "evidence":[{"label":"full command","text":"timeout 60s pnpm test && git push","detail":null}]}}"#;
//! let evidence = from_payload(&parse_details(line)?)?;
//! assert_eq!(evidence.full_command(), "timeout 60s pnpm test && git push");
//! assert_eq!(evidence.triggering_unit(), "timeout 60s pnpm test");
//! assert_eq!(evidence.provenance(), Provenance::FullCommandEntry);
//!
//! // An alias of the tool, or anything else that is not exactly a local ask of the native tool, is refused.
//! let aliased = line.replace(r#""invokedToolName":null"#, r#""invokedToolName":"sh""#);
//! let refusal = from_payload(&parse_details(&aliased)?).unwrap_err();
//! assert_eq!(refusal.code, EvidenceCode::Aliased);
//! assert_eq!(refusal.request_id.as_deref(), Some("perm-1"));
//! # Ok::<(), innercmd_evidence::Refusal>(())
//! ```
//!
//! # Invariants
//! - Only this crate makes a [`CommandEvidence`], and every check has passed when it does.
//! - A payload that is present is judged as it stands: nothing that is wrong with it leads to the session walk.
//! - Every field that is read must be there with its type; fields that are not read are ignored.
//! - Reading is a function of the values alone: no files, environment, clock, process or network.
//!
//! # Non-goals
//! - Reading the prose that people are shown (`details.message`, the `requested` entry of a forwarded ask).
//! - Parsing Bash, recognizing wrappers or deciding anything.

mod ask;
mod code;
mod evidence;
mod fields;
mod json;
mod message;
mod payload;
mod replay;
mod salvage;
mod session;
mod text;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use code::{EvidenceCode, Refusal};
pub use evidence::{CommandEvidence, EvidenceSource, Provenance};
pub use json::{details_in, parse_details, parse_json};
pub use payload::from_payload;
pub use replay::{BashCall, SessionLog, UnusableEntry, session_entries};
pub use salvage::salvage;
pub use session::from_session;
pub use text::js_trim;
