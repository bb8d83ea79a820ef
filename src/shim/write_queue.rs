//! Writes that never block: what can be written at once is, and a thread writes the rest. It starts
//! when it is first needed: most clients and servers always read.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// Report of the thread that writes.
#[derive(Debug)]
pub(super) enum Progress {
    /// Some of the bytes have been written.
    Written,
    /// All bytes have been written after [`WriteQueue::finish`], or writing has failed.
    Ended(io::Result<()>),
}

/// A stream, and the bytes that are still to be written to it.
pub(super) struct WriteQueue<F> {
    pub(super) stream: Arc<F>,
    /// Writes as much as possible without blocking.
    write_now: fn(&F, &[u8]) -> io::Result<usize>,
    report: Arc<dyn Fn(Progress) + Send + Sync>,
    /// The queue of the thread, once it runs.
    queue: Option<Sender<Vec<u8>>>,
    /// Whether the stream has ended: later bytes are dropped.
    is_finished: bool,
    /// Number of bytes in the queue.
    queued: Arc<AtomicUsize>,
}

impl<F: Send + Sync + 'static> WriteQueue<F>
where
    for<'a> &'a F: Write,
{
    pub(super) fn new(
        stream: F,
        write_now: fn(&F, &[u8]) -> io::Result<usize>,
        report: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Self {
        Self {
            stream: Arc::new(stream),
            write_now,
            report: Arc::new(report),
            queue: None,
            is_finished: false,
            queued: Arc::default(),
        }
    }

    /// Returns the number of bytes that wait to be written.
    pub(super) fn queued(&self) -> usize {
        self.queued.load(Ordering::Acquire)
    }

    /// Writes bytes after all earlier ones.
    ///
    /// # Errors
    /// The stream is closed, or the system has no thread.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_finished {
            return Ok(());
        }
        let written = if self.queued() == 0 { (self.write_now)(&self.stream, bytes)? } else { 0 };
        let rest = &bytes[written..];
        if rest.is_empty() {
            return Ok(());
        }
        let queue = match &self.queue {
            Some(queue) => queue,
            None => self.queue.insert(self.start()?),
        };
        self.queued.fetch_add(rest.len(), Ordering::Release);
        // If the thread has ended, it has reported why.
        let _ = queue.send(rest.to_owned());
        Ok(())
    }

    /// Ends the stream. Returns true if everything is written; otherwise the thread reports that.
    pub(super) fn finish(&mut self) -> bool {
        self.is_finished = true;
        self.queue.take().is_none()
    }

    fn start(&self) -> io::Result<Sender<Vec<u8>>> {
        let (sender, to_write) = mpsc::channel::<Vec<u8>>();
        let (stream, queued, report) =
            (Arc::clone(&self.stream), Arc::clone(&self.queued), Arc::clone(&self.report));
        let body = move || {
            for bytes in to_write {
                if let Err(error) = (&*stream).write_all(&bytes) {
                    return report(Progress::Ended(Err(error)));
                }
                queued.fetch_sub(bytes.len(), Ordering::Release);
                report(Progress::Written);
            }
            report(Progress::Ended(Ok(())));
        };
        thread::Builder::new().name("output".to_owned()).spawn(body)?;
        Ok(sender)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    /// A stream that keeps what is written to it.
    #[derive(Default)]
    struct Kept(Mutex<Vec<u8>>);

    impl Write for &Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut kept = self.0.lock().expect("no panic");
            kept.extend_from_slice(bytes);
            if kept.ends_with(b"!") { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Takes two bytes at most.
    fn two_now(stream: &Kept, bytes: &[u8]) -> io::Result<usize> {
        let now = &bytes[..bytes.len().min(2)];
        let mut writer = stream;
        writer.write_all(now).map(|()| now.len())
    }

    #[test]
    fn the_rest_of_a_write_comes_before_later_ones_and_the_end() {
        let (reporter, reports) = channel();
        let mut queue = WriteQueue::new(Kept::default(), two_now, move |now| drop(reporter.send(now)));
        queue.write(b"ab").expect("an open stream");
        assert!(queue.queue.is_none(), "a thread that nothing needs");
        ["cdefg", "hi", "j"].iter().for_each(|text| queue.write(text.as_bytes()).expect("an open stream"));
        assert!(!queue.finish());
        queue.write(b"too late").expect("nothing to do");
        while !matches!(reports.recv().expect("a report of the end"), Progress::Ended(Ok(()))) {}
        assert_eq!(*queue.stream.0.lock().expect("no panic"), b"abcdefghij");
        assert_eq!(queue.queued(), 0);
    }

    #[test]
    fn a_failure_in_the_thread_is_reported() {
        let (reporter, reports) = channel();
        let mut queue = WriteQueue::new(Kept::default(), two_now, move |now| drop(reporter.send(now)));
        queue.write(b"abc!").expect("an open stream");
        assert!(matches!(reports.recv().expect("a report"), Progress::Ended(Err(_))));
    }
}
