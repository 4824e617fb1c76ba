use std::{future::Future, pin::pin};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Fuse, FusedFuture},
    select_biased,
};
use serde_json::Value;

use crate::{Error, HostCall, HostError, HostSession, LogRecord, PolicyAnswer, PolicyQuery, SessionId};

/// The calls of one request to its host, all under one deadline.
///
/// INVARIANT: once the deadline has passed no call succeeds, so that nothing decisive rests on an answer that came late.
pub(crate) struct Calls<'h> {
    host: &'h dyn HostSession,
    deadline: Fuse<BoxFuture<'h, ()>>,
}

impl<'h> Calls<'h> {
    pub(crate) fn new(host: &'h dyn HostSession, deadline: impl Future<Output = ()> + Send + 'h) -> Self {
        Self { host, deadline: deadline.boxed().fuse() }
    }

    pub(crate) async fn session_id(&mut self) -> Result<SessionId, Error> {
        let call = self.host.session_id();
        self.bounded(HostCall::SessionId, call).await
    }

    pub(crate) async fn check_permission(&mut self, query: &PolicyQuery) -> Result<PolicyAnswer, Error> {
        let call = self.host.check_permission(query);
        self.bounded(HostCall::CheckPermission, call).await
    }

    pub(crate) async fn entries(&mut self) -> Result<Vec<Value>, Error> {
        let call = self.host.entries();
        self.bounded(HostCall::Entries, call).await
    }

    pub(crate) fn log(&self, record: &LogRecord) -> Result<(), HostError> {
        self.host.log(record)
    }

    async fn bounded<T>(
        &mut self,
        call: HostCall,
        answer: impl Future<Output = Result<T, HostError>>,
    ) -> Result<T, Error> {
        if self.deadline.is_terminated() {
            return Err(Error::Late { call });
        }
        let mut answer = pin!(answer.fuse());
        select_biased! {
            () = &mut self.deadline => Err(Error::Late { call }),
            answer = answer => answer.map_err(|source| Error::Host { call, source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures_executor::block_on;

    use super::*;
    use crate::MockHostSession;

    #[test]
    fn a_host_that_never_answers_ends_at_the_deadline() {
        struct Silent;
        #[async_trait::async_trait]
        impl HostSession for Silent {
            async fn session_id(&self) -> Result<SessionId, HostError> {
                pending().await
            }
            async fn check_permission(&self, _query: &PolicyQuery) -> Result<PolicyAnswer, HostError> {
                pending().await
            }
            async fn entries(&self) -> Result<Vec<Value>, HostError> {
                pending().await
            }
            fn log(&self, _record: &LogRecord) -> Result<(), HostError> {
                Ok(())
            }
        }
        let mut calls = Calls::new(&Silent, ready(()));
        assert_eq!(block_on(calls.session_id()), Err(Error::Late { call: HostCall::SessionId }));
        assert_eq!(block_on(calls.entries()), Err(Error::Late { call: HostCall::Entries }));
    }

    #[test]
    fn an_answer_that_is_there_with_the_deadline_is_late() {
        let mut host = MockHostSession::new();
        host.expect_session_id().returning(|| SessionId::new("s"));
        assert!(block_on(Calls::new(&host, ready(())).session_id()).is_err());
        assert!(block_on(Calls::new(&host, pending()).session_id()).is_ok());
    }

    #[test]
    fn a_failure_of_the_host_names_the_call() {
        let mut host = MockHostSession::new();
        host.expect_entries().returning(|| Err(HostError::Gone));
        let error = block_on(Calls::new(&host, pending()).entries());
        assert_eq!(error, Err(Error::Host { call: HostCall::Entries, source: HostError::Gone }));
    }
}
