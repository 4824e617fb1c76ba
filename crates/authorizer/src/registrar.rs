use crate::{HostError, SessionId};

/// The place where a host lets links register.
#[cfg_attr(test, mockall::automock(type Registration = u32;))]
pub trait HostRegistry {
    /// What undoes one registration.
    type Registration;

    /// Registers the link `name` for `session`.
    ///
    /// # Errors
    /// The host did not take it, for example because the name is taken.
    fn register(&mut self, name: &str, session: &SessionId) -> Result<Self::Registration, HostError>;

    /// Undoes `registration`.
    ///
    /// # Errors
    /// The host failed; the registration is then given up all the same.
    fn dispose(&mut self, registration: Self::Registration) -> Result<(), HostError>;
}

/// Keeps one registration per session: idempotent, disposed at shutdown, possible again after.
///
/// INVARIANT: [`owner`](Self::owner) names a session only while a registration for it stands, so that a link which outlives its
/// registration finds no owner and defers.
#[derive(Debug)]
pub struct Registrar<R: HostRegistry> {
    name: String,
    registry: R,
    held: Option<(SessionId, R::Registration)>,
}

/// What a call to [`Registrar::register`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registered {
    /// It made a registration.
    Newly,
    /// The session was registered before.
    Before,
}

impl<R: HostRegistry> Registrar<R> {
    /// A registrar for the link `name`, with nothing registered.
    pub fn new(name: impl Into<String>, registry: R) -> Self {
        Self { name: name.into(), registry, held: None }
    }

    /// Registers the link for `session`, once; a registration for another session is disposed first.
    ///
    /// # Errors
    /// The host did not take it, or did not let go of the old one. Nothing is registered then.
    pub fn register(&mut self, session: &SessionId) -> Result<Registered, HostError> {
        if self.owner() == Some(session) {
            return Ok(Registered::Before);
        }
        self.dispose()?;
        let registration = self.registry.register(&self.name, session)?;
        self.held = Some((session.clone(), registration));
        Ok(Registered::Newly)
    }

    /// Undoes the registration, if there is one.
    ///
    /// # Errors
    /// The host failed. The link has no owner all the same.
    pub fn dispose(&mut self) -> Result<(), HostError> {
        self.held.take().map_or(Ok(()), |(_, registration)| self.registry.dispose(registration))
    }

    /// The session that the link is registered with.
    #[must_use]
    pub fn owner(&self) -> Option<&SessionId> {
        self.held.as_ref().map(|(session, _)| session)
    }
}

#[cfg(test)]
mod tests {
    use mockall::{Sequence, predicate::eq};

    use super::*;

    fn session(id: &str) -> SessionId {
        SessionId::new(id).unwrap()
    }

    /// A registrar whose registry expects exactly `steps`, in order: `+ID` registers, `-N` disposes registration N.
    #[track_caller]
    fn registrar(steps: &[&str]) -> Registrar<MockHostRegistry> {
        let mut registry = MockHostRegistry::new();
        let mut order = Sequence::new();
        let mut number = 0;
        for step in steps {
            match step.split_at(1) {
                ("+", id) => {
                    number += 1;
                    registry
                        .expect_register()
                        .with(eq("inner-cmd"), eq(session(id)))
                        .times(1)
                        .in_sequence(&mut order)
                        .returning(move |_, _| Ok(number));
                }
                ("-", id) => {
                    let id: u32 = id.parse().unwrap();
                    registry.expect_dispose().with(eq(id)).times(1).in_sequence(&mut order).returning(|_| Ok(()));
                }
                _ => panic!("no such step: {step}"),
            }
        }
        Registrar::new("inner-cmd", registry)
    }

    #[test]
    fn registering_a_session_twice_registers_once() {
        let mut registrar = registrar(&["+s"]);
        assert_eq!(registrar.register(&session("s")), Ok(Registered::Newly));
        assert_eq!(registrar.register(&session("s")), Ok(Registered::Before));
        assert_eq!(registrar.owner(), Some(&session("s")));
    }

    #[test]
    fn a_new_session_disposes_the_registration_of_the_old() {
        let mut registrar = registrar(&["+s", "-1", "+t"]);
        registrar.register(&session("s")).unwrap();
        registrar.register(&session("t")).unwrap();
        assert_eq!(registrar.owner(), Some(&session("t")));
    }

    #[test]
    fn disposing_leaves_no_owner_and_registering_works_again_after() {
        let mut registrar = registrar(&["+s", "-1", "+s"]);
        registrar.register(&session("s")).unwrap();
        registrar.dispose().unwrap();
        assert_eq!(registrar.owner(), None);
        registrar.dispose().unwrap();
        assert_eq!(registrar.register(&session("s")), Ok(Registered::Newly));
    }

    #[test]
    fn a_host_that_refuses_leaves_no_owner() {
        let mut registry = MockHostRegistry::new();
        registry.expect_register().returning(|_, _| Err(HostError::Failed("taken".into())));
        let mut registrar = Registrar::new("inner-cmd", registry);
        assert!(registrar.register(&session("s")).is_err());
        assert_eq!(registrar.owner(), None);
    }

    #[test]
    fn a_host_that_fails_to_dispose_leaves_no_owner() {
        let mut registry = MockHostRegistry::new();
        registry.expect_register().times(1).returning(|_, _| Ok(1));
        registry.expect_dispose().times(1).returning(|_| Err(HostError::Gone));
        let mut registrar = Registrar::new("inner-cmd", registry);
        registrar.register(&session("s")).unwrap();
        assert!(registrar.register(&session("t")).is_err());
        assert_eq!(registrar.owner(), None);
    }

    #[test]
    fn a_session_without_a_name_is_no_session() {
        assert_eq!(SessionId::new(" \t"), Err(HostError::NoSession));
        assert_eq!(SessionId::new(""), Err(HostError::NoSession));
        assert!(SessionId::new("s").is_ok());
    }
}
