import CloudKitWire
import Foundation
import NephosAssets
import NephosBackend
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import ServerTesting
import TestEngines
import Testing

@testable import NephosPeople

/// A ``PeopleCloud`` with all features, where Ada has data of every kind that a user can have.
struct LeavingCloud {
    let own: PeopleCloud
    let account: AccountRow
    let user: UserRow
    /// The token of an app that she has signed in to.
    let token: String

    init() async throws {
        let others = [Feature].ofProgram().filter { !["people", "delivery"].contains($0.name) }
        own = try await PeopleCloud(with: others)
        account = try #require(try own.cloud.engine.account(email: PeopleCloud.email))
        user = try #require(try own.store.rows(UserRow.from([(.account, account.id)])).first)
        token = try own.press("yes", on: try own.signIn(own.redirect()), own.redirect()).token()
    }

    func ask(_ path: String, _ body: String, as caller: SmallCloud.Caller = .person) throws -> JSON {
        let answer = try own.cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/\(path)", body, as: caller)
        #expect(answer.status == 200, "\(path): \(answer.text)")
        return try JSON(reading: answer.body)
    }

    /// Stores data of Ada's wherever requests can store it.
    func fill() async throws {
        for scope in ["private", "public"] {
            let file = try await upload(scope)
            let fields =
                #"{"text":{"value":"of \#(scope)"},"file":{"value":\#(file)},"next":{"value":{"recordName":"n1","action":"DELETE_SELF"}}}"#
            _ = try ask(
                "\(scope)/records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordName":"filed","recordType":"Note","fields":\#(fields)}}]}"#
            )
            _ = try ask(
                "\(scope)/subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["create","update","delete"]}}]}"#
            )
        }
        _ = try ask(
            "private/records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordName":"z","recordType":"Note"}}]}"#
        )
        _ = try own.cloud.ask(
            "POST", "/device/1/\(SmallCloud.container)/development/tokens/create?clientId=mine",
            #"{"apnsEnvironment":"development"}"#, as: .person)
        // Events that are not delivered yet.
        _ = try ask(
            "private/records/modify?clientId=mine",
            #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"n3","recordType":"Note","fields":{"count":{"value":77}}}}]}"#
        )
        // Data in the trash, and in histories.
        _ = try ask(
            "public/records/modify",
            #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"n5","recordType":"Note","fields":{"text":{"value":"once more"}}}}]}"#
        )
        _ = try ask(
            "public/records/modify", #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"n4"}}]}"#)
        // Grace's record is deleted in a cascade with one of hers.
        _ = try ask(
            "public/records/modify",
            #"{"operations":[{"operationType":"create","record":{"recordName":"graces","recordType":"Note"}},{"operationType":"create","record":{"recordName":"child","recordType":"Note","fields":{"next":{"value":{"recordName":"n7","action":"DELETE_SELF"}}}}}]}"#,
            as: .friend)
        let form = try own.get("/recover").field("form")
        _ = try own.post("/recover", [("form", form), ("email", PeopleCloud.email)])
    }

    private func upload(_ scope: String) async throws -> String {
        let offer = try ask(
            "\(scope)/assets/upload", #"{"tokens":[{"recordName":"filed","recordType":"Note","fieldName":"file"}]}"#)
        let url = try #require(offer["tokens"][0]["url"].string)
        let start = try #require(url.firstRange(of: "/asset/"))
        let request = own.cloud.request(
            "POST", String(url[start.lowerBound...]), body: Array("a picture in \(scope)".utf8), as: .stranger)
        let bytes = try await PeopleCloud.taken(from: own.cloud, request)
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text[try #require(text.firstRange(of: ":")).upperBound...].dropLast())
    }

    /// Delivers all changes to subscribers of public records, as a server does: delivered events are deleted.
    func settle() async throws {
        // From then on a job looks for undelivered events.
        own.now += 120_000
        try await own.cloud.delivering {
            await own.cloud.runDueJobs()
            let isSettled = try await Deadline().awaits { try own.cloud.isSettled() }
            #expect(isSettled)
        }
    }

    /// Tables and columns with data that identifies her.
    func traces() throws -> Set<String> {
        try StoredTraces(of: own.stored, account: account, user: user).places()
    }

    /// The number of files by database.
    func files() throws -> [DatabaseNumber: Int] {
        let home = AssetHome(try own.store.read(ReadSet()).catalog.head)
        var found: [DatabaseNumber: Int] = [:]
        try own.cloud.files.files(in: home) { found[$0.file.database, default: 0] += 1 }
        return found
    }

    /// Signs her in to the container.
    var enrolment: Enrolment {
        Enrolment.person(
            account: account.id, newID: UserID(high: 7, low: 7), sessionID: [UInt8](repeating: 7, count: 16),
            secret: [UInt8](repeating: 7, count: 32), kind: .short, now: own.now)
    }

    func erasure() -> AccountErasure {
        let worker = Worker(own.cloud.backend.runner, clock: { [inputs = own.cloud.inputs] in inputs.now })
        return AccountErasure(worker, files: own.cloud.files, features: own.features)
    }

    /// Deletes the account like the command.
    func delete(takesPublic: Bool) async throws -> Bool {
        let deletion = try await own.administration.deleteAccount(
            account.email, takesPublic: takesPublic, isAtOnce: true)
        return try await own.administration.erase(deletion, files: own.cloud.files)
    }
}
