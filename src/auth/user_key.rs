//! The key pair of a named user: the private half is in a file of the user's, the public one in the
//! server's file of users.

use super::Nonce;
use super::file::{self, KeyFileError};
use super::hex::{Hex, read_hex};
use ring::signature::{Ed25519KeyPair, KeyPair};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// First word of a file with a private key.
const FILE: &str = "farboard-key";
/// The kind of key, as files name it.
pub(super) const ED25519_WORD: &str = "ed25519";
/// Length of both halves in bytes.
const KEY_LENGTH: usize = 32;
/// Length of a signature in bytes.
pub(super) const SIGNATURE_LENGTH: usize = 64;
/// Maximum length of a user's name in bytes.
const MAX_USER_NAME: usize = 64;

/// Points whose multiples are few, without the sign bit: for such a key signatures can be made
/// without a private half (a list that libraries such as libsodium refuse as well). A placeholder
/// of zeros is one of them.
const WEAK: [[u8; KEY_LENGTH]; 7] = [
    [0; KEY_LENGTH],
    ends(1, 0, 0),
    ends(0xec, 0xff, 0x7f),
    ends(0xed, 0xff, 0x7f),
    ends(0xee, 0xff, 0x7f),
    [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5,
        0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a,
        0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
];

const fn ends(first: u8, middle: u8, last: u8) -> [u8; KEY_LENGTH] {
    let mut bytes = [middle; KEY_LENGTH];
    (bytes[0], bytes[KEY_LENGTH - 1]) = (first, last);
    bytes
}

/// The error that a text is not a valid user name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is not a valid user name: use at most {MAX_USER_NAME} ASCII letters, digits and - _ . @ +, starting with a \
     letter or digit"
)]
pub struct InvalidUserName(String);

/// Checks that a text can be the name of a user.
pub(super) fn check_user_name(text: &str) -> Result<(), InvalidUserName> {
    if is_user_name(text) { Ok(()) } else { Err(InvalidUserName(text.to_owned())) }
}

/// Whether a text can be the name of a user: at most 64 letters, digits and `- _ . @ +` of ASCII, a
/// letter or digit first. Names need no quotes in log lines, files and commands.
pub(crate) fn is_user_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@+".contains(&byte);
    let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    begins && text.len() <= MAX_USER_NAME && text.bytes().all(fits)
}

/// The public half of a user's key pair; 64 hexadecimal digits in files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey([u8; KEY_LENGTH]);

impl PublicKey {
    /// Whether signatures for it could be made by everybody.
    pub(crate) fn is_weak(&self) -> bool {
        let mut bytes = self.0;
        bytes[KEY_LENGTH - 1] &= 0x7f;
        WEAK.contains(&bytes)
    }

    /// Whether the owner of the private half has signed this. Servers ask.
    #[cfg(any(test, feature = "server"))]
    pub(super) fn has_signed(&self, text: &[u8], signature: &[u8; SIGNATURE_LENGTH]) -> bool {
        use ring::signature::{ED25519, UnparsedPublicKey};
        UnparsedPublicKey::new(&ED25519, self.0).verify(text, signature).is_ok()
    }
}

impl FromStr for PublicKey {
    type Err = ();

    fn from_str(text: &str) -> Result<PublicKey, ()> {
        read_hex(text).map(PublicKey).ok_or(())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(f)
    }
}

/// Error of a user's private key.
#[derive(Debug, thiserror::Error)]
pub enum UserKeyError {
    /// The file cannot be used.
    #[error(transparent)]
    File(KeyFileError),
    /// The first line does not start a private key.
    #[error(
        "its first line is not \"{FILE} NAME {ED25519_WORD} KEY\" with {} hexadecimal digits. Create one with: \
         farboard keygen NAME FILE",
        2 * KEY_LENGTH
    )]
    NotAKey,
    /// Invalid user name.
    #[error(transparent)]
    Name(#[from] InvalidUserName),
}

/// A user's name and key pair. Its debug output does not reveal the private half.
#[derive(Clone)]
pub struct UserKey {
    name: String,
    seed: [u8; KEY_LENGTH],
    pair: Arc<Ed25519KeyPair>,
}

