//! The descent: epochs of batches, each in several threads.
//!
//! A batch is divided into a fixed number of shares, each with a gradient of its own; the gradients
//! are added in the order of the shares. So the result does not depend on the number of threads.

use super::adam::{Part, Step};
use super::dataset::Dataset;
use super::gradient::{Rows, Workspace};
use super::permutation::Permutation;
use super::portable::{cross_entropy, falling};
use super::weights::{Shape, Weights};
use crate::progress_bar::ProgressBar;
use crate::random::mix;
use crate::search::net::NetFile;
use std::ops::Range;
use std::sync::{Barrier, Mutex, RwLock, RwLockReadGuard};

/// Positions in a batch, unless there are few.
const BATCH: usize = 16 << 10;
/// Batches of an epoch if there are few positions.
const FEW_BATCHES: usize = 32;
/// Minimum positions in a batch.
const SMALLEST_BATCH: usize = 256;
/// Shares of a batch, and parts of the weights: more threads have nothing to do.
const SHARES: usize = 16;
/// Length of the first step from random weights.
const FIRST_STEP: f64 = 2e-3;
/// Length of the first step from the weights of a net.
const FIRST_STEP_OF_NET: f64 = 5e-4;
/// Length of the last step.
const LAST_STEP: f64 = 1e-5;

/// The course of a training.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub epochs: u64,
    pub seed: u64,
    pub threads: usize,
}

/// A net in training.
pub(super) struct Descent<'a> {
    shape: Shape,
    course: Course,
    first_step: f64,
    positions: &'a Dataset,
    parts: Vec<RwLock<Part>>,
    /// Gradients of the shares.
    gradients: Vec<RwLock<Vec<f32>>>,
    batch: usize,
    progress: Mutex<ProgressBar>,
}

