import CSQLite
import CloudKitWire
import NephosStorage

/// Binds the parameters of a statement, from left to right.
protocol Binding: ~Copyable {
    var handle: OpaquePointer { get }
    /// The number of the last parameter that was bound.
    var parameter: Int32 { get set }
    /// The first failure; `SQLITE_OK` without one.
    var bindFailure: Int32 { get set }
}

/// SQLite copies bound values, so that nothing must outlive the call.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Binding where Self: ~Copyable {
    mutating func bind(_ number: Int64) {
        parameter += 1
        note(sqlite3_bind_int64(handle, parameter, number))
    }

    mutating func bind(_ number: Int64?) {
        if let number { bind(number) } else { bindNull() }
    }

    mutating func bindNull() {
        parameter += 1
        note(sqlite3_bind_null(handle, parameter))
    }

    mutating func bind(text: Bytes) {
        parameter += 1
        let code = text.withUnsafeBufferPointer { bytes in
            // Without an address SQLite would bind NULL.
            guard let base = bytes.baseAddress else { return sqlite3_bind_text(handle, parameter, "", 0, copied) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(handle, parameter, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
            }
        }
        note(code)
    }

    mutating func bind(text: Bytes?) {
        if let text { bind(text: text) } else { bindNull() }
    }

    mutating func bind(_ name: Name) { bind(text: name.bytes) }

    mutating func bind(_ text: String) {
        parameter += 1
        var text = text
        let code = text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return sqlite3_bind_text(handle, parameter, "", 0, copied) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(handle, parameter, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
            }
        }
        note(code)
    }

    mutating func bind(blob: [UInt8]) { bind(blob: blob[...]) }

    mutating func bind(blob: [UInt8]?) {
        if let blob { bind(blob: blob[...]) } else { bindNull() }
    }

    mutating func bind(blob: Bytes) {
        parameter += 1
        let code = blob.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return sqlite3_bind_zeroblob(handle, parameter, 0) }
            return sqlite3_bind_blob64(handle, parameter, base, UInt64(bytes.count), copied)
        }
        note(code)
    }

    /// 16 bytes, the high word first.
    mutating func bind(_ user: UserID) {
        parameter += 1
        let words = (user.high.bigEndian, user.low.bigEndian)
        note(withUnsafeBytes(of: words) { sqlite3_bind_blob64(handle, parameter, $0.baseAddress, 16, copied) })
    }

    mutating func bind(_ user: UserID?) {
        if let user { bind(user) } else { bindNull() }
    }

    mutating func note(_ code: Int32) {
        if code != SQLITE_OK, bindFailure == SQLITE_OK { bindFailure = code }
    }
}
