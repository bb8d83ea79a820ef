//! Numbers as OpenMetrics text.
//!
//! The crate `prometheus-client` knows the format; its own counters are not used, as its histograms and families take locks.

use super::{Counters, Gauges, Histogram, Label};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use std::fmt;

/// The type of the text, for HTTP.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What has numbers to tell.
pub trait Exposed: fmt::Debug + Send + Sync + 'static {
    /// Tells them.
    ///
    /// # Errors
    /// Those of the writer.
    fn expose(&self, to: &mut Exposition<'_>) -> fmt::Result;
}

/// Where numbers are written. Names have neither the unit nor `_total`, which are added.
pub struct Exposition<'a>(DescriptorEncoder<'a>);

/// Labels of a number, in order.
pub type Labels<'a> = [(&'a str, &'a str)];

#[derive(Debug)]
struct Source<E>(E);

impl<E: Exposed> Collector for Source<E> {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        self.0.expose(&mut Exposition(encoder))
    }
}

/// Writes numbers down whenever it is asked.
#[derive(Debug)]
pub struct Writer(Registry);

impl Writer {
    /// A writer of these numbers.
    pub fn new(exposed: impl Exposed) -> Writer {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Source(exposed)));
        Writer(registry)
    }

    /// The text of this moment.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to memory does not fail.
        let _ = encode(&mut text, &self.0);
        text
    }
}

impl Exposition<'_> {
    /// A count of what has happened.
    ///
    /// # Errors
    /// Those of the writer; so have all others.
    pub fn counter(&mut self, name: &str, help: &str, count: u64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        ConstCounter::new(count).encode(encoder)
    }

    /// Seconds that have gone into something.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn seconds_counter(&mut self, name: &str, help: &str, seconds: f64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Counter)?;
        ConstCounter::new(seconds).encode(encoder)
    }

    /// A count for each value of a label.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn counters<L: Label>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        counts: &Counters<L>,
    ) -> fmt::Result {
        let rows = counts.iter().map(|(value, count)| ([(label, value.word())], count.get()));
        self.counter_rows(name, help, rows)
    }

    /// Counts with labels.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn counter_rows<'r, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        rows: impl Iterator<Item = ([(&'r str, &'r str); N], u64)>,
    ) -> fmt::Result {
        let mut encoder = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, count) in rows {
            ConstCounter::new(count).encode(encoder.encode_family(&labels)?)?;
        }
        Ok(())
    }

    /// What there is now of something.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn gauge(&mut self, name: &str, help: &str, now: u64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        ConstGauge::new(now).encode(encoder)
    }

    /// Bytes that something takes now.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn bytes(&mut self, name: &str, help: &str, now: u64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, Some(&Unit::Bytes), MetricType::Gauge)?;
        ConstGauge::new(now).encode(encoder)
    }

    /// A moment, in seconds since 1970.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn time(&mut self, name: &str, help: &str, seconds: f64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Gauge)?;
        ConstGauge::new(seconds).encode(encoder)
    }

    /// What there is now for each value of a label.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn gauges<L: Label>(&mut self, name: &str, help: &str, label: &str, now: &Gauges<L>) -> fmt::Result {
        let rows = now.iter().map(|(value, now)| ([(label, value.word())], now.get()));
        self.gauge_rows(name, help, None, rows)
    }

    /// What there is now, with labels.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn gauge_rows<'r, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        unit: Option<&Unit>,
        rows: impl Iterator<Item = ([(&'r str, &'r str); N], u64)>,
    ) -> fmt::Result {
        let mut encoder = self.0.encode_descriptor(name, help, unit, MetricType::Gauge)?;
        for (labels, now) in rows {
            ConstGauge::new(now).encode(encoder.encode_family(&labels)?)?;
        }
        Ok(())
    }

    /// A histogram of seconds.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn histogram(&mut self, name: &str, help: &str, times: &Histogram) -> fmt::Result {
        let mut encoder =
            self.0.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Histogram)?;
        let read = times.read();
        encoder.encode_histogram::<NoLabelSet>(read.sum, read.count, &read.buckets, None)
    }

    /// Histograms of seconds with labels.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn histograms<'r, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        rows: impl Iterator<Item = ([(&'r str, &'r str); N], &'r Histogram)>,
    ) -> fmt::Result {
        let mut encoder =
            self.0.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Histogram)?;
        for (labels, times) in rows {
            let read = times.read();
            encoder.encode_family(&labels)?.encode_histogram::<NoLabelSet>(
                read.sum,
                read.count,
                &read.buckets,
                None,
            )?;
        }
        Ok(())
    }

    /// What does not change, as labels.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn info(&mut self, name: &str, help: &str, labels: &Labels<'_>) -> fmt::Result {
        let mut encoder = self.0.encode_descriptor(name, help, None, MetricType::Info)?;
        encoder.encode_info(&labels)
    }
}
