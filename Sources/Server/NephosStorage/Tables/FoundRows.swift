/// Rows of described tables that somebody asks for.
public struct AskedRows: Sendable {
    var scans: [any AnyScan] = []

    /// Creates one that asks for nothing.
    public init() {}

    /// Asks for the rows of a scan.
    public mutating func ask(_ scan: Scan<some StoredRow>) { scans.append(scan) }

    /// Asks for what another asks for, too.
    public mutating func append(_ other: AskedRows) { scans += other.scans }
}

/// Rows of described tables that scans found. A part of a ``Reading`` for those who need no more of it: it is one pointer, and handed on often.
public struct FoundRows: Sendable {
    var answers: [any AnyScanAnswer] = []

    /// The rows that a scan found, which somebody asked for.
    public subscript<Row: StoredRow>(_ scan: Scan<Row>) -> [Row] {
        // Without the values: they may be secrets.
        guard let rows = rows(of: scan) else {
            preconditionFailure("\(Row.table.name): nobody asked for \(scan.shape)")
        }
        return rows
    }

    /// nil where nobody asked for it.
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

/// What a scan found. A class, since it takes little to see of which class an object is.
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

/// What a scan of whatever table found.
protocol AnyScanAnswer: AnyObject, Sendable {
    /// Of the scan: a reading may have hundreds of answers.
    var hash: Int { get }
    /// The same with the secrets of its rows opened.
    func opened(by keys: SecretKeys) throws(StorageError) -> any AnyScanAnswer
}

extension ReadSet {
    /// Asks for rows. A commit locks them in the order in which it asks: wholes before what goes with them.
    public mutating func ask(_ scan: Scan<some StoredRow>) { scans.append(scan) }
}

extension Reading {
    /// The rows that a scan found, which the read set asked for.
    public subscript<Row: StoredRow>(_ scan: Scan<Row>) -> [Row] {
        get { found[scan] }
        set { found.put(newValue, of: scan) }
    }

    /// nil where the read set did not ask for it.
    public func rows<Row: StoredRow>(of scan: Scan<Row>) -> [Row]? { found.rows(of: scan) }

    /// What of these nobody has asked for yet; nil where all was read.
    public func unread(of rows: AskedRows) -> ReadSet? {
        // Mostly nothing was.
        let scans = found.answers.isEmpty ? rows.scans : rows.scans.filter { !found.has($0) }
        guard !scans.isEmpty else { return nil }
        var more = ReadSet()
        more.scans = scans
        return more
    }

    /// What of a set's scans nobody has asked for yet; nil where all was read.
    public func unread(of set: ReadSet) -> ReadSet? {
        var rows = AskedRows()
        rows.scans = set.scans
        return unread(of: rows)
    }
}
