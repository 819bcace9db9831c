import AssetTesting
import CloudKitWire
import Logging
import NephosAssets
import NephosBackend
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// One user's database on a real engine, with a folder of files.
final class AssetCloud: Sendable {
    static let tenant = Tenant(container: "iCloud.test", environment: .development)

    let engine: any StorageEngine
    let store: any TenantStore
    private let place: TestStore
    private let folder: TemporaryFolder
    private let session: SessionRow

    init() async throws {
        place = try TestStore(.sqlite)
        folder = try TemporaryFolder()
        engine = try place.open()
        store = try engine.createContainer(of: Self.tenant)
        let enrolment = Enrolment.person(
            account: "A", newID: UserID(high: 1, low: 1), sessionID: .init(repeating: 2, count: 16),
            secret: .init(repeating: 3, count: 32), expiresAt: .max, now: 1)
        session = try #require(try await store.commit(enrolment.reading, decide: enrolment.decide))
    }

    func files(_ fuse: Fuse? = nil) throws -> DiskAssetStore {
        guard let fuse else { return try DiskAssetStore(folder: folder.path) }
        return try DiskAssetStore(folder: folder.path, calls: HookedCalls(fuse))
    }

    /// The server's background work, with a clock that is a day and an hour ahead.
    func upkeep(_ files: any AssetStore) -> AssetUpkeep {
        AssetUpkeep(
            worker: Worker(Runner(engine: engine), clock: { WallClock.now() + 25 * 3_600_000 }), files: files,
            logger: Logger(label: "test"))
    }

    private func context(after time: Milliseconds = 0) throws -> RequestContext {
        RequestContext(
            catalog: try store.read(ReadSet()).catalog, caller: .person(session), scope: .private,
            now: WallClock.now() + time)
    }

    private func home() throws -> AssetHome {
        AssetHome(try context().catalog.head)
    }

    // MARK: Client actions

    /// Uploads a file as the server receives it, and returns the value for a field, as JSON.
    func upload(_ content: [UInt8], _ files: any AssetStore, _ fuse: Fuse? = nil) async throws -> String {
        let context = try context()
        var hasher = AssetHasher(key: context.catalog.head.signingKey, database: session.privateDatabase)
        let draft = try files.create(in: try home())
        for start in stride(from: 0, to: content.count, by: 10_000) {
            let piece = Array(content[start..<min(start + 10_000, content.count)])
            hasher.update(piece)
            try draft.append(piece)
        }
        let file = AssetFile(
            home: try home(), database: session.privateDatabase, address: hasher.finalize(),
            nonce: .random(in: .min ... .max))
        try draft.publish(as: file)
        let ticket = UploadTicket(
            database: session.privateDatabase, user: session.user, admission: Admission(session: session.id),
            expiresAt: .max,
            nonce: 1)
        let operation = FinishUpload(
            ticket, context: context, address: file.address.bytes, nonce: Int64(bitPattern: file.nonce),
            size: draft.size, contentType: "")
        try fuse?.step()
        let answer = try await store.commit(operation.reading, decide: operation.decide)
        try fuse?.step()
        if answer.file.nonce != Int64(bitPattern: file.nonce) { try files.remove(file) }
        var writer = JSONWriter()
        answer.receipt.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Saves a record with this file, with a clock that is ahead by this much. - Returns: Whether it was accepted.
    @discardableResult
    func save(
        _ name: String, _ value: String, _ fuse: Fuse? = nil, after time: Milliseconds = 0
    ) async throws -> Bool {
        let json = #"""
            {"operations":[{"operationType":"forceReplace","record":{"recordName":"\#(name)","recordType":"Cat",
            "fields":{"picture":{"value":\#(value)}}}}]}
            """#
        let operation = try ModifyRecords(RecordsModifyRequest(json: Bytes(json)), context: try context(after: time)) {
            "unused"
        }
        try fuse?.step()
        let answer = try await store.commit(operation.reading, decide: operation.decide)
        try fuse?.step()
        if case .saved = answer.items[0].outcome { return true }
        return false
    }

    // MARK: Invariants

    /// Every file referenced by a record or a row exists and is intact, and the store is consistent.
    func expectAllThere(_ moment: String) throws {
        let (files, key) = (try files(), try context().catalog.head.signingKey)
        for file in try named() {
            let verdict = try files.verify(file, key: key)
            #expect(isIntact(verdict), "\(moment): \(file.address) is not as it was")
        }
        #expect(try store.check { _, _ in } == [], "\(moment)")
    }

    /// The folder contains the files referenced by rows, and nothing else.
    func expectNothingElse(_ moment: String) throws {
        var found: Set<AssetFile> = []
        let files = try files()
        try files.files(in: try home()) { found.insert($0.file) }
        #expect(found == Set(try named()), "\(moment)")
        #expect(try files.removeAbandoned(olderThan: .max) == 0, "\(moment): a draft is left")
    }

    private func isIntact(_ verdict: AssetVerdict) -> Bool { if case .intact = verdict { true } else { false } }

    private func named() throws -> [AssetFile] {
        let home = try home()
        return try store.rows(AssetRow.after(nil, limit: 1_000)).compactMap { AssetFile($0, in: home) }
    }
}
