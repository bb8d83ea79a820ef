//! `farboard check`: reads everything that a start reads, and binds nothing.

use crate::output::{report_error, say};
use crate::{Outcome, hosts, start_log, with_environment};
use farboard::config::{ConfigError, Settings};
use farboard::server::reload::ReloadedConfig;
use log::LevelFilter;

/// Checks a configuration: the file, and the keys, users, certificates, books and engines that it
/// names. Each engine is started once.
pub fn check(settings: Settings) -> Outcome {
    let config = with_environment(settings)?.with_file()?.resolve()?;
    let _log = start_log(&LevelFilter::Warn.into(), config.log_format)?;
    let engines = hosts();
    let mut tried_out = Vec::new();
    for (name, spec) in &config.engines {
        let fails = |why| config.with_line(ConfigError::EngineFails(name.clone(), why));
        let host = engines.host(spec.clone()).map_err(|error| ConfigError::Hosting(name.clone(), error))?;
        let tried = host.try_out().map_err(fails)?;
        say(format_args!("[engine.{name}] is {}", tried.name));
        for option in tried.unknown_options {
            report_error(&format!("[engine.{name}] has no option {option:?}; remove it"));
        }
        // Keeps the engine, as profiles take its name from it.
        tried_out.push(host);
    }
    ReloadedConfig::new(&config, &engines)?;
    config.open_archive()?;
    config.check_state_key()?;
    let addresses: Vec<String> = config.listen.iter().map(|listen| listen.address.to_string()).collect();
    say(format_args!("the configuration is right; it listens on {}", addresses.join(" and ")));
    Ok(())
}
