//! The tables of `docs/scale.md`.

use super::balancer::{Policy, Weight};
use super::curve::{Curve, Point, measure};
use super::fleet::{EVENING, Fleet, HOUR, Outcome, Plan, Upgrade};
use super::waits::{PATIENCE_MS, Waits};
use super::workload::share_of_games;
use std::time::Instant;

/// Cores per server of the fleets, as in `deploy/kubernetes/`.
const TOKENS: usize = 64;
const SMALL: usize = 16;
/// Seconds of measurement for a server with a core for nearly every move.
const TIME: f64 = 800.0;
/// Reduction of that for a server with more games, where many moves wait and every slice is a
/// decision.
const CROWDED: f64 = 0.1;
/// Games per core from which that applies.
const CROWD: f64 = 2.15;
/// The busiest hour.
const BUSIEST: usize = EVENING / HOUR;
/// Loads of the fleets, relative to the capacity of one server: fewer games are spread less evenly.
const LOADS: [f64; 6] = [0.8, 0.9, 0.95, 1.0, 1.05, 1.1];
const LOADS_OF_SMALL: [f64; 6] = [0.6, 0.7, 0.8, 0.9, 1.0, 1.1];
const SEED: u64 = 1;

/// Prints the tables of a server of 64 cores and of such fleets.
pub fn print_large() {
    let began = Instant::now();
    let curve = curve_of(TOKENS);
    let games = curve.games_until(PATIENCE_MS);
    let sessions = games / share_of_games();
    println!("\nOne server of {TOKENS} cores; the engine's clock runs for {:.2} of a game\n", curve.duty());
    print_curve(&curve);
    println!("\nIt holds {games} games, so {sessions:.0} sessions\n");
    print_policies(&curve, sessions, LOADS);
    print_fleets(&curve, sessions);
    print_upgrades(&curve, sessions);
    print_analyses(games as usize);
    // Not part of the document: it depends on the machine.
    eprintln!("{:.0} s in all", began.elapsed().as_secs_f64());
}

/// Prints the tables of smaller servers and of fleets as in `deploy/kubernetes/`.
pub fn print_small() {
    println!("\n| cores of a server | games | sessions | sessions per core | cores used by clocks |");
    println!("|---:|---:|---:|---:|---:|");
    let curves = [4, 8, SMALL, 32].map(curve_of);
    curves.iter().for_each(print_size);
    println!();
    let [_, _, small, _] = curves;
    let sessions = small.games_until(PATIENCE_MS) / share_of_games();
    print_policies(&small, sessions, LOADS_OF_SMALL);
}

/// The curve of a server without analyses, which hardly affect moves. With few cores, few games
/// need longer measurements.
fn curve_of(tokens: usize) -> Curve {
    let longer = (TOKENS as f64 / tokens as f64).sqrt();
    let time = |games: usize| {
        let crowded = games as f64 > CROWD * tokens as f64;
        longer * TIME * if crowded { CROWDED } else { 1.0 }
    };
    Curve::measure(tokens, games_of(tokens), 0.0, time, SEED)
}

/// The numbers of games to measure: up to more than the capacity, in finer steps near it.
fn games_of(tokens: usize) -> Vec<usize> {
    let part = |sixteenths: usize| (tokens * sixteenths).div_ceil(16);
    let parts = [8, 16, 24, 26, 28, 29, 30, 31, 32, 33, 34, 36, 40];
    let mut games: Vec<usize> = parts.into_iter().map(part).collect();
    games.dedup();
    games
}

fn print_curve(curve: &Curve) {
    println!(
        "| games | cores used by clocks | moves waiting for one | wait of a move p50 | p99 | longer than 50 ms | first token p99 |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for Point { games, waits, first, used, waiting } in &curve.points[1..] {
        println!(
            "| {games} | {used:.1} ({:.0} %) | {waiting:.2} | {} | {} | {} | {} |",
            100.0 * used / curve.tokens as f64,
            ms(waits.quantile(0.5)),
            ms(waits.p99()),
            percent(waits.impatient()),
            ms(first.p99())
        );
    }
}

fn print_analyses(games: usize) {
    println!("| games | analyses | wait of a move p50 | p99 | longer than 50 ms |");
    println!("|---:|---:|---:|---:|---:|");
    for games in [games / 2, games] {
        for analyses in [0, games / 2, 4 * games] {
            let waits = measure(TOKENS, games, analyses, TIME / 4.0, SEED).waits;
            println!(
                "| {games} | {analyses} | {} | {} | {} |",
                ms(waits.quantile(0.5)),
                ms(waits.p99()),
                percent(waits.impatient())
            );
        }
    }
    println!();
}

fn print_size(curve: &Curve) {
    let games = curve.games_until(PATIENCE_MS);
    let sessions = games / share_of_games();
    let tokens = curve.tokens as f64;
    let used = games * curve.duty() / tokens;
    println!("| {tokens} | {games} | {sessions:.0} | {:.1} | {} |", sessions / tokens, percent(used));
}