impl<'a> Descent<'a> {
    /// Begins with random weights.
    pub(super) fn new(shape: Shape, course: Course, positions: &'a Dataset) -> Descent<'a> {
        let weights = Weights::random(shape, course.seed);
        Descent::with(weights, FIRST_STEP, shape, course, positions)
    }

    /// Begins with the weights of a net, and with smaller steps, which keep what it has learnt.
    pub(super) fn of_net(net: &NetFile, course: Course, positions: &'a Dataset) -> Descent<'a> {
        Descent::with(Weights::of(net), FIRST_STEP_OF_NET, Shape::of(net), course, positions)
    }

    fn with(
        Weights(weights): Weights,
        first_step: f64,
        shape: Shape,
        course: Course,
        positions: &'a Dataset,
    ) -> Descent<'a> {
        let rows_of_part = shape.rows().div_ceil(SHARES);
        let part = |(index, weights): (usize, &[f32])| {
            let row = |weight| index * rows_of_part + weight / shape.hidden;
            let most = (0..weights.len()).map(|weight| shape.most(row(weight))).collect();
            RwLock::new(Part::new(weights.to_vec(), most))
        };
        let parts = weights.chunks(rows_of_part * shape.hidden).enumerate().map(part).collect();
        let gradients = (0..SHARES).map(|_| RwLock::new(vec![0.0; weights.len()])).collect();
        let batch = (positions.len() / FEW_BATCHES).clamp(SMALLEST_BATCH, BATCH);
        let course = Course { threads: course.threads.clamp(1, SHARES), ..course };
        let batches = course.epochs * positions.len().div_ceil(batch) as u64;
        let progress = Mutex::new(ProgressBar::new("batches", 0, batches));
        Descent { shape, course, first_step, positions, parts, gradients, batch, progress }
    }

    /// Returns the net in integers.
    pub(super) fn rounded(&self, origin: &str) -> NetFile {
        let parts = self.read_parts();
        let weights = parts.iter().flat_map(|part| part.weights.iter().copied()).collect();
        Weights(weights).rounded(self.shape, origin)
    }

    /// Trains on all positions once, in the order of this epoch, from 1.
    pub(super) fn run_epoch(&mut self, epoch: u64) {
        let order = Permutation::new(self.positions.len(), mix(self.course.seed) ^ epoch);
        let batches = self.positions.len().div_ceil(self.batch);
        let barrier = Barrier::new(self.course.threads);
        let run = |thread: usize| {
            for batch in 0..batches {
                let places = batch * self.batch..((batch + 1) * self.batch).min(self.positions.len());
                self.find_gradients(thread, &order, places.clone());
                barrier.wait();
                let done = (epoch - 1) * batches as u64 + batch as u64;
                self.step(thread, done, batches, places.len());
                barrier.wait();
                if thread == 0 {
                    self.progress.lock().expect("no panic").show(done + 1, "");
                }
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..self.course.threads {
                let run = &run;
                scope.spawn(move || run(thread));
            }
        });
    }

    /// Returns the mean cross entropy of positions.
    pub(super) fn loss(&self, positions: &Dataset) -> f64 {
        let loss = |thread: usize| -> Vec<(usize, f64)> {
            let parts = self.read_parts();
            let rows = rows(&parts, self.shape.hidden);
            let rows = Rows { shape: self.shape, rows: &rows };
            let mut workspace = Workspace::new(self.shape.hidden);
            let mut one = |index| {
                let position = positions.get(index);
                cross_entropy(position.target, rows.expected(&position, &mut workspace))
            };
            let shares = self.shares(thread);
            shares.map(|share| (share, part_of(0..positions.len(), share).map(&mut one).sum())).collect()
        };
        let mut sums = std::thread::scope(|scope| {
            let loss = &loss;
            let threads: Vec<_> =
                (0..self.course.threads).map(|thread| scope.spawn(move || loss(thread))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
        });
        sums.sort_unstable_by_key(|&(share, _)| share);
        sums.into_iter().map(|(_, sum)| sum).sum::<f64>() / positions.len() as f64
    }

    /// Returns the shares of a thread.
    fn shares(&self, thread: usize) -> impl Iterator<Item = usize> + use<> {
        (thread..SHARES).step_by(self.course.threads)
    }

    fn read_parts(&self) -> Vec<RwLockReadGuard<'_, Part>> {
        self.parts.iter().map(|part| part.read().expect("no panic")).collect()
    }

    /// Finds the gradients of a thread's shares of a batch.
    fn find_gradients(&self, thread: usize, order: &Permutation, places: Range<usize>) {
        let parts = self.read_parts();
        let rows = rows(&parts, self.shape.hidden);
        let rows = Rows { shape: self.shape, rows: &rows };
        let mut workspace = Workspace::new(self.shape.hidden);
        for share in self.shares(thread) {
            let mut gradient = self.gradients[share].write().expect("no panic");
            gradient.fill(0.0);
            for place in part_of(places.clone(), share) {
                let position = self.positions.get(order.at(place));
                rows.descend(&position, &mut gradient, &mut workspace);
            }
        }
    }

    /// Takes a step, from 0, of a thread's parts of the weights.
    fn step(&self, thread: usize, done: u64, batches: usize, batch: usize) {
        let progress = done as f64 / (self.course.epochs * batches as u64) as f64;
        let length = LAST_STEP + (self.first_step - LAST_STEP) * falling(progress);
        let step = Step::new(done + 1, length);
        let gradients: Vec<_> = self.gradients.iter().map(|one| one.read().expect("no panic")).collect();
        let mut slopes = Vec::new();
        let size = self.shape.rows().div_ceil(SHARES) * self.shape.hidden;
        for number in self.shares(thread).filter(|&number| number < self.parts.len()) {
            let mut part = self.parts[number].write().expect("no panic");
            slopes.clear();
            slopes.resize(part.weights.len(), 0.0f32);
            for gradient in &gradients {
                let gradient = &gradient[number * size..][..slopes.len()];
                slopes.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
            }
            slopes.iter_mut().for_each(|slope| *slope /= batch as f32);
            part.step(&slopes, step);
        }
    }
}

/// Returns the rows of all parts.
fn rows<'a>(parts: &'a [RwLockReadGuard<'_, Part>], hidden: usize) -> Vec<&'a [f32]> {
    parts.iter().flat_map(|part| part.weights.chunks_exact(hidden)).collect()
}

/// Returns a share of a range.
fn part_of(range: Range<usize>, share: usize) -> Range<usize> {
    let at = |share: usize| range.start + range.len() * share / SHARES;
    at(share)..at(share + 1)
}
