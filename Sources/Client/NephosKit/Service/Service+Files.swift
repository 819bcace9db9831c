import CloudKitWire
import Foundation
import NephosTransport

extension Service {
    /// Sends a file to a URL that `assets/upload` returned.
    ///
    /// - Returns: The value for the field.
    func upload(
        _ file: URL, to address: String, _ terms: Terms, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CKError) -> StoredAsset {
        guard let url = self.url(address) else {
            throw CKError(.internalError, "the answer cannot be read: an upload URL is not valid")
        }
        var request = TransportRequest(method: "POST", url: url)
        request.headers["Content-Type"] = "application/octet-stream"
        // The transport treats an empty file as no body, but the server needs one.
        let isEmpty = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) == 0
        request.body = isEmpty ? .bytes(Data()) : .file(file)
        request.progress = progress
        let answer = try await exchange(request, isChange: false, terms)
        return try CKError.reading { () throws(WireError) in
            var (reader, stored) = (try JSONReader(ArraySlice(answer.body)), StoredAsset?.none)
            try reader.readMembers { reader, key throws(WireError) in
                if case "singleFile" = key { stored = try StoredAsset(&reader) }
            }
            guard let stored else { throw WireError("the answer has no singleFile") }
            return stored
        }
    }

    /// Fetches a file into the folder of the person who is signed in. The file is removed if somebody signs in or out meanwhile.
    func download(
        _ stored: StoredAsset, into files: AssetFiles, _ terms: Terms,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(CKError) -> URL {
        let address = stored.downloadURL?.replacingOccurrences(of: "${f}", with: "file")
        guard let url = address.flatMap({ self.url($0) }) else {
            throw CKError(.assetNotAvailable, "the server sent no URL for the file that may be used")
        }
        guard 0...AnswerLimits.fileBytes ~= stored.size else {
            throw CKError(
                .assetNotAvailable,
                "the file has \(stored.size) bytes, but at most \(AnswerLimits.fileBytes) are fetched")
        }
        let terms = bound(terms)
        let person = try await user(terms)?.userRecordName
        let place: URL
        do {
            place = try files.place(for: person)
        } catch {
            throw CKError(.assetNotAvailable, "the folder for files cannot be created: \(error)")
        }
        var request = TransportRequest(method: "GET", url: url)
        request.sink = .file(place, limit: stored.size)
        request.progress = progress
        do throws(CKError) {
            _ = try await exchange(request, isChange: false, terms)
        } catch {
            if error.mayPass || error.code == .operationCancelled { throw error }
            throw CKError(.assetNotAvailable, error.localizedDescription)
        }
        do throws(CKError) {
            _ = try webAuthToken(terms)
        } catch {
            try? FileManager.default.removeItem(at: place)
            throw error
        }
        guard (try? place.resourceValues(forKeys: [.fileSizeKey]).fileSize).map(Int64.init) == stored.size else {
            try? FileManager.default.removeItem(at: place)
            throw CKError(.assetNotAvailable, "the file was not received completely")
        }
        return place
    }
}
