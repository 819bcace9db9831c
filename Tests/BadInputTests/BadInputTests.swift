import Testing

/// Bad requests, row by row, one after the other because each inspects everything that the server stores.
///
/// Whatever is sent, the answer is an error of docs/protocol.md (E1, E2), never a 500; nothing is written; and no secret is in the
/// server's log, which is at its most verbose level, nor in a response (E4).
@Suite("Bad input", .targets, .serialized)
enum BadInput {}
