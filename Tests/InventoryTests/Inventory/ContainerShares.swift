import CloudKit

/// Containers: participants of shares, and the targets of share URLs.
extension Inventory {
    typealias ParticipantResults<ID: Hashable> = ItemResults<ID, CKShare.Participant>

    mutating func participants() {
        topic("Container: participants", .notYet)
        function(
            "CKContainer.fetchShareParticipant(withEmailAddress:completionHandler:)",
            CKContainer.fetchShareParticipant(withEmailAddress:completionHandler:)
                as (CKContainer) -> (String, @escaping Handler<CKShare.Participant>) -> Void)
        function(
            "CKContainer.fetchShareParticipant(withPhoneNumber:completionHandler:)",
            CKContainer.fetchShareParticipant(withPhoneNumber:completionHandler:)
                as (CKContainer) -> (String, @escaping Handler<CKShare.Participant>) -> Void)
        function(
            "CKContainer.fetchShareParticipant(withUserRecordID:completionHandler:)",
            CKContainer.fetchShareParticipant(withUserRecordID:completionHandler:)
                as (CKContainer) -> (CKRecord.ID, @escaping Handler<CKShare.Participant>) -> Void)
        function(
            "CKContainer.shareParticipant(forEmailAddress:)",
            CKContainer.shareParticipant(forEmailAddress:)
                as (CKContainer) -> (String) async throws -> CKShare.Participant)
        function(
            "CKContainer.shareParticipant(forPhoneNumber:)",
            CKContainer.shareParticipant(forPhoneNumber:)
                as (CKContainer) -> (String) async throws -> CKShare.Participant)
        function(
            "CKContainer.shareParticipant(forUserRecordID:)",
            CKContainer.shareParticipant(forUserRecordID:)
                as (CKContainer) -> (CKRecord.ID) async throws -> CKShare.Participant)
        manyParticipants()
    }

    private mutating func manyParticipants() {
        function(
            "CKContainer.fetchShareParticipants(forEmailAddresses:completionHandler:)",
            CKContainer.fetchShareParticipants(forEmailAddresses:completionHandler:)
                as (CKContainer) -> ([String], @escaping ResultHandler<ParticipantResults<String>>) -> Void)
        function(
            "CKContainer.fetchShareParticipants(forPhoneNumbers:completionHandler:)",
            CKContainer.fetchShareParticipants(forPhoneNumbers:completionHandler:)
                as (CKContainer) -> ([String], @escaping ResultHandler<ParticipantResults<String>>) -> Void)
        function(
            "CKContainer.fetchShareParticipants(forUserRecordIDs:completionHandler:)",
            CKContainer.fetchShareParticipants(forUserRecordIDs:completionHandler:)
                as (CKContainer) -> ([CKRecord.ID], @escaping ResultHandler<ParticipantResults<CKRecord.ID>>) -> Void)
        function(
            "CKContainer.shareParticipants(forEmailAddresses:)",
            CKContainer.shareParticipants(forEmailAddresses:)
                as (CKContainer) -> ([String]) async throws -> ParticipantResults<String>)
        function(
            "CKContainer.shareParticipants(forPhoneNumbers:)",
            CKContainer.shareParticipants(forPhoneNumbers:)
                as (CKContainer) -> ([String]) async throws -> ParticipantResults<String>)
        function(
            "CKContainer.shareParticipants(forUserRecordIDs:)",
            CKContainer.shareParticipants(forUserRecordIDs:)
                as (CKContainer) -> ([CKRecord.ID]) async throws -> ParticipantResults<CKRecord.ID>)
        function(
            "CKContainer.shareParticipants(for:)",
            CKContainer.shareParticipants(for:)
                as (CKContainer) -> ([CKUserIdentity.LookupInfo]) async throws
                -> ParticipantResults<CKUserIdentity.LookupInfo>)
    }

    mutating func shareMetadata() {
        topic("Container: share metadata", .notYet)
        function(
            "CKContainer.fetchShareMetadata(with:completionHandler:)",
            CKContainer.fetchShareMetadata(with:completionHandler:)
                as (CKContainer) -> (URL, @escaping Handler<CKShare.Metadata>) -> Void)
        function(
            "CKContainer.shareMetadata(for:)",
            CKContainer.shareMetadata(for:) as (CKContainer) -> (URL) async throws -> CKShare.Metadata)
        function(
            "CKContainer.fetchShareMetadatas(for:completionHandler:)",
            CKContainer.fetchShareMetadatas(for:completionHandler:)
                as (CKContainer) -> ([URL], @escaping ResultHandler<ItemResults<URL, CKShare.Metadata>>) -> Void)
        function(
            "CKContainer.shareMetadatas(for:)",
            CKContainer.shareMetadatas(for:)
                as (CKContainer) -> ([URL]) async throws -> ItemResults<URL, CKShare.Metadata>)
        function(
            "CKContainer.accept(_: CKShare.Metadata, completionHandler:)",
            CKContainer.accept(_:completionHandler:)
                as (CKContainer) -> (CKShare.Metadata, @escaping Handler<CKShare>) -> Void)
        function(
            "CKContainer.accept(_: CKShare.Metadata)",
            CKContainer.accept(_:) as (CKContainer) -> (CKShare.Metadata) async throws -> CKShare)
        function(
            "CKContainer.accept(_: [CKShare.Metadata], completionHandler:)",
            CKContainer.accept(_:completionHandler:)
                as (CKContainer) -> (
                    [CKShare.Metadata], @escaping ResultHandler<ItemResults<CKShare.Metadata, CKShare>>
                )
                -> Void)
        function(
            "CKContainer.accept(_: [CKShare.Metadata])",
            CKContainer.accept(_:)
                as (CKContainer) -> ([CKShare.Metadata]) async throws -> ItemResults<CKShare.Metadata, CKShare>)
        function(
            "CKContainer.requestShareAccess(for:)",
            CKContainer.requestShareAccess(for:) as (CKContainer) -> ([URL]) async throws -> ItemResults<URL, Void>)
    }
}

/// Functions accept either form of block, and results of imported functions may be ignored: compiled, not run.
private func leftOut(_ container: CKContainer, _ metadata: CKShare.Metadata, _ url: URL) async throws {
    try await container.accept(metadata)
    try await container.accept([metadata])
    try await container.shareMetadata(for: url)
    try await container.shareParticipant(forEmailAddress: "")
    handlers(container, metadata)
}

private func handlers(_ container: CKContainer, _ metadata: CKShare.Metadata) {
    container.accept(metadata) { _, _ in }
    container.accept([metadata]) { _ in }
}
