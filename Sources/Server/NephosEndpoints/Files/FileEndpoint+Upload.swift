import CloudKitWire
import NephosAssets
import NephosDomain
import NephosRunner
import NephosStorage

extension FileEndpoint {
    /// Receives a file in pieces: raw, or as the first part of a form.
    func take(_ reader: BodyReader, _ call: Call, _ callbacks: StreamedBody.Callbacks) {
        threads.perform { _ in
            do {
                let made = Result { try self.makeUpload(call) }
                callbacks.known()
                let upload = try made.get()
                reader.forEach(on: self.threads, consume: upload.take) { result in
                    do {
                        try result.get()
                    } catch {
                        upload.discard()
                        return callbacks.failed(error)
                    }
                    do { return try self.finish(upload, failed: callbacks.failed) } catch {
                        return callbacks.failed(error)
                    }
                }
            } catch {
                reader.answer(callbacks.failed(error))
            }
        }
    }

    private func makeUpload(_ call: Call) throws -> AssetUpload {
        let request = call.request
        let store = try runner.open(call.tenant)
        let (ticket, catalog) = try runner.read(from: store) { catalog in
            let ticket = try UploadTicket(call.ticket, key: catalog.head.signingKey, now: request.arrivedAt)
            return (ticket.reading, ticket)
        } answer: { reading, ticket in
            try ticket.check(reading, now: request.arrivedAt)
            return (ticket, reading.catalog)
        }
        // The files are not added up for a ticket that is not valid.
        _ = try unreferenced.sum(of: call.tenant, in: store)
        let home = AssetHome(catalog.head)
        let uploader = UnreferencedFileLimits.uploader(ticket.user, key: catalog.head.signingKey)
        let announced = request.headers.first(.contentLength).flatMap {
            Digits.number($0.utf8, clampedTo: .max)
        }
        let place = try unreferenced.take(
            min(max(announced ?? limits.assetBytesMax, UnreferencedFiles.bytesMin), limits.assetBytesMax),
            to: call.tenant,
            by: uploader
        ) { stored, coming throws(Refusal) in
            try limits.unreferencedFiles.check(stored, coming: coming, uploader: uploader)
        }
        let slot = try openFiles.take()
        return try AssetUpload(
            ticket, store, slot, place, uploader: uploader, draft: try files.create(in: home), home: home,
            hasher: AssetHasher(key: catalog.head.addressKey, database: ticket.database),
            contentType: request.headers.first(.contentType), bytesMax: limits.assetBytesMax)
    }

    /// The file is on disk before the database has its row. Whichever is removed first, no row names a missing file.
    private func finish(
        _ upload: AssetUpload, failed: @escaping @Sendable (any Error) -> Work
    ) throws -> Work {
        let file = AssetFile(
            home: upload.home, database: upload.ticket.database, address: try upload.end(),
            nonce: UInt64(bitPattern: UnreferencedFileLimits.nonce(upload.uploader, random: randomSource.next())))
        try upload.draft.publish(as: file)
        let context = RequestContext(
            catalog: try upload.store.read(ReadSet()).catalog, caller: .serverKey(upload.ticket.user),
            scope: upload.ticket.database == 1 ? .public : .private, now: clock())
        let operation = FinishUpload(
            upload.ticket, context: context, address: file.address.bytes, nonce: Int64(bitPattern: file.nonce),
            size: upload.draft.size, contentType: upload.contentType)
        return .later { done in
            self.runner.commit(operation.reading, to: upload.store, decide: operation.decide) { result in
                if case .success = result { upload.place.end(isStored: true) }
                switch result {
                case .success(let answer):
                    guard answer.file.nonce != Int64(bitPattern: file.nonce) else { return done(answer.work) }
                    // Equal content is already stored. No row names this file, so at worst it becomes a stray.
                    done(self.removing(file, then: answer.work))
                // Nothing was written, so no row names this file.
                case .failure(let refusal as Refusal): done(self.removing(file, then: failed(refusal)))
                // The result may be unknown, so the file stays until it is a stray.
                case .failure(let error): done(failed(error))
                }
            }
        }
    }

    private func removing(_ file: AssetFile, then work: Work) -> Work {
        .blocking {
            try files.remove(file)
            return work
        }
    }
}

extension KeepFile.Answer {
    fileprivate var work: Work {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("singleFile")
        receipt.write(to: &writer)
        writer.endObject()
        return .answer(RawResponse(body: writer.bytes, endpoint: FileEndpoint.label))
    }
}

/// A file being uploaded from a client to the disk. Used by one thread at a time.
final class AssetUpload: @unchecked Sendable {
    /// The maximum size of a form's content around its file.
    static let envelopeBytesMax: Int64 = 64 << 10

    let ticket: UploadTicket
    let home: AssetHome
    let store: any TenantStore
    let draft: any AssetDraft
    /// ``UnreferencedFileLimits/uploader(_:key:)``.
    let uploader: Int64
    private let slot: OpenFileSlot
    let place: UnreferencedFileCounts.Upload
    private var hasher: AssetHasher
    private var form: MultipartReader?
    private let header: String?
    private let bytesMax: Int64

    init(
        _ ticket: UploadTicket, _ store: any TenantStore, _ slot: OpenFileSlot, _ place: UnreferencedFileCounts.Upload,
        uploader: Int64, draft: any AssetDraft, home: AssetHome,
        hasher: AssetHasher, contentType: String?, bytesMax: Int64
    ) throws {
        self.ticket = ticket
        self.home = home
        self.store = store
        self.slot = slot
        self.place = place
        self.uploader = uploader
        self.draft = draft
        self.hasher = hasher
        header = contentType
        self.bytesMax = bytesMax
        if let contentType, contentType.lowercased().hasPrefix("multipart/") {
            form = try MultipartReader(contentType: contentType)
        }
    }

    /// Of the content, if it was specified.
    var contentType: String { MediaType.kept(form == nil ? header : form?.contentType) }

    func take(_ bytes: any RequestBytes) throws {
        try bytes.withBytes { bytes in
            guard form != nil else { return try add(bytes) }
            try form?.take(bytes) { try add($0) }
        }
    }

    private func add(_ bytes: UnsafeRawBufferPointer) throws {
        guard draft.size + Int64(bytes.count) <= bytesMax else {
            throw Refusal.limitExceeded("a file can have at most \(bytesMax) bytes")
        }
        hasher.update(bytes)
        try draft.append(bytes)
    }

    /// - Throws: ``MultipartReader/Problem`` for a form whose file is not complete.
    func end() throws -> AssetAddress {
        try form?.finish()
        return hasher.finalize()
    }

    func discard() { draft.discard() }
}
