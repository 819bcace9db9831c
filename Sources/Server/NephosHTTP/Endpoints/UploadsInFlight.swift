import NephosDomain
import NephosStorage
import Synchronization

/// Counts what this server is taking of files, so that many uploads at a time do not pass a limit together which each of them
/// keeps. Other servers on the same database see a file when it has come whole.
final class UploadsInFlight: Sendable {
    private let bytes = Mutex<[Tenant: UnheldFiles]>([:])

    func coming(to tenant: Tenant) -> UnheldFiles { bytes.withLock { $0[tenant] } ?? UnheldFiles() }

    /// Counts an upload in, until what this gives is let go of.
    ///
    /// - Parameter check: Told what is coming without it; throws where there is no room for it.
    func take(
        _ count: Int64, to tenant: Tenant, by uploader: Int64, check: (UnheldFiles) throws(Refusal) -> Void
    ) throws(Refusal) -> Upload {
        try bytes.withLock { bytes throws(Refusal) in
            var files = bytes[tenant] ?? UnheldFiles()
            try check(files)
            files.byUploader[uploader, default: 0] += count
            bytes[tenant] = files
        }
        return Upload(self, tenant, uploader, count)
    }

    private func giveBack(_ count: Int64, of tenant: Tenant, by uploader: Int64) {
        bytes.withLock { bytes in
            guard var files = bytes[tenant] else { return }
            let left = (files.byUploader[uploader] ?? 0) - count
            files.byUploader[uploader] = left > 0 ? left : nil
            bytes[tenant] = files.byUploader.isEmpty ? nil : files
        }
    }

    /// The place of one upload.
    final class Upload: Sendable {
        private let all: UploadsInFlight
        private let tenant: Tenant
        private let uploader: Int64
        private let count: Int64

        fileprivate init(_ all: UploadsInFlight, _ tenant: Tenant, _ uploader: Int64, _ count: Int64) {
            (self.all, self.tenant, self.uploader, self.count) = (all, tenant, uploader, count)
        }

        deinit { all.giveBack(count, of: tenant, by: uploader) }
    }
}
