import Foundation
import Testing

/// docs/decisions/0027: every code path that creates, changes, removes or shows a record goes through one of two places. The paths
/// are read from the sources, so that a new one is noticed.
@Suite("Code paths of records") struct RecordWaysTests {
    /// Rooms that decide or respond; engines only execute decisions.
    private static let rooms = [
        "Server/NephosDomain", "Server/NephosRunner", "Server/NephosPost", "Server/NephosAdmin",
        "Server/NephosEndpoints", "Server/NephosBackend", "Features",
    ]

    /// The code of each file, by its name, without comments.
    private static let sources: [String: String] = {
        let root = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL
        var sources: [String: String] = [:]
        for room in rooms {
            let files = FileManager.default.enumerator(at: root.appending(path: room), includingPropertiesForKeys: nil)
            for case let file as URL in files?.allObjects ?? [] where file.pathExtension == "swift" {
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
                sources[file.lastPathComponent] = code.joined(separator: "\n")
            }
        }
        return sources
    }()

    private func files(with pattern: String) throws -> Set<String> {
        let pattern = try Regex(pattern)
        return Set(Self.sources.filter { $0.value.contains(pattern) }.keys)
    }

    @Test("Only the journal adds records to a write set")
    func journal() throws {
        #expect(Self.sources.count > 200, "the sources are there")
        #expect(try files(with: #"\.deletions(\.append|\s*\+?=)"#) == ["RecordJournal.swift"])
        // These request reads of records.
        let asking: Set = [
            "ChangeRoles.swift", "ChooseEndpoint.swift", "ClaimCheck.swift", "ContentOperations.swift",
            "ContinueCascades.swift", "DownloadLink.swift", "DueEvents.swift", "EstablishClaims.swift",
            "FlagOperations.swift", "ForgetSeen.swift", "ImportUseCase.swift", "InspectShares.swift",
            "LeaveShare.swift",
            "ListEndpoint.swift", "LookupRecords.swift",
            "MessageOperations.swift", "MirrorPlan.swift", "ModifyPlan+Rules.swift", "ModifyPlan+ShareRecords.swift",
            "ModifyPlan+Shares.swift", "ModifyRecords.swift",
            "NoteDueEvents.swift", "NoteSeen.swift", "PickEndpoint.swift", "PreviewEndpoint.swift",
            "PrepareShare.swift", "PublishEndpoint.swift", "RecordHistory.swift", "RemoveRecords.swift",
            "RemoveStaleClaims.swift",
            "RereferenceAssets.swift",
            "Rules+Companions.swift", "ShareLookup.swift", "SortPicks.swift",
        ]
        for file in asking {
            let asks = ["RecordKey(", "ContentAnswer.key("].contains { Self.sources[file]?.contains($0) == true }
            #expect(asks, "\(file) asks for nothing")
        }
        let writing = try files(with: #"\b(set|more|writes)\.records(\.append|\s*\+?=[^=])"#).subtracting(asking)
        #expect(writing == ["RecordJournal.swift"])
    }

    @Test("Code that creates a write or a deletion passes it to the journal")
    func changes() throws {
        // A draft is a value that its decision passes on.
        let making = try files(with: #"\bRecord(Write|Deletion)\("#).subtracting(["RecordDraft.swift"])
        #expect(making.count >= 5)
        for file in making.sorted() {
            #expect(Self.sources[file]?.contains("journal") == true, "\(file) makes a change past the journal")
        }
    }

    @Test("Code that shows or uses records checks their visibility, or is listed here with the reason")
    func shows() throws {
        let exempt = [
            "StoredRecord.swift": "the value itself", "RecordDraft.swift": "what is saved",
            "ModifyPlan+Writes.swift": "what the caller has just saved",
            "UserRoles.swift": "roles, for the server itself",
            "RestoreRecords.swift": "for the operator", "RecordAnswer.swift": "for the operator",
            "RecordPages.swift": "for the operator, and for a person what is theirs",
            "CSVRecords.swift": "what RecordPages gives", "RecordImport.swift": "what the caller is about to save",
            "Administration+Stats.swift": "counts, for the operator", "RemovedParts.swift": "counts, for the operator",
            "ZoneChanges.swift": "zones of the caller's own",
            "ReferenceNeeds.swift": "what the caller is about to save",
            "TypeConstraints.swift": "what a rule judges", "ConstraintWork.swift": "for the operator",
            "ContentRule.swift": "what a rule judges", "Message+Reading.swift": "the value itself",
            "MessagePicture.swift": "for who edits the message, and whom they hand a link",
            "RecordHistory.swift": "for the operator", "ImportTemplate.swift": "for the operator",
            "MessageUseCases.swift": "for the operator", "MirrorPlan.swift": "what the server itself has written",
            "MirrorRecord.swift": "what the server itself has written",
            "FollowMirror.swift": "the picture of what is shown to everybody",
            "ChooseEndpoint.swift": "what a person chose",
            "PickPlacement.swift": "what records are sorted by",
            "PersonExport.swift": "for the person who has made them",
            "StoredFlag.swift": "for the operator",
            "MessageOperations.swift": "for the operator: whether a message has an end",
            "MessageContent.swift": "for the operator, who edits the message",
            "FlagDifference.swift": "for the operator",
            "SettingsDifference.swift": "for the operator: which records name an audience",
            "MirrorFields.swift": "numbers that a rule keeps the same",
            "TrendPart.swift": "values that are counted",
            "TrendCheck.swift": "values that are counted", "PartRule.swift": "values that are counted",
            "Backfill.swift": "values that are counted",
            "ClaimRule.swift": "what a rule judges", "EstablishClaims.swift": "what a rule judges",
            "ClaimCheck.swift": "for the operator", "RemoveStaleClaims.swift": "claims, for the server itself",
            "ContentUseCases.swift": "for the operator", "ContentCalendarUseCases.swift": "for the operator",
            "SchemaLosses.swift": "counts, for the operator",
            "ReservedFields.swift": "what the server itself keeps",
            "ShareLookup.swift": "shares that the caller is named in, or may visit",
            "ModifyPlan+ShareRecords.swift": "what the caller is about to share",
            "FlagRecord.swift": "values of flags, which whoever has a token gets, and never rules",
        ]
        // No \b before a name that may follow a dot: by default there is no boundary of words between `record.` and it.
        let showing = try files(
            with:
                #"\bStoredRecord\(|\.stored\(|liveFields\(of|CanonicalFields\.(assets|notificationValues|value|read)\("#
        )
        #expect(showing.count > 8)
        for file in showing.subtracting(exempt.keys).sorted() {
            #expect(Self.sources[file]?.contains("isibility") == true, "\(file) shows records, and asks nobody")
        }
        #expect(Set(exempt.keys).subtracting(showing) == [], "these show nothing any more")
    }

    @Test("Only visibility checks grants")
    func rights() throws {
        // The others determine whose references keep a record, and what grants permit.
        let asking = try files(with: #"[^.\w]Rights\((context|of: user|user)"#)
        #expect(asking == ["Visibility.swift", "Holders.swift", "AccessTable.swift"])
    }
}
