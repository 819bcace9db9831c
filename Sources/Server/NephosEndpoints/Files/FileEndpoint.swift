import CloudKitWire
package import NephosAssets
package import NephosDomain
package import NephosRunner
package import NephosStorage

/// Receives and sends the files of assets.
///
/// A ticket in the URL determines who may do so (``UploadTicket``, ``DownloadLink``), so that files need no custom headers and
/// any software that loads URLs can load them.
package struct FileEndpoint: Sendable {
    let runner: Runner
    let files: any AssetStore
    let threads: any WaitingThreads
    let limits: DomainLimits
    let openFiles: OpenFileCount
    let unreferenced: UnreferencedFileCounts
    let clock: @Sendable () -> Milliseconds
    let randomSource: RandomSource

    /// - Parameters:
    ///   - threads: For blocking calls to the disk and the engine.
    ///   - limits: ``DomainLimits/assetBytesMax`` is the maximum size of a file.
    ///   - unreferenced: Counts of files that no record references.
    ///   - openFilesMax: The maximum number of concurrent transfers; more are answered with TRY_AGAIN_LATER.
    package init(
        runner: Runner, files: any AssetStore, threads: any WaitingThreads, limits: DomainLimits = DomainLimits(),
        unreferenced: UnreferencedFileCounts = UnreferencedFileCounts(), openFilesMax: Int = .max,
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now, randomSource: RandomSource = .system
    ) {
        self.runner = runner
        self.files = files
        self.threads = threads
        self.limits = limits
        self.unreferenced = unreferenced
        self.clock = clock
        self.randomSource = randomSource
        openFiles = OpenFileCount(most: openFilesMax)
    }

    static let label = "asset"

    package var endpoint: Endpoint {
        var admission = EndpointCredential(isIssuedHere: isIssuedHere) {
            $0.brings ? UploadTicket.unknown : DownloadLink.unknown
        }
        admission.refusal = refusal(of:)
        admission.status = { if case .limitExceeded = $0 { 413 } else { nil } }
        admission.alwaysWaits = true
        var endpoint = Endpoint(
            "", at: .files, methods: [.get, .head], label: Self.label, admitting: admission, answer: download)
        endpoint.methodReason = (
            "GET, HEAD, POST, PUT, OPTIONS", "a downloadURL accepts GET and HEAD, an upload URL POST and PUT"
        )
        endpoint.pieces = StreamedBody(
            bytesMax: limits.assetBytesMax + AssetUpload.envelopeBytesMax,
            isUsed: { $0.brings && $0.isNamedUpload }, take: take)
        return endpoint
    }

    private func isIssuedHere(_ call: Call, _ key: [UInt8]) -> Bool {
        call.isNamedUpload
            ? (try? UploadTicket(call.ticket, key: key, now: call.request.arrivedAt)) != nil
            : (try? DownloadLink(call.ticket, key: key, now: call.request.arrivedAt)) != nil
    }

    /// Errors that only files have.
    private func refusal(of error: any Error) -> Refusal? {
        switch error {
        case AssetError.full:
            runner.outage.noteFull()
            return .full
        case let error as MultipartReader.Problem:
            return .badRequest("the form with the file cannot be read: \(error.reason)")
        default: return nil
        }
    }
}

extension Call {
    /// The ticket or link in the URL.
    var ticket: String { RequestQuery.value(of: "t", in: request.target) ?? "" }
    /// The name of a file, as sent.
    var fileName: Substring { path.values.first ?? "" }

    fileprivate var isNamedUpload: Bool { fileName.utf8.elementsEqual(FilePath.upload.utf8) }
    fileprivate var brings: Bool { request.method == .post || request.method == .put }
}

extension MultipartReader.Problem {
    fileprivate var reason: String {
        switch self {
        case .noBoundary: "its Content-Type has no boundary"
        case .notMultipart: "it does not begin with its boundary"
        case .malformedPart: "its first part is not valid"
        case .headersTooLarge(let bytes): "the headers of its first part are longer than \(bytes) bytes"
        case .endedEarly: "it ends before its first part is complete"
        }
    }
}
