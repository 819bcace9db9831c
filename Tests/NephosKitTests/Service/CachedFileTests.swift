import Foundation
import NephosTesting
import Testing

@testable import NephosKit

/// Which user owns the fetched files in the cache (docs/client.md, "Files" and "Signing in").
@Suite struct CachedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A container with a record that has a file, on a server that identifies users by their tokens.
    private func container(
        signedInWith token: String?, whileFetching: @escaping @Sendable () -> Void = {}
    ) -> CKContainer {
        var configuration = NephosConfiguration.test
        configuration.webAuthToken = token
        configuration.cacheFolder = URL(fileURLWithPath: folder.path)
        let value = #"{"fileChecksum":"c","size":5,"downloadURL":"https://files.test/x"}"#
        let transport = ScriptedTransport { request in
            if request.path == "users/caller" {
                return .json(#"{"userRecordName":"../\#(request.parameter("ckWebAuthToken") ?? "")"}"#)
            }
            if case .file(let url, _) = request.sink {
                let isWritten = (try? Data("hello".utf8).write(to: url)) != nil
                whileFetching()
                return isWritten ? .answer(200, []) : .fault(.local)
            }
            return .json(
                #"{"records":[{"recordName":"a","recordType":"T","fields":{"f":{"value":\#(value),"type":"ASSETID"}}}]}"#
            )
        }
        return .test(transport, configuration)
    }

    private func fetch(_ container: CKContainer) async throws -> URL {
        let record = try await container.publicCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
        return try #require((record["f"] as? CKAsset)?.fileURL)
    }

    /// The contents of the folder of files, at any depth.
    private var kept: Set<String> {
        let all = FileManager.default.enumerator(at: URL(fileURLWithPath: folder.path), includingPropertiesForKeys: nil)
        let files = all?.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath } ?? []
        return Set(files.map(\.lastPathComponent))
    }

    @Test func afterSigningOutNothingIsLeftOfThePersonAndAllOfOthers() async throws {
        let ada = container(signedInWith: "ada")
        let file = try await fetch(ada)
        let others = [try await fetch(container(signedInWith: "bob")), try await fetch(container(signedInWith: nil))]
        #expect(kept == Set((others + [file]).map(\.lastPathComponent)))
        #expect(Set((others + [file]).map { $0.deletingLastPathComponent() }).count == 3, "each has a folder")
        try ada.signOut()
        #expect(kept == Set(others.map(\.lastPathComponent)))
        // The next user starts without files, and keeps their own.
        try ada.signIn(webAuthToken: "eve")
        let next = try await fetch(ada)
        #expect(kept == Set((others + [next]).map(\.lastPathComponent)))
        #expect(next.deletingLastPathComponent() != file.deletingLastPathComponent())
    }

    @Test func whoSignsOutBeforeAnythingWasAskedLeavesNothingOfAnybody() async throws {
        _ = try await fetch(container(signedInWith: "ada"))
        let unsigned = try await fetch(container(signedInWith: nil))
        try container(signedInWith: "ada").signOut()
        #expect(kept == [unsigned.lastPathComponent])
    }

    @Test func aFileThatComesAfterSigningOutIsNotKept() async throws {
        let box = LockedBox<CKContainer?>(nil)
        let ada = container(signedInWith: "ada", whileFetching: { try? box.withLock { $0 }?.signOut() })
        box.withLock { $0 = ada }
        defer { box.withLock { $0 = nil } }
        let error = await #expect(throws: CKError.self) { _ = try await fetch(ada) }
        #expect(error?.code == .notAuthenticated && kept.isEmpty)
    }

    @Test func noNameOfAPersonLeadsOutOfTheFolder() async throws {
        let file = try await fetch(container(signedInWith: "/../../x"))
        #expect(file.path.hasPrefix(folder.path) && !file.path.contains(".."))
    }

    @Test func theOldestGoWhoeverTheyAreOf() throws {
        var configuration = NephosConfiguration.test
        configuration.cacheFolder = URL(fileURLWithPath: folder.path)
        configuration.cacheLimit = 12
        let files = AssetFiles(configuration, container: "iCloud.test")
        let now = Date()
        var names: [String] = []
        for (age, person) in [(3_000.0, "ada"), (2_000, "bob"), (1_000, nil), (1, "ada")] {
            let place = try files.place(for: person)
            try Data("hello".utf8).write(to: place)
            let date = now.addingTimeInterval(-age)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: place.path)
            names.append(place.lastPathComponent)
        }
        files.trim(now: now)
        #expect(kept == Set(names.suffix(2)))
    }
}
