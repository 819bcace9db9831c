import CloudKit
import CloudKitSchema
import CloudKitWire
import Communications
import CommunicationsCloudKit
import Foundation
import KitTesting
import NephosAdmin
import NephosConstraints
import NephosDomain
import NephosRunner
import NephosSettings
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosKit
@testable import NephosMessages

/// A server in this process with messages, and with records of the article's type: users with the role Admin create both, and
/// everybody reads them.
struct CommunCloud {
    let cloud: SmallCloud
    let transport: CloudTransport
    let folder: TemporaryFolder

    private static let features = [Feature.settings, .constraints, .messages]

    private static let settings = [
        "messages":
            #"{"type":"Message","kinds":["information","website","newVersion","email","purchase"],"languages":["en","es"],"slots":["main","side"],"mirror":"Communs"}"#
    ]

    init() async throws {
        cloud = try await SmallCloud(features: Self.features)
        folder = try TemporaryFolder(prefix: "nephos-communs")
        transport = CloudTransport(cloud)
        let administration = Administration(
            engine: cloud.engine, inputs: cloud.inputs.ofOperator, features: Self.features)
        let store = try #require(try cloud.engine.open(SmallCloud.tenant))
        for (name, type) in [("Message", .messages), ("Communs", .template("Communs", role: MessageSetup.role))]
            as [(Name, Schema.RecordType)]
        {
            _ = try await MessageSetup.make(name, administration, store) { type }
        }
        _ = try await administration.assignRole(
            "Admin", to: "grace@example.org", in: SmallCloud.container, [.development])
        let catalog = try store.read(ReadSet()).catalog
        let change = try ChangeSections(
            Self.settings.mapValues { Array($0.utf8)[...] }, of: catalog.knownSections, by: "ada",
            now: cloud.inputs.now)
        _ = try await store.commit(change.reading, decide: change.decide)
    }

    // MARK: Apps

    static let url = URL(string: "http://cloud.example.org") ?? URL(filePath: "/")

    /// - Parameter isSignedIn: Whether Ada is signed in.
    func getter(isSignedIn: Bool = false) -> HTTPCommunGetter {
        var credentials = HTTPCommunGetter.Credentials(token: cloud.apiToken)
        if isSignedIn { credentials.webAuthToken = { [cloud] in cloud.webAuthToken } }
        return HTTPCommunGetter(
            server: Self.url, container: SmallCloud.container, environment: "development", credentials: credentials,
            transport: transport)
    }

    /// The article's records, as accessed by a program on Linux.
    func records() -> CloudCommunGetter { CloudCommunGetter(container: container()) }

    func container() -> CKContainer {
        let configuration = NephosConfiguration(
            serverURL: Self.url, environment: .development, apiToken: cloud.apiToken,
            cacheFolder: URL(fileURLWithPath: folder.path).appending(path: "cloudkit"))
        let service = Service(
            container: SmallCloud.container, configuration: .success(configuration), transport: transport)
        return CKContainer(ContainerCore(service), OperationDefaults())
    }

    /// The state of an installation with this name.
    func memory(_ name: String, honoring key: String? = nil) -> CommunMemory {
        CommunMemory(file: file(name), honoring: key)
    }

    func file(_ name: String) -> URL { URL(fileURLWithPath: folder.path).appending(path: "\(name)/seen.json") }

    // MARK: Editors

    /// Saves a message as Grace, shown from now on, or a record of the article's type.
    func save(_ id: String, _ fields: [String: JSON], type: String = "Message", isShown: Bool = true) throws {
        var record: JSON = ["recordType": .string(type), "recordName": .string(id)]
        for (name, value) in fields { record["fields"][name] = ["value": value] }
        if type == "Message" {
            if isShown {
                record["fields"]["publishedAt"] = ["value": .number("\(cloud.inputs.now)"), "type": "TIMESTAMP"]
            }
            if fields["slot"] == nil { record["fields"]["slot"] = ["value": "main"] }
            record["fields"]["audience"] = ["value": "everybody"]
        }
        let body: JSON = ["operations": [["operationType": "forceReplace", "record": record]]]
        let answer = try cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/public/records/modify", "\(body)", as: .friend)
        try #require(answer.status == 200 && !answer.text.contains("serverErrorCode"), "\(answer.text)")
    }

    /// Turns a message back into a draft.
    func withdraw(_ id: String, _ fields: [String: JSON]) throws { try save(id, fields, isShown: false) }

    /// The number of requests that reported a seen message.
    var reports: Int { transport.paths.count { $0 == "messages/seen 200" } }
}

/// The complete fields of a message of a kind.
func message(_ kind: String, _ buttons: [String], _ more: [String: JSON] = [:]) -> [String: JSON] {
    func texts(_ word: String) -> JSON { .string(#"{"en":"\#(word)","es":"\#(word) (es)"}"#) }
    let titles = buttons.map { #""\#($0)":{"en":"\#($0)","es":"\#($0) (es)"}"# }.joined(separator: ",")
    return ["kind": .string(kind), "title": texts("title"), "body": texts("body"), "buttons": .string("{\(titles)}")]
        .merging(more) { $1 }
}

/// The five kinds: those of the article and a purchase.
let kinds: [(fields: [String: JSON], action: CommunAction?)] = [
    (message("information", ["okay"]), nil),
    (
        message("website", ["action", "cancel"], ["url": "https://example.org/new"]),
        URL(string: "https://example.org/new").map { .open($0) }
    ),
    (message("newVersion", ["action", "cancel", "okay"], ["requires": "2.5"]), .update),
    (
        message(
            "email", ["action", "cancel"], ["mailTo": "ada@example.org", "mailSubject": #"{"en":"Hi","es":"Hola"}"#]),
        .mail(to: "ada@example.org", subject: "Hola")
    ),
    (message("purchase", ["action", "cancel", "okay"], ["product": "pro"]), .purchase(product: "pro")),
]

/// The audience of a message.
func question(_ locale: String? = "es-MX", version: String? = nil, state: Set<String> = []) -> CommunQuestion {
    var audience = CommunAudience()
    (audience.locale, audience.appVersion) = (locale, version)
    return CommunQuestion(audience, state: state)
}
