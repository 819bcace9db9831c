/// Requested rows of described tables.
public struct RequestedRows: Sendable {
    var scans: [any AnyScan] = []

    /// Creates a request for no rows.
    public init() {}

    /// Requests the rows of a scan.
    public mutating func ask(_ scan: Scan<some StoredRow>) { scans.append(scan) }

    /// Adds everything that another value requests.
    public mutating func append(_ other: RequestedRows) { scans += other.scans }
}

/// Rows of described tables that scans found. A part of a ``Reading`` for code that needs no more of it: it is one pointer,
/// and cheap to pass on.
public struct FoundRows: Sendable {
    var answers: [any AnyScanAnswer] = []

    /// The rows that a scan found. The scan must have been requested.
    public subscript<Row: StoredRow>(_ scan: Scan<Row>) -> [Row] {
        // Without the values, which may be secrets.
        guard let rows = rows(of: scan) else {
            preconditionFailure("\(Row.table.name): the read set does not contain \(scan.shape)")
        }
        return rows
    }

    /// nil if the scan was not requested.
    public func rows<Row: StoredRow>(of scan: Scan<Row>) -> [Row]? {
        for answer in answers where answer.hash == scan.hash {
            guard ObjectIdentifier(type(of: answer)) == ObjectIdentifier(ScanAnswer<Row>.self) else { continue }
            let answer = unsafeDowncast(answer, to: ScanAnswer<Row>.self)
            if answer.scan == scan { return answer.rows }
        }
        return nil
    }

    mutating func put<Row: StoredRow>(_ rows: [Row], of scan: Scan<Row>) {
        answers.removeAll { $0.hash == scan.hash && ($0 as? ScanAnswer<Row>)?.scan == scan }
        answers.append(ScanAnswer(scan, rows))
    }

    fileprivate func has(_ scan: some AnyScan) -> Bool { rows(of: scan.scan) != nil }
}

/// The result of a scan. A class, since checking the class of an object is cheap.
final class ScanAnswer<Row: StoredRow>: AnyScanAnswer {
    let scan: Scan<Row>
    let rows: [Row]

    init(_ scan: Scan<Row>, _ rows: [Row]) { (self.scan, self.rows) = (scan, rows) }

    var hash: Int { scan.hash }

    func opened(by keys: SecretKeys) throws(StorageError) -> any AnyScanAnswer {
        guard Row.table.hasSecrets else { return self }
        var rows = rows
        for index in rows.indices { try rows[index].open(by: keys) }
        return ScanAnswer(scan, rows)
    }
}

/// The result of a scan of any table.
protocol AnyScanAnswer: AnyObject, Sendable {
    /// The hash of the scan: a reading may have hundreds of results.
    var hash: Int { get }
    /// The same result with the secrets of its rows opened.
    func opened(by keys: SecretKeys) throws(StorageError) -> any AnyScanAnswer
}

extension ReadSet {
    /// Requests rows. A commit locks them in the order of the requests: parents before what belongs to them.
    public mutating func ask(_ scan: Scan<some StoredRow>) { scans.append(scan) }
}

extension Reading {
    /// The rows that a scan found. The read set must have requested it.
    public subscript<Row: StoredRow>(_ scan: Scan<Row>) -> [Row] {
        get { found[scan] }
        set { found.put(newValue, of: scan) }
    }

    /// nil if the read set did not request the scan.
    public func rows<Row: StoredRow>(of scan: Scan<Row>) -> [Row]? { found.rows(of: scan) }

    /// The scans of `rows` that were not requested yet; nil if all were read.
    public func unread(of rows: RequestedRows) -> ReadSet? {
        // Usually nothing was read.
        let scans = found.answers.isEmpty ? rows.scans : rows.scans.filter { !found.has($0) }
        guard !scans.isEmpty else { return nil }
        var more = ReadSet()
        more.scans = scans
        return more
    }

    /// The scans of a read set that were not requested yet; nil if all were read.
    public func unread(of set: ReadSet) -> ReadSet? {
        var rows = RequestedRows()
        rows.scans = set.scans
        return unread(of: rows)
    }
}
