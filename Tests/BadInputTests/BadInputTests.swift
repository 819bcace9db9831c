import Testing

/// Bad requests, row by row, one after the other since each looks at everything the server holds.
///
/// Whatever is sent, the answer is an error of docs/protocol.md (E1, E2), never a 500; nothing is written; and no secret
/// is in the server's log, which is at its loudest, nor in an answer (E4).
@Suite("Bad input", .targets, .serialized)
enum BadInput {}
