//! The differences between two versions of a text: edits of the form `KEEP DELETE INSERT`, each on
//! a line and followed by the inserted bytes. The rest after the last edit is kept.

use super::LinkError;
use std::collections::HashSet;
use std::fmt::Write;

/// An edit; positions are bytes of the old text.
struct Edit<'a> {
    at: usize,
    delete: usize,
    insert: &'a str,
}

/// Returns the edits that turn `old` into `new`, found line by line: lines with the same first word
/// count as versions of the same line.
pub fn edits(old: &str, new: &str) -> String {
    let mut written = String::new();
    let mut kept_until = 0;
    let differences = differences(old, new);
    // Adjacent edits are merged.
    for edit in differences.chunk_by(|before, next| before.at + before.delete == next.at) {
        let [Edit { at, .. }, ..] = edit else { continue };
        let delete: usize = edit.iter().map(|edit| edit.delete).sum();
        let insert: usize = edit.iter().map(|edit| edit.insert.len()).sum();
        // Writing to a string cannot fail.
        let _ = writeln!(written, "{} {delete} {insert}", at - kept_until);
        edit.iter().for_each(|edit| written.push_str(edit.insert));
        kept_until = at + delete;
    }
    written
}

/// Returns a text after edits.
///
/// # Errors
/// They were not made for this text, or it would become longer than `most` bytes.
pub fn apply(text: &str, edits: &str, most: usize) -> Result<String, LinkError> {
    let mut made = String::with_capacity(text.len() + edits.len());
    let (mut kept, mut rest) = (text, edits);
    while !rest.is_empty() {
        let (header, after) = rest.split_once('\n').ok_or(LinkError::Content)?;
        let mut lengths = header.split(' ').map(str::parse::<usize>);
        let (Some(Ok(keep)), Some(Ok(delete)), Some(Ok(insert)), None) =
            (lengths.next(), lengths.next(), lengths.next(), lengths.next())
        else {
            return Err(LinkError::Content);
        };
        let (before, edited) = kept.split_at_checked(keep).ok_or(LinkError::Content)?;
        let (_, behind) = edited.split_at_checked(delete).ok_or(LinkError::Content)?;
        let (inserted, next) = after.split_at_checked(insert).ok_or(LinkError::Content)?;
        made.push_str(before);
        made.push_str(inserted);
        (kept, rest) = (behind, next);
        if made.len() > most {
            return Err(LinkError::TooLong);
        }
    }
    made.push_str(kept);
    if made.len() > most { Err(LinkError::TooLong) } else { Ok(made) }
}

fn differences<'a>(old: &str, new: &'a str) -> Vec<Edit<'a>> {
    let (mut at, end) = same_lines(old, new);
    let (old, new) = (&old[at..old.len() - end], &new[at..new.len() - end]);
    let keys: HashSet<&str> = new.split_inclusive('\n').map(key).collect();
    let mut coming = new.split_inclusive('\n').peekable();
    let mut found = Vec::new();
    let mut written = 0;
    for line in old.split_inclusive('\n') {
        if !keys.contains(key(line)) {
            found.push(Edit { at, delete: line.len(), insert: "" });
            at += line.len();
            continue;
        }
        // New lines stand before the one that both have. If the order has changed, the rest is
        // written anew.
        let start = written;
        while let Some(next) = coming.next_if(|next| key(next) != key(line)) {
            written += next.len();
        }
        if written > start {
            found.push(Edit { at, delete: 0, insert: &new[start..written] });
        }
        match coming.next() {
            Some(next) => {
                found.extend(changed(at, line, next));
                written += next.len();
            }
            None => found.push(Edit { at, delete: line.len(), insert: "" }),
        }
        at += line.len();
    }
    if written < new.len() {
        found.push(Edit { at, delete: 0, insert: &new[written..] });
    }
    found
}

/// Returns the lengths of the lines with which both texts begin and end: most states differ in few
/// lines.
fn same_lines(old: &str, new: &str) -> (usize, usize) {
    let same = |(a, b): &(u8, u8)| a == b;
    let start = old.bytes().zip(new.bytes()).take_while(same).count();
    let start = old.as_bytes()[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let (old, new) = (&old.as_bytes()[start..], &new.as_bytes()[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let same = &old[old.len() - end..];
    (start, same.iter().position(|&byte| byte == b'\n').map_or(0, |at| same.len() - at - 1))
}

/// Returns the edit of a line at this position, without the bytes with which both versions begin
/// and end.
fn changed<'a>(at: usize, old: &str, new: &'a str) -> Option<Edit<'a>> {
    if old == new {
        return None;
    }
    let same = |(a, b): &(u8, u8)| a == b;
    let mut start = old.bytes().zip(new.bytes()).take_while(same).count();
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
        start -= 1;
    }
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let mut end = old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(same).count();
    while !(old_rest.is_char_boundary(old_rest.len() - end)
        && new_rest.is_char_boundary(new_rest.len() - end))
    {
        end -= 1;
    }
    Some(Edit { at: at + start, delete: old_rest.len() - end, insert: &new_rest[..new_rest.len() - end] })
}

/// Returns the first word of a line.
fn key(line: &str) -> &str {
    line.split([' ', '\n']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn applied(old: &str, edits: &str) -> Result<String, LinkError> {
        apply(old, edits, 10_000)
    }

    #[test]
    fn a_move_costs_its_bytes_and_little_more() {
        let old = "farboard session 1\nprotocol xboard\ngame.moves e2e4 e7e5\nclocks.left 59120\n";
        let new = "farboard session 1\nprotocol xboard\ngame.moves e2e4 e7e5 g1f3\nclocks.left 59001\n";
        assert_eq!(edits(old, new), "55 0 5\n g1f315 3 3\n001");
        assert_eq!(applied(old, &edits(old, new)).as_deref(), Ok(new));
        assert_eq!(edits(new, new), "");
    }

    #[test]
    fn edits_for_another_text_are_refused() {
        for wrong in [
            "5 0 0\n",
            "0 5 0\n",
            "0 0 5\nab",
            "0 0\n",
            "a 0 0\n",
            "0 0 0 0\n",
            "0 0 0",
            "1 0 0\n",
            "0 1 0\n",
        ] {
            assert_eq!(apply("ü", wrong, 100), Err(LinkError::Content), "{wrong:?}");
        }
        assert_eq!(apply("1234", "0 0 4\n5678", 7), Err(LinkError::TooLong));
    }

    proptest! {
        #[test]
        fn edits_turn_any_text_into_any_other(
            old in "([ab]( [xyü]{0,3}){0,2}\n){0,8}[ab]?",
            new in "([abc]( [xyü]{0,3}){0,2}\n){0,8}[c]?",
        ) {
            prop_assert_eq!(applied(&old, &edits(&old, &new)), Ok(new));
        }

        #[test]
        fn no_edits_panic(old in "[a ü\n]{0,12}", edits in "([0-9]{1,3} ?){0,4}\n?[a ü\n]{0,6}") {
            let _ = applied(&old, &edits);
        }
    }
}
