//! A table of the size that its only session asks for.

use super::Table;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// The table of one session, which may ask for another size at any time.
pub struct SizedTable {
    /// MiB until the session asks for a size.
    default: usize,
    current: Mutex<Arc<Table>>,
}

impl SizedTable {
    /// A table of `default` MiB until the session asks for a size.
    ///
    /// # Errors
    /// The system does not have that much memory.
    pub fn new(default: usize) -> io::Result<SizedTable> {
        Ok(SizedTable { default, current: Mutex::new(Arc::new(Table::new(default)?)) })
    }

    /// Returns the table for a search: that of the search before, unless the session has asked for
    /// another size in MiB since. Then it is a new one, if the system has the memory.
    pub fn get(&self, mebibytes: Option<usize>) -> Arc<Table> {
        let wanted = mebibytes.unwrap_or(self.default).max(1);
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.mebibytes() != wanted {
            match Table::new(wanted) {
                Ok(table) => *current = Arc::new(table),
                Err(error) => {
                    log::error!("no table of {wanted} MiB, still {} MiB: {error}", current.mebibytes());
                }
            }
        }
        Arc::clone(&current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_lasts_until_another_size_is_wanted() {
        let sized = SizedTable::new(3).unwrap();
        let first = sized.get(None);
        assert_eq!(first.mebibytes(), 3);
        assert!(Arc::ptr_eq(&first, &sized.get(Some(3))));
        let larger = sized.get(Some(5));
        assert_eq!(larger.mebibytes(), 5);
        assert!(Arc::ptr_eq(&larger, &sized.get(Some(5))));
        assert_eq!(sized.get(Some(1)).mebibytes(), 1);
        assert_eq!(sized.get(None).mebibytes(), 3);
    }

    #[test]
    fn a_size_that_the_system_does_not_have_changes_nothing() {
        let sized = SizedTable::new(2).unwrap();
        let before = sized.get(None);
        assert!(Arc::ptr_eq(&before, &sized.get(Some(1 << 40))));
    }
}
