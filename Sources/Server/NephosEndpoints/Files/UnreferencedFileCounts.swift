import NephosDomain
import NephosStorage
import Synchronization

/// Sizes of the files in each tenant's store that no record references, including running uploads of this server, so that
/// concurrent uploads together do not exceed a limit that each of them keeps. There is one for all endpoints of a server. Other
/// servers on the same database see a file when it is complete.
///
/// The files are added up row by row, and deletions can release a million. So a sum is cached, longer if it took more rows, and
/// uploads to this server since then are added to it.
package final class UnreferencedFileCounts: Sendable {
    /// How long a sum is cached per file in it: about twenty times as long as it took to count one.
    private static let belief = Duration.microseconds(20)

    private let tenants = Mutex<[Tenant: OfTenant]>([:])

    package init() {}

    /// - Returns: The cached sum; nil if it must be computed first (``sum(of:in:)``).
    func believed(_ tenant: Tenant) -> UnreferencedFiles? {
        of(tenant).state.withLock { state in state.believedUntil > .now ? state.all : nil }
    }

    /// The sum, computed unless that was done just now. May block. Of many concurrent callers one computes it.
    func sum(of tenant: Tenant, in store: any TenantStore) throws(StorageError) -> UnreferencedFiles {
        let known = of(tenant)
        return try known.adding.withLock { _ throws(StorageError) in
            if let files = believed(tenant) { return files }
            known.state.withLock { state in
                state.landed += state.landedSince
                state.landedSince = UnreferencedFiles()
            }
            var set = ReadSet()
            set.unreferencedFiles = true
            let sum = try store.read(set).unreferencedFiles
            return known.state.withLock { state in
                state.stored = sum
                state.landed = UnreferencedFiles()
                state.believedUntil = .now + Self.belief * sum.count
                return state.all
            }
        }
    }

    /// Counts an upload, until the returned value is ended or released.
    ///
    /// - Parameters:
    ///   - bytes: The maximum size of the upload.
    ///   - check: Called with the stored and running uploads, not including this one; throws if there is no room for it.
    func take(
        _ bytes: Int64, to tenant: Tenant, by uploader: Int64,
        check: (_ stored: UnreferencedFiles, _ coming: UnreferencedFiles) throws(Refusal) -> Void
    ) throws(Refusal) -> Upload {
        let known = of(tenant)
        try known.state.withLock { state throws(Refusal) in
            try check(state.all, state.coming)
            state.coming.byUploader[uploader, default: 0] += bytes
        }
        return Upload(known, uploader, bytes)
    }

    private func of(_ tenant: Tenant) -> OfTenant {
        tenants.withLock { tenants in
            if let known = tenants[tenant] { return known }
            let known = OfTenant()
            tenants[tenant] = known
            return known
        }
    }

    fileprivate final class OfTenant: Sendable {
        struct State {
            /// The last computed sum.
            var stored = UnreferencedFiles()
            var believedUntil = ContinuousClock.now
            /// Uploads completed since then, and uploads completed while a new sum is computed, which may be included in it or
            /// not.
            var landed = UnreferencedFiles()
            var landedSince = UnreferencedFiles()
            var coming = UnreferencedFiles()

            var all: UnreferencedFiles { stored + landed + landedSince }
        }

        let state = Mutex(State())
        /// Held while a sum is computed.
        let adding = Mutex(())

        func end(_ bytes: Int64, by uploader: Int64, isStored: Bool) {
            state.withLock { state in
                let left = (state.coming.byUploader[uploader] ?? 0) - bytes
                state.coming.byUploader[uploader] = left > 0 ? left : nil
                if isStored { state.landedSince.byUploader[uploader, default: 0] += bytes }
            }
        }
    }

    /// The reservation of one upload.
    final class Upload: Sendable {
        private let known: OfTenant
        private let uploader: Int64
        private let bytes: Int64
        private let hasEnded = Atomic(false)

        fileprivate init(_ known: OfTenant, _ uploader: Int64, _ bytes: Int64) {
            (self.known, self.uploader, self.bytes) = (known, uploader, bytes)
        }

        deinit { end(isStored: false) }

        /// The upload has ended. Called before its client gets the response and may start the next one.
        func end(isStored: Bool) {
            guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
            known.end(bytes, by: uploader, isStored: isStored)
        }
    }
}
