//! A package registry on 127.0.0.1 that holds what `cargo xtask dist` packed, so that `pi install` can be tried.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use serde_json::{Map, Value, json};
use tiny_http::{Response, Server};

use super::Failure;
use crate::dist::Packed;

/// A running registry; it stops when dropped.
pub(super) struct Registry {
    server: Arc<Server>,
    port: u16,
    thread: Option<JoinHandle<()>>,
}

impl Registry {
    /// Serves `packages` on a free port.
    pub(super) fn start(packages: &[Packed]) -> Result<Self, Failure> {
        let server = Server::http("127.0.0.1:0").map_err(|error| Failure::new(format!("registry: {error}")))?;
        let server = Arc::new(server);
        let port = server.server_addr().to_ip().map(|address| address.port()).unwrap_or_default();
        let listed: Vec<(String, String, PathBuf)> = packages.iter().map(|package| listing(package, port)).collect();
        let listener = Arc::clone(&server);
        let thread = std::thread::spawn(move || {
            for request in listener.incoming_requests() {
                let path = request.url().trim_start_matches('/').to_owned();
                let found =
                    listed.iter().find_map(|(name, document, tarball)| match path.strip_prefix(name.as_str()) {
                        Some("") => Some(document.clone().into_bytes()),
                        Some("/tarball") => std::fs::read(tarball).ok(),
                        Some(_) | None => None,
                    });
                let missing = Response::from_data(b"{}".to_vec()).with_status_code(404);
                drop(request.respond(found.map_or(missing, Response::from_data)));
            }
        });
        Ok(Self { server, port, thread: Some(thread) })
    }

    /// The URL to give to npm.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// The name of a package, what the registry says of it, and its tarball.
fn listing(package: &Packed, port: u16) -> (String, String, PathBuf) {
    let text = |name: &str| package.manifest.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (name, version) = (text("name"), text("version"));
    let mut manifest = package.manifest.clone();
    let tarball = format!("http://127.0.0.1:{port}/{name}/tarball");
    if let Some(fields) = manifest.as_object_mut() {
        fields.insert("dist".to_owned(), json!({ "tarball": tarball, "integrity": package.integrity }));
    }
    let mut versions = Map::new();
    versions.insert(version.clone(), manifest);
    let document = json!({ "name": name, "dist-tags": { "latest": version }, "versions": versions });
    (name, document.to_string(), package.tarball.clone())
}
