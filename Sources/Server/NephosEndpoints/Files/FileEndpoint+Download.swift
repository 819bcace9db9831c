import CloudKitWire
import NephosAssets
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization

extension FileEndpoint {
    /// Sends a file, if the caller may still see the record that references it.
    func download(_ call: Call, _ store: any TenantStore) throws -> Work {
        do {
            return try open(call, store)
        } catch AssetError.missing {
            // It was swept after its row was read, and perhaps stored again.
            return try open(call, store)
        }
    }

    private func open(_ call: Call, _ store: any TenantStore) throws -> Work {
        let now = call.request.arrivedAt
        return try runner.read(from: store) { catalog in
            let link = try DownloadLink(call.ticket, key: catalog.head.signingKey, now: now)
            let operation = OpenDownload(link, catalog: catalog, now: now)
            return (operation.reading, (link, operation))
        } answer: { reading, asked in
            let (link, operation) = asked
            let home = AssetHome(reading.catalog.head)
            return try send(try operation.answer(reading), in: home, link, store, call)
        }
    }

    private func send(
        _ row: AssetRow, in home: AssetHome, _ link: DownloadLink, _ store: any TenantStore, _ call: Call
    ) throws -> Work {
        let request = call.request
        guard let file = AssetFile(row, in: home) else {
            throw StorageError.corrupt("assets: an address is not valid")
        }
        let tag = "\"\(file.address.description.prefix(32))\""
        var answer = FileAnswer(
            // A file with equal content that somebody uploaded before gave it its type, which may be in a hidden record.
            contentType: MediaType.answered(link.member == nil ? row.contentType : "", name: call.fileName),
            headers: Self.headers(tag: tag, seconds: (link.expiresAt - request.arrivedAt) / 1_000),
            source: NothingToSend(), length: row.size, endpoint: Self.label)
        switch FileConditions(method: request.method, headers: request.headers).verdict(tag: tag, size: row.size) {
        case .whole: break
        case .part(let range):
            answer.status = 206
            answer.headers.append(("Content-Range", range.contentRange(of: row.size)))
            (answer.offset, answer.length) = (range.first, range.length)
        case .notModified: answer.status = 304
        case .preconditionFailed:
            return .answer(
                Answers.refusal(.badRequest("this is not the file that If-Match names"), call, status: 412))
        case .unsatisfiable:
            var refusal = Answers.refusal(
                .badRequest("the file has \(row.size) bytes, none of them in the requested Range"), call,
                status: 416)
            refusal.headers.append(("Content-Range", ByteRange.unsatisfiedContentRange(of: row.size)))
            return .answer(refusal)
        }
        if answer.status != 304, request.method != .head {
            let source = FileSource(
                slot: try openFiles.take(), content: try files.open(file), link: link, store: store, clock: clock,
                range: answer.offset..<answer.offset + answer.length)
            if answer.length <= Int64(FileAnswer.wholeBytesMax) {
                let (offset, length) = (answer.offset, Int(answer.length))
                answer.whole = try Array(unsafeUninitializedCapacity: length) { memory, count in
                    try source.fill(
                        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[..<length]),
                        at: offset)
                    count = length
                }
            } else {
                answer.source = source
            }
        }
        return .file(answer)
    }

    /// The content was uploaded by a user: no browser may treat it as a page of this server, whatever its type.
    private static func headers(tag: String, seconds: Int64) -> [(name: String, value: String)] {
        [
            ("ETag", tag), ("Accept-Ranges", "bytes"), ("Cache-Control", "private, max-age=\(max(seconds, 0))"),
            ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "default-src 'none'; sandbox"),
            ("Cross-Origin-Resource-Policy", "cross-origin"),
        ]
    }
}

private final class FileSource: AnswerSource {
    /// How long a proof that the link is valid suffices.
    private static let proofLifetime = 1_000 as Milliseconds

    let slot: OpenFileSlot
    let content: any AssetContent
    let link: DownloadLink
    let store: any TenantStore
    let clock: @Sendable () -> Milliseconds
    /// The part that is sent.
    let range: Range<Int64>
    private let provedAt: Mutex<Milliseconds>

    /// Of a link that was checked just now.
    init(
        slot: OpenFileSlot, content: any AssetContent, link: DownloadLink, store: any TenantStore,
        clock: @escaping @Sendable () -> Milliseconds, range: Range<Int64>
    ) {
        (self.slot, self.content, self.link, self.store) = (slot, content, link, store)
        (self.clock, self.range) = (clock, range)
        provedAt = Mutex(clock())
    }

    /// - Throws: ``FileAnswer/RightEnded`` if the link is not valid any more. That is checked before the last piece, and
    ///   about once a second for a record of somebody else, who may take it back.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let (isFirst, isLast) = (offset == range.lowerBound, offset + Int64(buffer.count) >= range.upperBound)
        let now = clock()
        let isOld = link.member != nil && provedAt.withLock { now - $0 >= Self.proofLifetime }
        if isOld || isLast && !isFirst {
            let reading = try store.read(link.reading)
            do throws(Refusal) { try link.check(reading, now: now) } catch { throw FileAnswer.RightEnded() }
            provedAt.withLock { $0 = now }
        }
        return try content.read(at: offset, into: buffer)
    }
}

/// Used when only the head of a response is sent.
private struct NothingToSend: AnswerSource {
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
}
