//! All engines of the configuration, and of earlier ones that sessions still use.

use super::spawner::Spawner;
use super::{EngineSpec, Host, ProcessRow};
use crate::metrics::Counter;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The engines of a server. When it and all its engines are dropped, all processes have exited.
#[derive(Debug)]
pub struct Hosts {
    launcher: Option<PathBuf>,
    inner: Mutex<Inner>,
}

#[derive(Default, Debug)]
struct Inner {
    /// Exists once there is an engine.
    spawner: Option<Arc<Spawner>>,
    hosts: Vec<Weak<Host>>,
    /// Failures since the start of the server by the engine's name, also of engines that a reload
    /// has removed.
    failures: BTreeMap<String, Arc<Counter>>,
}

impl Hosts {
    /// No engines yet. `launcher` is a program that starts their processes by
    /// [`run_launched`](crate::engines::run_launched), so that the system ends them with this
    /// process, however it ends.
    pub fn new(launcher: Option<PathBuf>) -> Hosts {
        Hosts { launcher, inner: Mutex::default() }
    }

    /// Returns the engine of this description: the existing one, if a reload has not changed it.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn host(&self, spec: EngineSpec) -> io::Result<Arc<Host>> {
        let mut inner = self.lock();
        inner.hosts.retain(|host| host.strong_count() > 0);
        let known = inner.hosts.iter().filter_map(Weak::upgrade).find(|host| host.spec == spec);
        if let Some(host) = known {
            return Ok(host);
        }
        let spawner = match &inner.spawner {
            Some(spawner) => Arc::clone(spawner),
            None => Arc::clone(inner.spawner.insert(Arc::new(Spawner::new(self.launcher.clone())?))),
        };
        let failures = Arc::clone(inner.failures.entry(spec.name.clone()).or_default());
        let host = Arc::new(Host::new(spec, spawner, failures));
        inner.hosts.push(Arc::downgrade(&host));
        Ok(host)
    }

    /// The processes of all engines.
    pub fn processes(&self) -> Vec<ProcessRow> {
        let hosts: Vec<_> = self.lock().hosts.iter().filter_map(Weak::upgrade).collect();
        hosts.iter().flat_map(|host| host.rows()).collect()
    }

    /// Failures of each engine since the start, by its name.
    pub fn failures(&self) -> Vec<(String, u64)> {
        self.lock().failures.iter().map(|(name, failures)| (name.clone(), failures.get())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
