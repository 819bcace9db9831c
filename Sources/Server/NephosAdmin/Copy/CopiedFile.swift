import NephosAssets
import NephosRunner
import NephosStorage

/// A folder of files, and its name for people.
struct FileLocation: Sendable {
    let files: any AssetStore
    let name: String
}

/// One file that records hold, on its way into the files of another store or a backup. It has the same name there.
struct CopiedFile {
    enum Outcome { case copied, wasThere, missing }

    private let file: AssetFile
    private let row: AssetRow
    private let head: CatalogHead

    /// - Throws: ``StorageError/corrupt(_:)`` for an address that is none.
    init(_ row: AssetRow, of head: CatalogHead) throws {
        guard let file = AssetFile(row, in: AssetHome(head)) else {
            throw StorageError.corrupt("the address of a file of \(head.tenant) is not valid")
        }
        (self.file, self.row, self.head) = (file, row, head)
    }

    /// Files of one page.
    private static let page = 200

    /// Passes all files of a tenant, with their rows, in the order of their keys.
    static func all(of store: any TenantStore, _ body: (CopiedFile, AssetRow) throws -> Void) throws {
        let head = try store.read(ReadSet()).catalog.head
        var last: AssetKey?
        repeat {
            let rows = try store.rows(AssetRow.after(last, limit: page))
            for row in rows { try body(try CopiedFile(row, of: head), row) }
            last = rows.count == page ? rows.last?.key : nil
        } while last != nil
    }

    /// Copies it, unless it is there. A file gets its name when all of it is on the disk.
    func copy(from source: FileLocation, to target: FileLocation) throws -> Outcome {
        if try isThere(target) { return .wasThere }
        let content: any AssetContent
        do throws(AssetError) { content = try source.files.open(file) } catch {
            if error == .missing { return .missing }
            throw failure("cannot be read in \(source.name)", error)
        }
        do throws(AssetError) {
            let draft = try target.files.create(in: file.home)
            try Self.write(content, into: draft)
            try draft.publish(as: file)
        } catch {
            throw failure("cannot be copied to \(target.name)", error)
        }
        return .copied
    }

    private func isThere(_ location: FileLocation) throws -> Bool {
        do throws(AssetError) {
            _ = try location.files.open(file)
            return true
        } catch {
            guard error == .missing else { throw failure("cannot be read in \(location.name)", error) }
            return false
        }
    }

    /// Bytes that are read at once.
    private static let pieceBytes = 256 << 10

    private static func write(_ content: any AssetContent, into draft: any AssetDraft) throws(AssetError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try content.read(at: offset, into: piece)
            guard count > 0 else { return }
            try draft.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            offset += Int64(count)
        }
    }

    /// The same of a copy. One that is not whole is removed, so that it is copied once more when the source has been mended.
    func expectWhole(in target: FileLocation, copiedFrom source: FileLocation) throws {
        if try isWhole(in: target) { return }
        do throws(AssetError) { try target.files.remove(file) } catch {
            throw failure("cannot be removed from \(target.name)", error)
        }
        try expectWhole(in: source)
        throw Failure(
            """
            File \(file.address) of database \(file.database) of \(head.tenant) was different in \(target.name), and was removed there. \
            Run this again to copy it once more.
            """)
    }

    /// Reads it again, and compares it with its size and its address.
    func expectWhole(in location: FileLocation) throws {
        guard try !isWhole(in: location) else { return }
        throw Failure(
            """
            File \(file.address) of database \(file.database) of \(head.tenant) is damaged or missing in \(location.name). Run nephos check \
            on that store, restore a backup of its files, and run this again.
            """)
    }

    private func isWhole(in location: FileLocation) throws -> Bool {
        let verdict: AssetVerdict
        do throws(AssetError) { verdict = try location.files.verify(file, key: head.addressKey) } catch {
            throw failure("cannot be read in \(location.name)", error)
        }
        switch verdict {
        case .intact(row.size): return true
        // The key that its address was made with is lost: only its size can be compared.
        case .altered(row.size) where row.createdAt < head.filesSince: return true
        case .intact, .altered, .missing: return false
        }
    }

    private func failure(_ what: String, _ error: AssetError) -> Failure {
        Failure("File \(file.address) of database \(file.database) of \(head.tenant) \(what): \(error)")
    }
}
