import CloudKitWire
package import NephosAssets
package import NephosDomain
package import NephosRunner
import NephosStorage

/// Takes and sends the files of assets; everything else goes on to the responder behind it.
///
/// Who may do so is said by a ticket in the URL (``UploadTicket``, ``DownloadLink``), so that files need no headers of ours
/// and may be loaded by anything that loads URLs.
package struct AssetResponder: Responder {
    let runner: Runner
    let files: any AssetStore
    let threads: any WaitingThreads
    let limits: DomainLimits
    let openFiles: OpenFileCount
    let unheld: UnheldCounts
    private let next: any Responder

    /// - Parameters:
    ///   - threads: Where this may wait for the disk and the engine.
    ///   - limits: ``DomainLimits/assetBytesMax`` is the longest file.
    ///   - unheld: What no record holds.
    ///   - openFilesMax: Files that are sent and taken at the same time; more are answered TRY_AGAIN_LATER.
    package init(
        runner: Runner, files: any AssetStore, threads: any WaitingThreads, limits: DomainLimits = DomainLimits(),
        unheld: UnheldCounts = UnheldCounts(), openFilesMax: Int = .max, next: any Responder
    ) {
        self.runner = runner
        self.files = files
        self.threads = threads
        self.limits = limits
        self.unheld = unheld
        openFiles = OpenFileCount(most: openFilesMax)
        self.next = next
    }

    package func reception(of head: RawRequest, bodyBytes: Int?) -> Reception {
        guard head.target.hasPrefix(AssetPath.prefix) else {
            return next.reception(of: head, bodyBytes: bodyBytes)
        }
        guard head.method == .post || head.method == .put, let path = AssetPath(head.path),
            path.name == AssetPath.upload
        else { return .unread { respond(to: $0) } }
        return .pieces(bytesMax: limits.assetBytesMax + AssetUpload.envelopeBytesMax) { begin($0, path) }
    }

    package func respond(to request: RawRequest) -> Work {
        guard request.target.hasPrefix(AssetPath.prefix) else { return next.respond(to: request) }
        guard let path = AssetPath(request.path) else {
            return .answer(AssetAnswers.refusal(.recordNotFound, request, status: 404))
        }
        guard request.method == .get || request.method == .head else {
            return .answer(AssetAnswers.methodNotAllowed(request))
        }
        let job: @Sendable () -> Work = { work(request) { try self.download(request, path) } }
        if isKnown(request, path) { return .blocking(job) }
        if runner.strangers.areKnownToLack(path.tenant) { return work(StorageError.noSuchTenant, request) }
        return runner.strangers.work(of: request, otherwise: work(Refusal.tooManyStrangers, request), job)
    }

    /// Whether the ticket of a request was made by its container, as far as is known without asking anybody.
    func isKnown(_ request: RawRequest, _ path: AssetPath) -> Bool {
        guard runner.engine.opened(path.tenant) != nil,
            let key = runner.memory(of: path.tenant).catalog?.head.signingKey
        else { return false }
        let text = Self.token(of: request)
        return path.name == AssetPath.upload
            ? (try? UploadTicket(text, key: key, now: request.arrivedAt)) != nil
            : (try? DownloadLink(text, key: key, now: request.arrivedAt)) != nil
    }

    /// What says who may do so.
    static func token(of request: RawRequest) -> String { RequestQuery.value(of: "t", in: request.target) ?? "" }

    package func stop() async { await next.stop() }

    /// What `job` comes to, or its failure as an answer.
    func work(_ request: RawRequest, _ job: () throws -> Work) -> Work {
        do { return try job() } catch { return work(error, request) }
    }

    /// An answer to a failure, of which the operator hears if it is one of the storage.
    func work(_ error: any Error, _ request: RawRequest) -> Work {
        AssetAnswers.work(error, request, runner)
    }
}
