//! Metrics as OpenMetrics text.
//!
//! Formatted by the crate `prometheus-client`, whose own counters are not used because its
//! histograms and families take locks.

use super::{Counters, Histogram, Label};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use std::fmt;

/// Content type of the text.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A source of metrics.
pub(crate) trait Exposed: fmt::Debug + Send + Sync + 'static {
    /// Writes the metrics.
    fn expose(&self, to: &mut Exposition<'_>) -> fmt::Result;
}

/// Writer of one scrape. Names come without the unit and `_total`, which are added.
pub(crate) struct Exposition<'a>(DescriptorEncoder<'a>);

/// Labels of a metric, in order.
pub(crate) type Labels<'a> = [(&'a str, &'a str)];

#[derive(Debug)]
struct Source<E>(E);

impl<E: Exposed> Collector for Source<E> {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        self.0.expose(&mut Exposition(encoder))
    }
}

/// Formats the metrics of a source on request.
#[derive(Debug)]
pub(crate) struct Writer(Registry);

impl Writer {
    /// Creates a writer of this source.
    pub(crate) fn new(exposed: impl Exposed) -> Writer {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Source(exposed)));
        Writer(registry)
    }

    /// Returns the current metrics as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to memory does not fail.
        let _ = encode(&mut text, &self.0);
        text
    }
}

impl Exposition<'_> {
    /// Writes a counter.
    pub(crate) fn counter(&mut self, name: &str, help: &str, count: u64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        ConstCounter::new(count).encode(encoder)
    }

    /// Writes a counter of seconds.
    pub(crate) fn seconds_counter(&mut self, name: &str, help: &str, seconds: f64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Counter)?;
        ConstCounter::new(seconds).encode(encoder)
    }

    /// Writes a counter for each value of a label.
    pub(crate) fn counters<L: Label>(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        counts: &Counters<L>,
    ) -> fmt::Result {
        let rows = counts.iter().map(|(value, count)| ([(label, value.word())], count.get()));
        self.counter_rows(name, help, rows)
    }

    /// Writes counters with labels.
    pub(crate) fn counter_rows<'r, const N: usize>(
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

    /// Writes a gauge.
    pub(crate) fn gauge(&mut self, name: &str, help: &str, now: u64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        ConstGauge::new(now).encode(encoder)
    }

    /// Writes a gauge in bytes.
    pub(crate) fn bytes(&mut self, name: &str, help: &str, now: u64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, Some(&Unit::Bytes), MetricType::Gauge)?;
        ConstGauge::new(now).encode(encoder)
    }

    /// Writes a time in seconds since 1970.
    pub(crate) fn time(&mut self, name: &str, help: &str, seconds: f64) -> fmt::Result {
        let encoder = self.0.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Gauge)?;
        ConstGauge::new(seconds).encode(encoder)
    }

    /// Writes gauges with labels.
    pub(crate) fn gauge_rows<'r, const N: usize>(
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

    /// Writes a histogram of seconds.
    pub(crate) fn histogram(&mut self, name: &str, help: &str, times: &Histogram) -> fmt::Result {
        let mut encoder =
            self.0.encode_descriptor(name, help, Some(&Unit::Seconds), MetricType::Histogram)?;
        let read = times.read();
        encoder.encode_histogram::<NoLabelSet>(read.sum, read.count, &read.buckets, None)
    }

    /// Writes histograms of seconds with labels.
    pub(crate) fn histograms<'r, const N: usize>(
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

    /// Writes constant labels.
    pub(crate) fn info(&mut self, name: &str, help: &str, labels: &Labels<'_>) -> fmt::Result {
        let mut encoder = self.0.encode_descriptor(name, help, None, MetricType::Info)?;
        encoder.encode_info(&labels)
    }
}