fn plan(servers: usize, policy: Policy, sessions: f64) -> Plan {
    Plan { servers, policy, sessions, deaths: false, upgrade: None, seed: SEED }
}

fn print_policies(curve: &Curve, sessions: f64, part: [f64; 6]) {
    let loads = part.map(|load| format!("{:.0}", load * sessions));
    println!(
        "| p99 in the busiest hour, 100 servers, by sessions on each | {} | sessions at 50 ms |",
        loads.join(" | ")
    );
    println!("|---|{}", "---:|".repeat(part.len() + 1));
    let mut even = Vec::new();
    for policy in Policy::ALL {
        let days = part.map(|load| Fleet::evening(plan(100, policy, load * sessions), curve, HOUR));
        if even.is_empty() {
            even = days.iter().map(|day| day.even[BUSIEST].p99()).collect();
        }
        let p99 = days.iter().map(|day| day.hours[BUSIEST].p99()).collect();
        print_policy(policy.name(), sessions, part, p99);
    }
    print_policy("games always spread evenly", sessions, part, even);
    println!();
}

fn print_policy(name: &str, sessions: f64, part: [f64; 6], p99: Vec<f64>) {
    let all: Vec<String> = p99.iter().map(|&p99| ms(p99)).collect();
    let passes = p99.iter().position(|&p99| p99 > PATIENCE_MS);
    let until = match passes {
        None => format!("more than {:.0}", part[part.len() - 1] * sessions),
        Some(0) => format!("fewer than {:.0}", part[0] * sessions),
        Some(above) => {
            let [below, above] = [above - 1, above].map(|index| (part[index], p99[index].max(1.0).ln()));
            let way = (PATIENCE_MS.ln() - below.1) / (above.1 - below.1);
            format!("{:.0}", sessions * (below.0 + way * (above.0 - below.0)))
        }
    };
    println!("| {name} | {} | {until} |", all.join(" | "));
}

fn print_fleets(curve: &Curve, sessions: f64) {
    let sessions = 0.8 * sessions;
    println!("{sessions:.0} sessions for each server in the busiest hour; servers die\n");
    println!(
        "| servers | balancer | sessions in a day | p99 in the busiest hour | longer than 50 ms | deaths | sessions moved | moves delayed | most games on a server / average |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|---:|---:|");
    for policy in [Policy::LeastSessions, Policy::Random] {
        for servers in [10, 100, 1000] {
            let day = Fleet::day(Plan { deaths: true, ..plan(servers, policy, sessions) }, curve);
            let busiest = &day.hours[BUSIEST];
            let (p99, impatient) = (ms(busiest.p99()), percent(busiest.impatient()));
            let Outcome { sessions, deaths, moved, delayed, worst: (most, average), .. } = day;
            println!(
                "| {servers} | {} | {sessions} | {p99} | {impatient} | {deaths} | {moved} | {delayed} | {most} / {average:.0} |",
                policy.name()
            );
        }
    }
    println!();
}

fn print_upgrades(curve: &Curve, sessions: f64) {
    let sessions = 0.8 * sessions;
    println!(
        "| balancer | servers at a time | drain | lasts | sessions moved (moves per session) | moves delayed | p99 in that hour | without | most games on a server / average |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for policy in [Policy::LeastSessions, Policy::Random, Policy::Agent(Weight::Halved)] {
        let without = Fleet::evening(plan(100, policy, sessions), curve, 2 * HOUR);
        for (batch, drain) in [(2, 60), (5, 10), (5, 60), (10, 600), (25, 60)] {
            let upgrade = Upgrade { at: EVENING, batch, drain, restart: 15 };
            let plan = Plan { upgrade: Some(upgrade), ..plan(100, policy, sessions) };
            print_upgrade(policy, upgrade, &Fleet::evening(plan, curve, 2 * HOUR), &without);
        }
    }
    println!();
}

fn print_upgrade(policy: Policy, upgrade: Upgrade, day: &Outcome, without: &Outcome) {
    let (time, there) = day.upgrade.expect("it was upgraded");
    let p99 = |waits: &[Waits]| ms(waits[BUSIEST].p99());
    let (most, average) = day.worst;
    println!(
        "| {} | {} | {} s | {:.0} min | {} ({:.2} each) | {} | {} | {} | {most} / {average:.0} |",
        policy.name(),
        upgrade.batch,
        upgrade.drain,
        time as f64 / 60.0,
        day.moved,
        day.moved as f64 / there as f64,
        day.delayed,
        p99(&day.hours),
        p99(&without.hours)
    );
}

fn ms(wait: f64) -> String {
    match wait {
        ..0.1 => "0 ms".to_string(),
        ..10.0 => format!("{wait:.1} ms"),
        _ => format!("{wait:.0} ms"),
    }
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0".to_string(),
        ..0.01 => "< 0.01 %".to_string(),
        percent => format!("{percent:.2} %"),
    }
}
