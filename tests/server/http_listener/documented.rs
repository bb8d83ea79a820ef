//! `docs/metrics.md` lists exactly the metrics that a server exports.

use super::Observed;
use std::collections::{BTreeMap, BTreeSet};

const DOCUMENT: &str = include_str!("../../../docs/metrics.md");

/// Labels of a metric with their values; `None` if these are not known in advance.
type Labels = BTreeMap<String, Option<BTreeSet<String>>>;

/// A metric: its type and its labels.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Family {
    kind: String,
    labels: Labels,
}

/// The metrics of the document's tables.
fn documented() -> BTreeMap<String, Family> {
    let rows = DOCUMENT.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let families = rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, kind, labels, meaning] = cells[..] else { panic!("four cells: {row}") };
        assert!(!meaning.is_empty(), "{name}");
        let labels = labels.split(';').map(str::trim).filter(|label| !label.is_empty()).map(|label| {
            let (name, values) =
                label.split_once(':').map_or((label, None), |(name, values)| (name, Some(values)));
            let values =
                values.map(|values| values.split(',').map(|value| value.trim().to_owned()).collect());
            (name.trim_matches('`').to_owned(), values)
        });
        let family = Family { kind: kind.to_owned(), labels: labels.collect() };
        (name.trim_end_matches('`').to_owned(), family)
    });
    families.collect()
}

/// Labels and values in `{…}` of a sample, without the buckets of a histogram.
fn labels_of(sample: &str) -> Vec<(String, String)> {
    let Some((_, rest)) = sample.split_once('{') else { return Vec::new() };
    let (inside, _) = rest.rsplit_once('}').expect("an end");
    let pairs = inside.split(',').filter_map(|pair| pair.split_once('='));
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned()));
    pairs.filter(|(name, _)| name != "le").collect()
}

/// The metrics in a scrape.
fn printed(text: &str) -> BTreeMap<String, Family> {
    let mut families = BTreeMap::new();
    let mut last = String::new();
    for line in text.lines() {
        if let Some(declared) = line.strip_prefix("# TYPE ") {
            let (name, kind) = declared.split_once(' ').expect("a type");
            last = name.to_owned();
            families.insert(last.clone(), Family { kind: kind.to_owned(), labels: Labels::new() });
        } else if !line.starts_with('#') {
            let family: &mut Family = families.get_mut(&last).expect("a type before each number");
            assert!(line.starts_with(&last), "{line} is below {last}");
            for (name, value) in labels_of(line) {
                family.labels.entry(name).or_default().get_or_insert_default().insert(value);
            }
        }
    }
    families
}

#[test]
fn the_table_lists_exactly_the_exported_metrics() {
    let text = Observed::new(|_| {}).get("/metrics").body;
    let (documented, printed) = (documented(), printed(&text));
    let names = |families: &BTreeMap<String, Family>| families.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&documented), names(&printed));
    for (name, family) in &documented {
        let found = &printed[name];
        assert_eq!(family.kind, found.kind, "{name}");
        // Metrics of hosted engines are exported only where there are any.
        if name.starts_with("farboard_engine_") {
            assert!(found.labels.is_empty(), "{name}");
            continue;
        }
        assert!(family.labels.keys().eq(found.labels.keys()), "{name}: {:?}", found.labels);
        for (label, values) in &family.labels {
            assert!(
                values.is_none() || *values == found.labels[label],
                "{name}, {label}: {:?}",
                found.labels
            );
        }
    }
    let helps = text.lines().filter(|line| line.starts_with("# HELP ")).count();
    assert_eq!(helps, printed.len(), "each number is explained");
}
