//! The change from HTTP to a WebSocket (RFC 6455, section 4.2).

use data_encoding::BASE64;
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

/// Suffix of a client's key in the protocol.
const SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Bytes of a client's key, before its encoding.
const KEY_BYTES: usize = 16;

/// A request's headers about a change to a WebSocket.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Upgrade {
    /// Whether `Connection` names it.
    pub(super) is_in_connection: bool,
    /// Whether `Upgrade` names the protocol.
    pub(super) is_to_web_socket: bool,
    pub(super) has_version: bool,
    pub(super) key: Option<String>,
}

impl Upgrade {
    /// Returns the answer to the client's key; `None` if this is no change to a WebSocket.
    ///
    /// The answer shows that a server of this protocol has read the request, and is no proof of
    /// anything else, so that SHA-1 suffices.
    pub(super) fn accept(&self) -> Option<String> {
        let key = self.key.as_deref().filter(|_| self.is_in_connection && self.is_to_web_socket)?;
        let is_key = BASE64.decode(key.as_bytes()).is_ok_and(|bytes| bytes.len() == KEY_BYTES);
        let answer = digest(&SHA1_FOR_LEGACY_USE_ONLY, [key, SUFFIX].concat().as_bytes());
        (self.has_version && is_key).then(|| BASE64.encode(answer.as_ref()))
    }
}

/// Returns the response after which the connection is a WebSocket.
pub(super) fn switch(accept: &str) -> String {
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_requests_change_the_protocol() {
        let key = Some("dGhlIHNhbXBsZSBub25jZQ==".to_owned());
        let whole = Upgrade { is_in_connection: true, is_to_web_socket: true, has_version: true, key };
        // The example of the RFC.
        assert_eq!(whole.accept().as_deref(), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        for broken in [
            Upgrade { is_in_connection: false, ..whole.clone() },
            Upgrade { is_to_web_socket: false, ..whole.clone() },
            Upgrade { has_version: false, ..whole.clone() },
            Upgrade { key: None, ..whole.clone() },
            Upgrade { key: Some("dGhlIHNhbXBsZSBub25j".to_owned()), ..whole.clone() },
            Upgrade { key: Some("x\r\nEvil: 1".to_owned()), ..whole },
        ] {
            assert_eq!(broken.accept(), None, "{broken:?}");
        }
    }
}
