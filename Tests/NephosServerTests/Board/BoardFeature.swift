import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization

/// Posts a topic when a record of the type `Note` changes.
struct BoardRule: RecordRule {
    static let topic = "board"

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { type == "Note" }

    func reading(_ changes: RecordChanges) -> RequestedRows {
        var set = RequestedRows()
        set.ask(changes.news(Self.topic))
        return set
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        rows.post(Self.topic, changes, reading)
    }
}

/// What a test can observe of the feature ``Feature/board(_:)`` of its server.
final class Board: Sendable {
    /// The topic of the container's public database.
    static let topic = Topic(BoardRule.topic, 1)

    fileprivate let host = Mutex<FeatureHost?>(nil)
    /// Called when a stream queries the current state.
    let whenAsked = Mutex<(@Sendable () -> Void)?>(nil)

    /// The versions of the catalogs with which streams queried the current state.
    let asked = Mutex<[Int64]>([])

    var news: NewsWatch? { host.withLock { $0 }?.news }

    static func number(_ reading: Reading) -> Int64 { reading[NewsRow.of([topic])].first?.number ?? 0 }

    static var set: ReadSet {
        var set = ReadSet()
        set.ask(NewsRow.of([topic]))
        return set
    }

    /// The time of the board's last change, for clients that have not seen it.
    fileprivate func next(_ context: RequestContext, _ store: any TenantStore, _ seen: String?) throws -> StreamEvent? {
        asked.withLock { $0.append(context.catalog.version) }
        whenAsked.withLock { $0 }?()
        let number = Self.number(try store.read(Self.set))
        guard seen != "\(number)" else { return nil }
        return StreamEvent(id: "\(number)", "changed", data: Array(#"{"number":\#(number)}"#.utf8))
    }
}

extension Feature {
    /// A feature that no program has: a response with an entity tag, a page, and a stream, all about when a note changed in the
    /// public database.
    static func board(_ board: Board) -> Feature {
        Feature("board", rules: RuleBook(records: [BoardRule()])) { host in
            board.host.withLock { $0 = host }
            return FeatureService(endpoints: [
                Endpoint("board", at: .container, methods: [.get, .head, .post]) { call in
                    call.carryOut(Board.set) { reading in
                        let number = Board.number(reading)
                        return .answer(call.answer(Array(#"{"number":\#(number)}"#.utf8), tag: "\(number)"))
                    }
                },
                Endpoint("board/shared", at: .container, methods: [.get]) { call in
                    .answer(call.answer([], tag: "x", kept: "public, max-age=60"))
                },
                Endpoint("board/page", at: .container, methods: [.get, .head]) { call in
                    .answer(call.answer(HTMLPage(title: "A & B", body: "<p>\("<b>".escaped)</p>")))
                },
                Endpoint("board/stream", at: .container, methods: [.get]) { call in
                    host.stream(call, of: [Board.topic], next: board.next)
                },
            ])
        }
    }
}

/// A ``SmallCloud`` whose server has ``Feature/board(_:)``.
struct BoardCloud {
    let cloud: SmallCloud
    let board = Board()

    init() async throws { cloud = try await SmallCloud(features: [.board(board)]) }

    func begin(
        _ method: String = "GET", _ name: String = "board", headers: [(String, String)] = [],
        as caller: SmallCloud.Caller = .app
    ) -> LocalExchange {
        let target = "/nephos/1/\(SmallCloud.container)/development/\(name)"
        return cloud.begin(cloud.request(method, target, headers: headers, as: caller)) { _, _ in }
    }

    /// Changes a record as a user.
    func save(_ text: String) throws {
        let body = """
            {"operations":[{"operationType":"forceUpdate","record":{"recordName":"n1","recordType":"Note","fields":{\
            "text":{"value":"\(text)"}}}}]}
            """
        let target = "/database/1/\(SmallCloud.container)/development/public/records/modify"
        let request = cloud.request("POST", target, body: Array(body.utf8), as: .person)
        let answer = try cloud.begin(request) { _, _ in }.head()
        guard answer.status == 200 else { throw SaveFailed(status: answer.status) }
    }

    private struct SaveFailed: Error { let status: Int }
}
