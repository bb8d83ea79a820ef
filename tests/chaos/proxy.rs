//! A network between a client and a server that delays, splits, joins, cuts off or resets
//! connections as configured.

use crate::support::dice::Dice;
use crate::weather::{Accident, Kind, Way, Weather, When};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use socket2::SockRef;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which a connection notices that its proxy was dropped.
const LOOK_UP: Duration = Duration::from_millis(100);
/// Maximum number of bytes under way.
const MOST_ON_THE_WAY: usize = 64 << 10;

/// A listener that connects every client to the server, with the faults chosen for each connection.
pub struct Proxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    over: AtomicBool,
    /// When bytes left too late, and by how much.
    late: Mutex<Vec<(Instant, Duration)>>,
}

impl Proxy {
    /// Starts a proxy in threads of this process. `weather` is called with the number of the
    /// connection, from 0.
    pub fn start(
        server: SocketAddr,
        seed: u64,
        mut weather: impl FnMut(u64) -> Weather + Send + 'static,
    ) -> Proxy {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound socket");
        let shared = Arc::new(Shared::default());
        let state = Arc::clone(&shared);
        thread::spawn(move || {
            for (number, client) in (0..).zip(listener.incoming()) {
                if state.over.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(client) = client else { continue };
                let (weather, shared) = (weather(number), Arc::clone(&state));
                thread::spawn(move || {
                    let dice = Dice::new(seed, 100 + number);
                    // A missing server looks like a connection that breaks at once.
                    match TcpStream::connect(server) {
                        Ok(server) => Passage::new(client, server, weather, dice).run(&shared),
                        Err(_) => reset(&client),
                    }
                });
            }
        });
        Proxy { address, shared }
    }

    /// The total delay of bytes forwarded between these instants.
    pub fn lateness(&self, from: Instant, to: Instant) -> Duration {
        let late = self.shared.late.lock().expect("not poisoned");
        late.iter().filter(|&&(at, _)| (from..=to).contains(&at)).map(|&(_, late)| late).sum()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        // Wakes the accepting thread.
        let _ = TcpStream::connect(self.address);
    }
}

/// Makes the peer see a reset when this is closed.
fn reset(stream: &TcpStream) {
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
}

/// A connection through the proxy: one thread owns both sockets, so they close together.
struct Passage {
    /// Read at one end and written at the other: up from 0 to 1, down from 1 to 0.
    ends: [TcpStream; 2],
    lanes: [Lane; 2],
    accident: Option<Accident>,
    /// Whether the accident has happened, after which nothing passes.
    struck: bool,
    began: Instant,
    dice: Dice,
}

/// One direction.
struct Lane {
    way: Way,
    /// Data under way with its arrival time; an empty entry is the end.
    queue: VecDeque<(Instant, Vec<u8>)>,
    passed: u64,
    read_all: bool,
    done: bool,
}

impl Passage {
    fn new(client: TcpStream, server: TcpStream, weather: Weather, dice: Dice) -> Passage {
        let lane = |way| Lane { way, queue: VecDeque::new(), passed: 0, read_all: false, done: false };
        let ends = [client, server];
        for end in &ends {
            // Fails if the end is already closed, which reading reports.
            let _ = end.set_nodelay(true);
            let _ = end.set_write_timeout(Some(Duration::from_secs(30)));
        }
        let lanes = [lane(weather.up), lane(weather.down)];
        Passage { ends, lanes, accident: weather.accident, struck: false, began: Instant::now(), dice }
    }

    fn run(mut self, shared: &Shared) {
        while !self.lanes.iter().all(|lane| lane.done) && !shared.over.load(Ordering::Relaxed) {
            if self.is_time_for_the_accident() {
                return self.break_off();
            }
            let readable = self.wait();
            for (index, readable) in readable.into_iter().enumerate() {
                let ok = !readable || self.take_in(index);
                if !ok || !self.let_out(index, shared) {
                    // One side broke: the other must see a reset.
                    return self.ends.iter().for_each(reset);
                }
            }
        }
    }

