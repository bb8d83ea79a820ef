//! Input and output of servers, and their ends.

use super::{Event, World, connection_id};
use crate::world::network::{Direction, Piece};
use crate::world::server::ConnectionId;
use crate::world::session::Verdict;
use crate::world::weather::Strike;
use farboard::link::ServerFrame;

impl World {
    pub(super) fn arrive_at_server(&mut self, id: ConnectionId) {
        let now = self.events.now();
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if connection.is_silent {
            return;
        }
        let server = connection.server;
        let Some(piece) = connection.arrived(Direction::Up, now) else { return };
        let Some(process) = &mut self.servers[server].process else { return };
        let verdict = match piece {
            Piece::Bytes(bytes) => {
                process.with(id, &mut self.archive, &mut self.defects, now, |session, with| {
                    session.receive(&bytes, with)
                })
            }
            Piece::End => process.with(id, &mut self.archive, &mut self.defects, now, |session, with| {
                session.input_over(with);
                Verdict::GoesOn
            }),
            Piece::Reset => {
                process.remove(id, &mut self.archive, &mut self.defects, now);
                Verdict::GoesOn
            }
        };
        match verdict {
            Verdict::GoesOn => self.run_server(server),
            Verdict::Dies => self.kill(server),
        }
    }

    pub(super) fn run_server(&mut self, server: usize) {
        let now = self.events.now();
        let Some(process) = &mut self.servers[server].process else { return };
        process.run(&mut self.archive, &mut self.defects, now);
        let ids: Vec<ConnectionId> = process.sessions.keys().copied().collect();
        for id in ids {
            self.flush(server, id);
        }
        self.end_drain(server);
        self.schedule(server);
    }

    fn schedule(&mut self, server: usize) {
        let Some(process) = &mut self.servers[server].process else { return };
        let Some(wake) = process.wake() else { return };
        if process.wakes_at.is_none_or(|at| wake < at) {
            process.wakes_at = Some(wake);
            self.events.at(wake, Event::ServerWakes(server, self.servers[server].started));
        }
    }

    /// Sends a session's pending output if the socket accepts it.
    pub(super) fn flush(&mut self, server: usize, id: ConnectionId) {
        let now = self.events.now();
        let Some(connection) = self.connections.get(&id) else { return };
        let Some(process) = &mut self.servers[server].process else { return };
        let Some(session) = process.sessions.get_mut(&id) else { return };
        let client = connection.client;
        if session.has_begun
            && id == connection_id(client, self.clients[client].attempt)
            && !connection.is_silent
            && !connection.is_broken()
        {
            self.clients[client].is_served(now);
        }
        if !connection.has_room() {
            return;
        }
        if !session.is_closed() {
            session.make_frame(&mut self.defects, now);
        }
        let bytes = std::mem::take(&mut session.to_send);
        let ends = std::mem::take(&mut session.sends_end);
        if ends || (connection.is_broken() && !bytes.is_empty()) {
            process.remove(id, &mut self.archive, &mut self.defects, now);
        }
        if !bytes.is_empty() {
            self.send(id, Direction::Down, Piece::Bytes(bytes));
        }
        if ends {
            self.send(id, Direction::Down, Piece::End);
        }
    }

    /// The process ends.
    pub(super) fn kill(&mut self, server: usize) {
        let Some(process) = self.servers[server].process.take() else { return };
        self.note(|| format!("server {server} dies with {} sessions", process.sessions.len()));
        self.servers[server].started += super::SERVERS as u64;
        self.tally.deaths += usize::from(!process.sessions.is_empty());
        for id in process.sessions.into_keys() {
            self.break_off(id);
        }
        let outage = self.weather.outage();
        self.events.after(outage, Event::Restart(server));
    }

    fn end_drain(&mut self, server: usize) {
        let is_over = self.servers[server]
            .process
            .as_ref()
            .is_some_and(|process| process.drains && process.sessions.is_empty());
        if is_over {
            self.kill(server);
        }
    }

    pub(super) fn strike(&mut self, strike: Strike) {
        let now = self.events.now();
        // A shim that finds no server at its start exits at once.
        if self.clients.iter().any(|client| client.attempt == 0) {
            return;
        }
        match strike {
            Strike::Kill(server) => {
                if self.may_end(server) {
                    self.kill(server);
                }
            }
            Strike::Fault(server) => {
                if self.may_fail(server) {
                    self.fault(server);
                }
            }
            Strike::Drain(server) => {
                if let Some(process) = &mut self.servers[server].process {
                    process.drains = true;
                    self.run_server(server);
                }
            }
            Strike::Move(server) => {
                if let Some(process) = &mut self.servers[server].process {
                    process.asks_to_move = true;
                    self.run_server(server);
                }
            }
            Strike::Break(client) | Strike::Silence(client) => {
                let of = &mut self.clients[client];
                let id = connection_id(client, of.attempt);
                if of.lost_since.is_some() || !of.may_suffer(now) {
                    return;
                }
                self.note(|| format!("{client}: {strike:?}"));
                self.tally.losses += 1;
                if matches!(strike, Strike::Break(_)) { self.break_off(id) } else { self.silence(id) }
            }
        }
    }

    /// Returns true if a server may end without a shim blaming a line of its client.
    fn may_end(&mut self, server: usize) -> bool {
        let now = self.events.now();
        self.clients_of(server).into_iter().all(|client| self.clients[client].may_suffer(now))
    }

    fn may_fail(&mut self, server: usize) -> bool {
        let now = self.events.now();
        self.clients_of(server).into_iter().all(|client| self.clients[client].may_see_fault(now))
    }

    fn clients_of(&self, server: usize) -> Vec<usize> {
        let process = self.servers[server].process.iter();
        process.flat_map(|process| process.sessions.values().map(|session| session.client)).collect()
    }

    /// A defect ends all sessions of a server, which reports it.
    fn fault(&mut self, server: usize) {
        let Some(process) = &mut self.servers[server].process else { return };
        self.tally.losses += process.sessions.len();
        for session in process.sessions.values_mut().filter(|session| session.has_begun) {
            session.close_with(&[ServerFrame::Fault("a defect of the world".to_owned())]);
        }
        self.note(|| format!("server {server} has a defect"));
        self.run_server(server);
    }
}
