import CloudKitWire
package import NIOHTTP1
package import NIOPosix
package import NephosAssets
package import NephosDomain
package import NephosStorage

/// Takes and sends the files of assets; everything else goes on to the responder behind it.
///
/// Who may do so is said by a ticket in the URL (``UploadTicket``, ``DownloadLink``), so that files need no headers of ours
/// and may be loaded by anything that loads URLs.
package struct AssetResponder: Responder {
    let engine: any StorageEngine
    let files: any AssetStore
    let threads: NIOThreadPool
    let limits: DomainLimits
    let outage: StorageOutage
    let memories = TenantMemories()
    let openFiles: OpenFileCount
    private let next: any Responder

    /// - Parameters:
    ///   - threads: Where this may wait for the disk and the engine.
    ///   - limits: ``DomainLimits/assetBytesMax`` is the longest file.
    ///   - outage: Told when the disk is full.
    ///   - openFilesMax: Files that are sent and taken at the same time; more are answered TRY_AGAIN_LATER.
    package init(
        engine: any StorageEngine, files: any AssetStore, threads: NIOThreadPool, limits: DomainLimits = DomainLimits(),
        outage: StorageOutage = StorageOutage(), openFilesMax: Int = .max, next: any Responder
    ) {
        self.engine = engine
        self.files = files
        self.threads = threads
        self.limits = limits
        self.outage = outage
        openFiles = OpenFileCount(most: openFilesMax)
        self.next = next
    }

    package func reception(of head: HTTPRequestHead) -> Reception {
        guard head.uri.hasPrefix(AssetPath.prefix) else { return next.reception(of: head) }
        guard head.method == .POST || head.method == .PUT, let path = AssetPath(RawRequest.path(of: head.uri)),
            path.name == AssetPath.upload
        else { return .whole }
        return .pieces(bytesMax: limits.assetBytesMax + AssetUpload.envelopeBytesMax) { begin($0, path) }
    }

    package func respond(to request: RawRequest) -> Work {
        guard request.target.hasPrefix(AssetPath.prefix) else { return next.respond(to: request) }
        guard let path = AssetPath(request.path) else {
            return .answer(AssetAnswers.refusal(.recordNotFound, request, status: 404))
        }
        guard request.method == .GET || request.method == .HEAD else {
            return .answer(AssetAnswers.methodNotAllowed(request))
        }
        return .blocking { work(request) { try self.download(request, path) } }
    }

    package func stop() async { await next.stop() }

    /// What `job` comes to, or its failure as an answer.
    func work(_ request: RawRequest, _ job: () throws -> Work) -> Work {
        do { return try job() } catch { return work(error, request) }
    }

    /// An answer to a failure, of which the operator hears if it is one of the storage.
    func work(_ error: any Error, _ request: RawRequest) -> Work {
        switch error {
        case StorageError.full, AssetError.full: outage.noteFull()
        case StorageError.unavailable(let text): outage.noteFailure(text)
        default: break
        }
        return AssetAnswers.work(error, request)
    }

    /// The tenant of a path. May wait. - Throws: ``Refusal/authenticationFailed(_:)`` where there is none.
    func open(_ tenant: Tenant) throws -> any TenantStore {
        if let store = engine.opened(tenant) { return store }
        guard let store = try engine.open(tenant) else { throw StorageError.noSuchTenant }
        return store
    }
}