    /// Waits until an end can be read or written; returns which can be read.
    fn wait(&self) -> [bool; 2] {
        let now = Instant::now();
        let at = match self.accident {
            Some(Accident { when: When::After(time), .. }) => Some(self.began + time),
            _ => None,
        };
        let dues = self.lanes.iter().filter_map(|lane| lane.queue.front().map(|&(due, _)| due));
        let next = dues.chain(at).min().unwrap_or(now + LOOK_UP).min(now + LOOK_UP);
        let time = next.saturating_duration_since(now);
        let limit = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
        let wanted = |lane: &Lane| {
            let full = lane.queue.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_ON_THE_WAY;
            if lane.read_all || full { PollFlags::empty() } else { PollFlags::IN }
        };
        let mut fds = [0, 1].map(|index| PollFd::new(&self.ends[index], wanted(&self.lanes[index])));
        // Fails when interrupted, which is treated as a timeout.
        let _ = poll(&mut fds, Some(&limit));
        let events = fds.map(|fd| fd.revents());
        // A connection can still break after its end of input.
        [0, 1].map(|index| {
            let happened = events[index];
            happened.contains(PollFlags::ERR) || !happened.is_empty() && !self.lanes[index].read_all
        })
    }

    /// Reads what is available; returns false if the connection broke.
    fn take_in(&mut self, index: usize) -> bool {
        let mut chunk = [0; 4096];
        let Ok(size) = self.ends[index].read(&mut chunk) else { return false };
        let lane = &mut self.lanes[index];
        let now = Instant::now();
        let jitter = self.dice.delay(lane.way.jitter.as_millis() as usize + 1).min(lane.way.jitter);
        let mut due = now + lane.way.delay + jitter;
        if let Some((before, bytes)) = lane.queue.back_mut() {
            // Held bytes wait for more until they are due.
            if size > 0 && now < *before && !lane.way.hold.is_zero() {
                bytes.extend(&chunk[..size]);
                return true;
            }
            due = due.max(*before);
        }
        lane.read_all = size == 0;
        lane.queue.push_back((due + lane.way.hold, chunk[..size].to_vec()));
        true
    }

    /// Writes what is due; returns false if the connection broke.
    fn let_out(&mut self, index: usize, shared: &Shared) -> bool {
        while let Some((due, _)) = self.lanes[index].queue.front().filter(|_| !self.struck) {
            let now = Instant::now();
            let Some(late) = now.checked_duration_since(*due) else { return true };
            if late > Duration::from_millis(1) {
                shared.late.lock().expect("not poisoned").push((now, late));
            }
            let (_, bytes) = self.lanes[index].queue.pop_front().expect("it was there");
            if bytes.is_empty() {
                self.lanes[index].done = true;
                return self.ends[1 - index].shutdown(Shutdown::Write).is_ok();
            }
            if !self.pass(index, &bytes) {
                return false;
            }
        }
        true
    }

    fn pass(&mut self, index: usize, bytes: &[u8]) -> bool {
        let mut room = bytes.len();
        if let Some(left) = self.left_before_the_accident(index)
            && bytes.len() as u64 >= left
        {
            self.struck = true;
            room = left as usize;
            // The last line must lack at least its line end.
            while room > 0 && bytes[room - 1] == b'\n' {
                room -= 1;
            }
        }
        let largest = self.lanes[index].way.largest.unwrap_or(usize::MAX);
        let mut sink = &self.ends[1 - index];
        self.lanes[index].passed += room as u64;
        bytes[..room].chunks(largest).all(|piece| sink.write_all(piece).is_ok())
    }

    fn left_before_the_accident(&self, index: usize) -> Option<u64> {
        let after = match (self.accident?.when, index) {
            (When::Up(after), 0) | (When::Down(after), 1) => after,
            _ => return None,
        };
        Some(after.saturating_sub(self.lanes[index].passed))
    }

    fn is_time_for_the_accident(&self) -> bool {
        let late = |when| matches!(when, When::After(time) if self.began.elapsed() >= time);
        self.struck || self.accident.is_some_and(|accident| late(accident.when))
    }

    fn break_off(self) {
        if self.accident.is_some_and(|accident| accident.kind == Kind::Reset) {
            self.ends.iter().for_each(reset);
            return;
        }
        // Closing with unread data would reset the connection.
        for end in &self.ends {
            let _ = end.shutdown(Shutdown::Write);
            let _ = end.set_nonblocking(true);
            let mut end = end;
            while matches!(end.read(&mut [0; 4096]), Ok(1..)) {}
        }
    }
}
