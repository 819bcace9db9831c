import Foundation

/// How much of the unsynced data is lost in a power failure.
enum Loss: CaseIterable {
    /// All of it: the disk had not begun to write it.
    case everything
    /// Nothing: the disk happened to be done.
    case nothing
    /// Any part: pages reach the disk in any order and independently, one of them torn.
    case some
}

/// A file as it is after a power failure.
struct FileImage {
    let bytes: [UInt8]
    /// Permissions.
    let mode: Int
}

/// The bytes of one file: those certainly on the disk, and those written since that may be there.
final class StoredFile {
    enum Change {
        /// Bytes of the log, written at an offset.
        case write(at: Int, Range<Int>)
        case size(Int)
    }

    static let pageBytes = 4096
    static let sectorBytes = 512

    private let log: DiskLog
    private var durable: [UInt8] = []
    /// In order, with the index of each in the log.
    private var pending: [(entry: Int, change: Change)] = []

    /// Who may read it: the permissions with which it was created, and which reach the disk with its name.
    let mode: Int

    init(_ log: DiskLog, mode: Int) { (self.log, self.mode) = (log, mode) }

    func apply(_ change: Change, entry: Int) { pending.append((entry, change)) }

    /// A sync has ended: changes before entry `began` are on the disk.
    func sync(began: Int) {
        let count = pending.prefix { $0.entry < began }.count
        for (_, change) in pending[..<count] { StoredFile.carryOut(change, on: &durable, log) }
        pending.removeFirst(count)
    }

    /// The contents that processes read, regardless of power failures.
    var contents: [UInt8] {
        var bytes = durable
        for (_, change) in pending { StoredFile.carryOut(change, on: &bytes, log) }
        return bytes
    }

    /// Possible contents after a power failure: of each page, any state it had since the last sync, or one torn between two of them
    /// at a sector; any size that the file had.
    func contents(after loss: Loss, using chance: inout some RandomNumberGenerator) -> [UInt8] {
        switch loss {
        case .everything: return durable
        case .nothing: return contents
        case .some: break
        }
        var sizes = [durable.count]
        for (_, change) in pending { sizes.append(change.size(after: sizes[sizes.count - 1])) }
        var bytes = durable + [UInt8](repeating: 0, count: (sizes.max() ?? 0) - durable.count)
        let torn = tornPage
        for (page, changes) in changesByPage(until: bytes.count).sorted(by: { $0.key < $1.key }) {
            let kept = Int.random(in: 0...(page == torn ? changes.count - 1 : changes.count), using: &chance)
            let range = page * StoredFile.pageBytes..<min((page + 1) * StoredFile.pageBytes, bytes.count)
            for change in changes[..<kept] { StoredFile.carryOut(change, on: &bytes, log, within: range) }
            guard page == torn else { continue }
            let sectors = Int.random(in: 0...(StoredFile.pageBytes / StoredFile.sectorBytes), using: &chance)
            let written = range.lowerBound..<min(range.lowerBound + sectors * StoredFile.sectorBytes, range.upperBound)
            StoredFile.carryOut(changes[kept], on: &bytes, log, within: written)
        }
        let size = sizes[Int.random(in: sizes.indices, using: &chance)]
        return Array(bytes.prefix(size))
    }

    /// The page being written when the power failed: the last one.
    private var tornPage: Int? {
        for (_, change) in pending.reversed() {
            if case .write(let offset, let data) = change { return (offset + data.count - 1) / StoredFile.pageBytes }
        }
        return nil
    }

    private func changesByPage(until end: Int) -> [Int: [Change]] {
        var pages: [Int: [Change]] = [:]
        for (_, change) in pending {
            let range =
                switch change {
                case .write(let offset, let data): offset..<offset + data.count
                case .size(let size): min(size, end)..<end
                }
            guard !range.isEmpty else { continue }
            for page in range.lowerBound / StoredFile.pageBytes...(range.upperBound - 1) / StoredFile.pageBytes {
                pages[page, default: []].append(change)
            }
        }
        return pages
    }

    /// Applies a whole change.
    private static func carryOut(_ change: Change, on bytes: inout [UInt8], _ log: DiskLog) {
        let size = change.size(after: bytes.count)
        if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
        if size < bytes.count { bytes.removeLast(bytes.count - size) }
        if case .write = change { carryOut(change, on: &bytes, log, within: 0..<size) }
    }

    /// Applies the effect of a change on `range`, which is within `bytes`, without changing the size.
    private static func carryOut(
        _ change: Change, on bytes: inout [UInt8], _ log: DiskLog, within range: Range<Int>
    ) {
        switch change {
        case .write(let offset, let data):
            let part = (offset..<offset + data.count).clamped(to: range)
            guard !part.isEmpty else { return }
            let source = data.lowerBound + part.lowerBound - offset
            bytes.withUnsafeMutableBytes { bytes in
                log.bytes.withUnsafeBytes { log in
                    UnsafeMutableRawBufferPointer(rebasing: bytes[part])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: log[source..<source + part.count]))
                }
            }
        case .size(let size):
            // Truncated bytes read as zeros when the file grows again.
            for index in max(size, range.lowerBound)..<max(size, range.upperBound) { bytes[index] = 0 }
        }
    }
}

extension StoredFile.Change {
    /// The file's size after this change.
    func size(after size: Int) -> Int {
        switch self {
        case .write(let offset, let data): max(size, offset + data.count)
        case .size(let size): size
        }
    }
}
