import NephosDomain
import NephosStorage
import Synchronization

/// How much lies in each tenant's store that no record holds, with what this server is taking, so that many uploads at a time
/// do not pass a limit together which each of them keeps. There is one for all that a server answers. Other servers on the same
/// database see a file when it has come whole.
///
/// The files are added up row by row, and deletions can let go of a million. So a sum is believed for some time, the longer the
/// more rows it took, and what was taken here since is added to it.
package final class UnheldCounts: Sendable {
    /// For so long a sum is believed for each file in it: about twenty times as long as it took to count that one.
    private static let belief = Duration.microseconds(20)

    private let tenants = Mutex<[Tenant: OfTenant]>([:])

    package init() {}

    /// - Returns: What is there; nil where it must be added up first (``sum(of:in:)``).
    func believed(_ tenant: Tenant) -> UnheldFiles? {
        of(tenant).state.withLock { state in state.believedUntil > .now ? state.all : nil }
    }

    /// What is there, which is added up unless that was done just now. May wait. Of many who ask at the same time one adds.
    func sum(of tenant: Tenant, in store: any TenantStore) throws(StorageError) -> UnheldFiles {
        let known = of(tenant)
        return try known.adding.withLock { _ throws(StorageError) in
            if let files = believed(tenant) { return files }
            known.state.withLock { state in
                state.landed += state.landedSince
                state.landedSince = UnheldFiles()
            }
            var set = ReadSet()
            set.unheldFiles = true
            let sum = try store.read(set).unheldFiles
            return known.state.withLock { state in
                state.stored = sum
                state.landed = UnheldFiles()
                state.believedUntil = .now + Self.belief * sum.count
                return state.all
            }
        }
    }

    /// Counts an upload in, until what this gives is ended or let go of.
    ///
    /// - Parameters:
    ///   - bytes: How many it may have.
    ///   - check: Told what is there and what is coming without it; throws where there is no room for it.
    func take(
        _ bytes: Int64, to tenant: Tenant, by uploader: Int64,
        check: (_ stored: UnheldFiles, _ coming: UnheldFiles) throws(Refusal) -> Void
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
            /// As it was added up last.
            var stored = UnheldFiles()
            var believedUntil = ContinuousClock.now
            /// What came since, and what came while it is being added up, which may be in the new sum or not.
            var landed = UnheldFiles()
            var landedSince = UnheldFiles()
            var coming = UnheldFiles()

            var all: UnheldFiles { stored + landed + landedSince }
        }

        let state = Mutex(State())
        /// Held by who adds up.
        let adding = Mutex(())

        func end(_ bytes: Int64, by uploader: Int64, isStored: Bool) {
            state.withLock { state in
                let left = (state.coming.byUploader[uploader] ?? 0) - bytes
                state.coming.byUploader[uploader] = left > 0 ? left : nil
                if isStored { state.landedSince.byUploader[uploader, default: 0] += bytes }
            }
        }
    }

    /// The place of one upload.
    final class Upload: Sendable {
        private let known: OfTenant
        private let uploader: Int64
        private let bytes: Int64
        private let hasEnded = Atomic(false)

        fileprivate init(_ known: OfTenant, _ uploader: Int64, _ bytes: Int64) {
            (self.known, self.uploader, self.bytes) = (known, uploader, bytes)
        }

        deinit { end(isStored: false) }

        /// The upload is over. Called before its client hears of that, who may send the next one then.
        func end(isStored: Bool) {
            guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
            known.end(bytes, by: uploader, isStored: isStored)
        }
    }
}