impl UserKey {
    /// The key pair of a user; `random` must be fresh, and is the private half.
    ///
    /// # Errors
    /// Invalid user name.
    pub fn new(name: &str, random: Nonce) -> Result<UserKey, UserKeyError> {
        let Nonce(seed) = random;
        check_user_name(name)?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| UserKeyError::NotAKey)?;
        Ok(UserKey { name: name.to_owned(), seed, pair: Arc::new(pair) })
    }

    /// The key pair in a private file.
    ///
    /// # Errors
    /// The file cannot be read or is not private, or holds no key.
    pub fn read(path: &Path) -> Result<UserKey, UserKeyError> {
        UserKey::parse(&file::read_private(path).map_err(UserKeyError::File)?)
    }

    /// The key pair on the first line of a text.
    ///
    /// # Errors
    /// The text is not a public key.
    pub fn parse(text: &[u8]) -> Result<UserKey, UserKeyError> {
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = std::str::from_utf8(line).map_err(|_| UserKeyError::NotAKey)?;
        match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            [FILE, name, ED25519_WORD, seed] => {
                UserKey::new(name, Nonce::read(seed).ok_or(UserKeyError::NotAKey)?)
            }
            _ => Err(UserKeyError::NotAKey),
        }
    }

    /// The user's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The public half.
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; KEY_LENGTH];
        bytes.copy_from_slice(self.pair.public_key().as_ref());
        PublicKey(bytes)
    }

    /// The line for the server's file of users, with its ending.
    pub fn public_line(&self) -> String {
        format!("{} {ED25519_WORD} {}\n", self.name, self.public())
    }

    /// Returns the text of the user's file, which contains the private half.
    pub fn private_text(&self) -> String {
        format!("{FILE} {} {ED25519_WORD} {}\n", self.name, Hex(&self.seed))
    }

    pub(crate) fn sign(&self, text: &[u8]) -> [u8; SIGNATURE_LENGTH] {
        let mut bytes = [0; SIGNATURE_LENGTH];
        bytes.copy_from_slice(self.pair.sign(text).as_ref());
        bytes
    }
}

impl fmt::Debug for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UserKey({})", self.name)
    }
}

impl PartialEq for UserKey {
    fn eq(&self, other: &UserKey) -> bool {
        self.name == other.name && self.public() == other.public()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> UserKey {
        UserKey::new("alice", Nonce([7; 32])).expect("a name")
    }

    #[test]
    fn files_read_back_and_the_halves_belong_together() {
        let read = UserKey::parse(key().private_text().as_bytes()).expect("a key");
        assert_eq!(read, key());
        assert_eq!(key().public_line(), format!("alice ed25519 {}\n", key().public()));
        assert_eq!(key().public().to_string().parse(), Ok(key().public()));
        let signature = read.sign(b"text");
        assert!(key().public().has_signed(b"text", &signature));
        assert!(!key().public().has_signed(b"other text", &signature));
        let other = UserKey::new("alice", Nonce([8; 32])).expect("a name").public();
        assert!(!other.has_signed(b"text", &signature));
    }

    #[test]
    fn what_is_printed_does_not_tell_the_private_half() {
        assert_eq!(format!("{:?}", key()), "UserKey(alice)");
    }

    #[test]
    fn other_texts_are_refused_with_a_way_to_make_one() {
        let digits = "0".repeat(64);
        for text in [
            "".to_owned(),
            "xboard\n".to_owned(),
            digits.clone(),
            format!("alice ed25519 {digits}"),
            format!("farboard-key alice rsa {digits}"),
            format!("farboard-key alice ed25519 {digits}0"),
            format!("farboard-key alice ed25519 {digits} more"),
            format!("\nfarboard-key alice ed25519 {digits}"),
        ] {
            let error = UserKey::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("farboard keygen"), "{text}: {error}");
        }
        assert!(UserKey::parse(b"\xff\xfe").is_err());
    }

    #[test]
    fn names_are_words() {
        for name in ["a", "alice", "Bob.2", "carol@club.example", "x+y_z-1", &"n".repeat(64)] {
            assert!(is_user_name(name), "{name}");
        }
        for name in ["", "-a", "@a", "a b", "a\n", "é", "a/b", "a=b", "\"a\"", &"n".repeat(65)] {
            assert!(!is_user_name(name), "{name}");
            assert!(UserKey::new(name, Nonce([1; 32])).is_err());
        }
    }

    #[test]
    fn keys_for_which_anybody_can_sign_are_known() {
        for digits in ["0".repeat(64), format!("{}80", "0".repeat(62)), format!("01{}", "0".repeat(62))] {
            assert!(digits.parse::<PublicKey>().expect("digits").is_weak(), "{digits}");
        }
        // The neutral element: a signature without a private half.
        let neutral: PublicKey = format!("01{}", "0".repeat(62)).parse().expect("digits");
        let mut signature = [0; SIGNATURE_LENGTH];
        signature[0] = 1;
        assert!(neutral.has_signed(b"whatever", &signature), "this is why");
        assert!(!key().public().is_weak());
    }
}
