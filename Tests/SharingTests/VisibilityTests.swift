import CloudKitWire
import Foundation
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

/// docs/protocol.md SH12, SH13, SH16: random histories of three people who each own a zone and share parts of it with the others, in two
/// containers at once.
///
/// What each of them gets by queries, look-ups and feeds, every byte of it, is compared with ``VisibilityModel``.
@Suite("What people see of each other's zones equals a model") struct VisibilityTests {
    /// A history is reproduced with `SEED=n`. `STEPS` is the number of steps of all of them together.
    static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(1...20)
    static let steps = (ProcessInfo.processInfo.environment["STEPS"].flatMap(Int.init) ?? 10_000) / 20

    @Test("Everybody sees what the model says, in each response, and whoever follows has it", arguments: seeds)
    func histories(seed: UInt64) async throws {
        let people = try await SharingCloud()
        let texts = Texts()
        let histories = [
            try await History(seed, people, texts),
            try await History(seed + 1_000, SharingCloud(beside: people), texts),
        ]
        var random = SeededGenerator(seed: seed)
        var reached = (step: 0, history: histories[0])
        do {
            try await people.cloud.delivering {
                for step in 0..<Self.steps {
                    let history = histories[Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0]
                    reached = (step, history)
                    try history.act()
                    try history.compare(step)
                    if step % 15 == 14 { try await history.compareLists() }
                    if step % 30 == 29 { for history in histories { try await history.compareNotifications() } }
                }
                try await Self.eraseSomebody(people, histories, &random)
            }
        } catch {
            let log = reached.history.log.suffix(12).joined(separator: "\n")
            Issue.record("SEED=\(seed) step \(reached.step): \(error); \(log)")
            return
        }
        if Self.steps >= 500 {
            let counts = histories[0].counts.merging(histories[1].counts, uniquingKeysWith: +)
            #expect(counts.values.count { $0 == 0 } <= 1, "operations must succeed: \(counts)")
        }
        for history in histories {
            let findings = try history.people.check()
            #expect(findings.isEmpty, "\(findings)")
        }
    }

    /// Somebody leaves for good, in all containers: the others see what is left.
    private static func eraseSomebody(
        _ people: SharingCloud, _ histories: [History], _ random: inout SeededGenerator
    ) async throws {
        let person = SharingCloud.Person.allCases.randomElement(using: &random) ?? .owner
        var attempts = 0
        while try await !people.erase(person) {
            // Those who see something of theirs are notified first.
            await people.cloud.runDueJobs()
            attempts += 1
            guard attempts < 20 else { throw Difference("\(person) is not erased") }
        }
        for history in histories { try await history.erased(person) }
    }
}

/// The texts of all records and files of a test: each is used once.
private final class Texts {
    private var count = 0

    func new() -> String {
        count += 1
        return "s\(count)."
    }
}

private struct Difference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

private final class History {
    typealias Person = SharingCloud.Person
    typealias Pair = VisibilityModel.Pair

    /// A device of a person that follows the zone of another one.
    struct Follower {
        var token: String?
        /// ``VisibilityModel/losses`` when it began.
        var losses = 0
        /// What it has: texts by name.
        var records: [String: String] = [:]
    }

    let people: SharingCloud
    var model = VisibilityModel()
    var random: SeededGenerator
    private(set) var log: [String] = []
    /// How often each kind of operation succeeded.
    private(set) var counts = [
        "create": 0, "update": 0, "move": 0, "delete": 0, "share": 0, "share zone": 0, "edit": 0, "unshare": 0,
        "accept": 0, "leave": 0, "write": 0, "add": 0, "remove": 0, "shift": 0, "file": 0,
    ]
    private let pool: Texts
    private var names = 0
    private var followers: [Pair: Follower] = [:]
    /// Copies of devices, as a backup restores them.
    private var backups: [Pair: Follower] = [:]
    /// All names that a person has ever seen of an owner.
    private var everSeen: [Pair: Set<String>] = [:]
    /// Addresses by owner and root.
    private var addresses: [Person: [String: String]] = [:]
    private var lists: [Person: (token: String?, zones: Set<String>)] = [:]
    /// Links that people got, with the content.
    private var links: [Pair: [(url: String, content: String)]] = [:]
    /// Who sent the last request, and whose zone it named.
    private var last: (person: Person, owner: Person)?
    /// Who must be notified of something, and who may be.
    private var due: (must: Set<Person>, may: Set<Person>) = ([], [])
    /// Who has not left for good.
    private var present = Person.allCases

    init(_ seed: UInt64, _ people: SharingCloud, _ texts: Texts) async throws {
        random = SeededGenerator(seed: seed)
        (self.people, pool) = (people, texts)
        for person in Person.allCases {
            try people.ok(
                "private/zones/modify",
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Box"}}}]}"#, as: person)
            try people.subscribe(person)
            // Databases of more than 200 records are queried by indexes.
            if seed % 2 == 0 { try await plant(for: person) }
        }
    }

    /// Saves records in another zone.
    private func plant(for person: Person) async throws {
        let zone = #"{"zoneName":"More"}"#
        try people.ok(
            "private/zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":\#(zone)}}]}"#,
            as: person)
        for part in 0..<2 {
            let saves = (0..<125).map { people.save("more\(part)-\($0)", text: "more") }
            try people.ok(
                "private/records/modify", #"{"zoneID":\#(zone),"operations":[\#(saves.joined(separator: ","))]}"#,
                as: person)
        }
        let order = IndexShape.Part.order(.recordName, isDescending: false)
        let parts: [[IndexShape.Part]] = [
            [.value(.share), order], [.value(.share), .value(.parentInShare), order],
            // For zones that are shared as a whole.
            [order], [.value(.parent), order],
        ]
        try await people.buildIndexes(parts, of: person)
    }

    private func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    private func any<T>(_ values: some Collection<T>) -> T? { values.randomElement(using: &random) }

    private func newText() -> String { pool.new() }

    private func zoneID(_ owner: Person) -> String {
        #"{"zoneName":"Box","ownerRecordName":"\#(people.name(owner))"}"#
    }

    // MARK: Requests

    /// One operation. - Returns: The record of the response.
    private func modify(_ operation: String, as person: Person, in owner: Person) throws -> JSON {
        let scope = person == owner ? "private" : "shared"
        last = (person, owner)
        let answer = try response(
            "\(scope)/records/modify",
            #"{"zoneID":\#(zoneID(owner)),"atomic":false,"operations":[\#(operation)]}"#, as: person)
        return answer["serverErrorCode"].isAbsent ? answer["records"][0] : answer
    }

    /// Checks that the response contains only texts of records that the person may see.
    private func response(_ path: String, _ body: String, as person: Person) throws -> JSON {
        let bytes = try people.response(path, body, as: person)
        try checkTexts(in: bytes, of: person)
        return try JSON(reading: bytes)
    }

    private func checkTexts(in bytes: [UInt8], of person: Person) throws {
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "s"), index + 1 < bytes.count else {
                index += 1
                continue
            }
            var end = index + 1
            while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) { end += 1 }
            if end > index + 1, end < bytes.count, bytes[end] == UInt8(ascii: ".") {
                let text = String(decoding: bytes[index...end], as: UTF8.self)
                if !sent.contains(text), !isVisible(text, to: person) {
                    throw Difference("\(person) gets \(text) in \(String(decoding: bytes, as: UTF8.self))")
                }
            }
            index = end
        }
    }

    /// Texts of the current request.
    private var sent: Set<String> = []

    private func isVisible(_ text: String, to person: Person) -> Bool {
        Person.allCases.contains { owner in
            let records =
                owner == person ? model[owner].records : model.visible(Pair(person: person, owner: owner)) ?? [:]
            return records.values.contains { $0.text == text || $0.file == text }
        }
    }

    /// Uploads a file for a record, now and then.
    ///
    /// - Returns: Its content, and the value for the field; nil also if the person may not.
    private func upload(for name: String, as person: Person, in owner: Person) throws -> (
        content: String, value: String
    )? {
        guard once(in: 5) else { return nil }
        let offer = try people.offer(
            person == owner ? "private" : "shared", as: person, zone: zoneID(owner), record: name)
        guard let url = offer["tokens"][0]["url"].string else { return nil }
        let content = newText()
        return (content, try people.fileValue(of: people.exchange("POST", url, content)))
    }

    private func save(
        _ name: String, parent: String??, kind: String, text: String, file: (content: String, value: String)? = nil
    ) -> String {
        sent = file.map { [text, $0.content] } ?? [text]
        let files = file.map { #","file":{"value":\#($0.value)}"# } ?? ""
        let member =
            switch parent {
            case nil: ""
            case .some(nil): #","parent":null"#
            case .some(let parent?): #","parent":{"recordName":"\#(parent)"}"#
            }
        return
            #"{"operationType":"\#(kind)","record":{"recordName":"\#(name)","recordType":"Note","fields":{"text":{"value":"\#(text)"}\#(files)}\#(member)}}"#
    }

    private func note(_ what: String, _ kind: String, _ answer: JSON) -> Bool {
        let code = answer["serverErrorCode"].string
        log.append("\(what): \(code ?? "ok") \(code == nil ? "" : answer["reason"].string ?? "")")
        if code == nil { counts[kind, default: 0] += 1 }
        return code == nil
    }

    private func expect(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw Difference(what()) }
    }

    // MARK: Operations

    /// Carries out a random operation, in the server and in the model.
    func act() throws {
        sent = []
        let before = model
        let owner = any(Person.allCases) ?? .owner
        let zone = model[owner]
        let records = zone.records.keys.sorted()
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<(records.count > 25 ? 3 : 14): try create(owner, parent: once(in: 5) ? nil : any(records))
        case 14..<19: if let name = any(records) { try update(name, owner) }
        case 19..<27: if let name = any(records) { try move(name, owner, to: once(in: 5) ? nil : any(records)) }
        case 27..<(records.count > 20 ? 33 : 30): if let name = any(records) { try delete(name, owner) }
        case 33..<42: if let name = any(records) { try share(name, owner) }
        case 42:
            for name in zone.shares.keys.sorted() { try unshare(name, owner) }
            try share(nil, owner)
        case 43..<55: if let name = any(zone.shares.keys.sorted()) { try edit(name, owner) }
        case 55..<57: if let name = any(zone.shares.keys.sorted()) { try unshare(name, owner) }
        case 57..<72: try accept()
        case 72..<74: try leave()
        default: try actAsMember()
        }
        for pair in VisibilityModel.pairs {
            let visible = model.visible(pair)
            if let visible { everSeen[pair, default: []].formUnion(visible.keys) }
            guard let last, last.owner == pair.owner, before.visible(pair) != nil || visible != nil else { continue }
            due.may.insert(pair.person)
            // Visitors ask by themselves, and nobody needs to be notified of what they have done.
            guard last.person != pair.person, let old = before.visibleAsNamed(pair),
                let new = model.visibleAsNamed(pair)
            else { continue }
            if old != new { due.must.insert(pair.person) }
        }
    }

    private func create(_ owner: Person, parent: String?) throws {
        names += 1
        let (name, text) = ("n\(names)x", newText())
        let file = try upload(for: name, as: owner, in: owner)
        let answer = try modify(
            save(name, parent: parent.map { .some($0) }, kind: "create", text: text, file: file), as: owner, in: owner)
        try expect(
            note("\(owner) creates \(name) below \(parent ?? "nothing")", "create", answer), "refused: \(answer)")
        model[owner].records[name] = .init(parent: parent, text: text, file: file?.content)
    }

    private func update(_ name: String, _ owner: Person) throws {
        let text = newText()
        let file = try upload(for: name, as: owner, in: owner)
        let answer = try modify(
            save(name, parent: nil, kind: "forceUpdate", text: text, file: file), as: owner, in: owner)
        try expect(note("\(owner) updates \(name)", "update", answer), "refused: \(answer)")
        wrote(text, file?.content, in: name, of: owner)
    }

    private func wrote(_ text: String, _ file: String?, in name: String, of owner: Person) {
        model[owner].records[name]?.text = text
        if let file { model[owner].records[name]?.file = file }
    }

    private func moved(_ name: String, to parent: String?, _ text: String, of owner: Person) {
        model[owner].records[name]?.parent = parent
        model[owner].records[name]?.text = text
    }

    private func move(_ name: String, _ owner: Person, to parent: String?) throws {
        let text = newText()
        let answer = try modify(
            save(name, parent: .some(parent), kind: "forceUpdate", text: text), as: owner, in: owner)
        guard note("\(owner) moves \(name) below \(parent ?? "nothing")", "move", answer) else { return }
        moved(name, to: parent, text, of: owner)
        try expect(!model[owner].hasNestedShares, "a share is inside of another one")
    }

    private func delete(_ name: String, _ owner: Person) throws {
        let answer = try modify(people.delete(name), as: owner, in: owner)
        let hasChildren = model[owner].records.contains { $0.value.parent == name && $0.key != name }
        let isDone = note("\(owner) deletes \(name)", "delete", answer)
        try expect(isDone || hasChildren, "refused: \(answer)")
        if isDone { model.remove(name, of: owner) }
    }

    private func participants(_ owner: Person, among old: VisibilityModel.Share? = nil)
        -> [Person: VisibilityModel.Participant]
    {
        var chosen: [Person: VisibilityModel.Participant] = [:]
        for person in Person.allCases where person != owner && !once(in: 4) {
            chosen[person] = .init(
                canWrite: !once(in: 3), hasJoined: old?.participants[person]?.hasJoined ?? false)
        }
        return chosen
    }

    private func list(_ participants: [Person: VisibilityModel.Participant]) -> [String] {
        Person.allCases.compactMap { person in
            participants[person].map { people.participant(person, $0.canWrite ? "READ_WRITE" : "READ_ONLY") }
        }
    }

    private func share(_ root: String?, _ owner: Person) throws {
        names += 1
        let name = root == nil ? "cloudkit.zoneshare" : "Share-\(names)"
        guard model[owner].shares[name] == nil else { return }
        var share = VisibilityModel.Share(root: root)
        if once(in: 2) {
            share.permission = once(in: 2) ? "READ_ONLY" : "READ_WRITE"
        } else {
            share.participants = participants(owner)
        }
        let answer = try modify(
            people.share(name, of: root, list(share.participants), permission: share.permission), as: owner, in: owner)
        let what = "\(owner) shares \(root ?? "the zone") as \(name): \(share.permission) \(share.participants)"
        guard note(what, root == nil ? "share zone" : "share", answer) else { return }
        model[owner].shares[name] = share
        try expect(!model[owner].hasNestedShares, "a share is inside of another one")
        addresses[owner, default: [:]][root ?? ""] = answer["shortGUID"].string
    }

    private func edit(_ name: String, _ owner: Person) throws {
        guard var share = model[owner].shares[name] else { return }
        let tag = try tag(of: name, owner)
        let old = share
        // Often only who may visit changes, forth and back.
        let isVisit = once(in: 2)
        let permission = isVisit || once(in: 3) ? any(["NONE", "READ_ONLY", "READ_WRITE"]) : nil
        let named = isVisit || once(in: 4) ? nil : participants(owner, among: share)
        let answer = try modify(
            people.share(name, of: nil, named.map(list), permission: permission, tag: tag), as: owner, in: owner)
        let what = "\(owner) edits \(name): \(permission ?? "-") \(named.map { "\($0)" } ?? "-")"
        share.permission = permission ?? share.permission
        if let named { share.participants = named }
        let invites = share.participants.contains { !$0.value.hasJoined && old.participants[$0.key] == nil }
        let isRefused = share.permission != "NONE" && invites
        try expect(note(what, "edit", answer) == !isRefused, "\(what): \(answer)")
        guard !isRefused else { return }
        if share.permission == "NONE" {
            share.visitors = []
        } else {
            share.participants = share.participants.filter { $0.value.hasJoined }
        }
        model.change(owner) { $0.shares[name] = share }
    }

    private func tag(of name: String, _ owner: Person) throws -> String? {
        try response(
            "private/records/lookup", #"{"zoneID":\#(zoneID(owner)),"records":[{"recordName":"\#(name)"}]}"#, as: owner)[
                "records"][0]["recordChangeTag"].string
    }

    private func unshare(_ name: String, _ owner: Person) throws {
        let answer = try modify(people.delete(name), as: owner, in: owner)
        try expect(note("\(owner) ends \(name)", "unshare", answer), "refused: \(answer)")
        model.change(owner) { $0.shares[name] = nil }
    }

    private func accept() throws {
        guard let owner = any(Person.allCases), let person = any(Person.allCases.filter({ $0 != owner })) else {
            return
        }
        // Mostly of shares that there are.
        let live = Set(model[owner].shares.values.map { $0.root ?? "" })
        let known = (addresses[owner] ?? [:]).keys.sorted().filter { once(in: 5) || live.contains($0) }
        guard let root = any(known), let guid = addresses[owner]?[root] else { return }
        last = (person, owner)
        let answer = try response(
            "public/records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#, as: person)["results"][0]
        let name = model[owner].shares.first { ($0.value.root ?? "") == root }?.key
        let share = name.flatMap { model[owner].shares[$0] }
        let may = share.map { $0.participants[person] != nil || $0.permission != "NONE" } ?? false
        try expect(
            note("\(person) accepts \(name ?? "what was shared") of \(owner)", "accept", answer) == may, "\(answer)")
        guard may, let name, var share else { return }
        if share.participants[person] != nil {
            share.participants[person]?.hasJoined = true
        } else {
            share.visitors.insert(person)
        }
        model.change(owner) { $0.shares[name] = share }
    }

    private func leave() throws {
        guard let pair = anyPair(), let name = any(model.shares(pair)) else { return }
        let answer = try modify(people.delete(name), as: pair.person, in: pair.owner)
        try expect(note("\(pair.person) leaves \(name) of \(pair.owner)", "leave", answer), "refused: \(answer)")
        model.change(pair.owner) { zone in
            zone.shares[name]?.participants[pair.person] = nil
            zone.shares[name]?.visitors.remove(pair.person)
        }
    }

    /// Mostly somebody who sees something.
    private func anyPair() -> Pair? {
        any(once(in: 8) ? VisibilityModel.pairs : VisibilityModel.pairs.filter { model.visible($0) != nil })
    }

    /// Something in a zone of somebody else, which is often not allowed.
    private func actAsMember() throws {
        guard let pair = anyPair() else { return }
        let (zone, visible) = (model[pair.owner], model.visible(pair) ?? [:])
        let known = once(in: 5) ? zone.records.keys.sorted() : visible.keys.sorted()
        guard let name = any(known) else { return }
        let (who, text) = ("\(pair.person) in \(pair.owner)'s", newText())
        let mayWrite = model.mayWrite(name, pair)
        func modify(_ operation: String) throws -> JSON { try self.modify(operation, as: pair.person, in: pair.owner) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
            let file = try upload(for: name, as: pair.person, in: pair.owner)
            let answer = try modify(save(name, parent: nil, kind: "forceUpdate", text: text, file: file))
            try expect(note("\(who): writes \(name)", "write", answer) == mayWrite, "\(answer)")
            if mayWrite { wrote(text, file?.content, in: name, of: pair.owner) }
        case 3..<5:
            names += 1
            let new = "n\(names)x"
            let file = try upload(for: new, as: pair.person, in: pair.owner)
            let answer = try modify(save(new, parent: .some(name), kind: "create", text: text, file: file))
            try expect(note("\(who): adds \(new) below \(name)", "add", answer) == mayWrite, "\(answer)")
            if mayWrite { model[pair.owner].records[new] = .init(parent: name, text: text, file: file?.content) }
        case 5..<7:
            let answer = try modify(people.delete(name))
            let code = answer["serverErrorCode"].string
            let isRoot = zone.shares.values.contains { $0.root == name }
            let hasChildren = zone.records.contains { $0.value.parent == name && $0.key != name }
            log.append("\(who): removes \(name): \(code ?? "ok")")
            guard visible[name] != nil else {
                return try expect(code == nil || code == "ZONE_NOT_FOUND", "as for what does not exist: \(answer)")
            }
            if mayWrite, !isRoot, !hasChildren { try expect(code == nil, "\(answer)") }
            if code == nil {
                try expect(mayWrite && !isRoot, "\(answer)")
                counts["remove", default: 0] += 1
                model.remove(name, of: pair.owner)
            }
        default:
            let others =
                once(in: 3) ? Set(zone.records.keys) : zone.shares.values.map(zone.content).first { $0.contains(name) }
            guard let parent = any((others ?? []).sorted()) else { return }
            let answer = try modify(save(name, parent: .some(parent), kind: "forceUpdate", text: text))
            guard note("\(who): moves \(name) below \(parent)", "shift", answer) else { return }
            try expect(mayWrite && zone.share(of: parent) == zone.share(of: name), "\(answer)")
            moved(name, to: parent, text, of: pair.owner)
        }
    }

    // MARK: Comparison

    func compare(_ step: Int) throws {
        sent = []
        let pairs = step % 20 == 19 ? VisibilityModel.pairs : [any(VisibilityModel.pairs)].compactMap(\.self)
        for pair in pairs {
            try query(pair)
            if once(in: 2) { try queryBelow(pair) }
            try open(pair)
            if once(in: 2) { try lookUp(pair) }
            if !once(in: 3) { try follow(pair) }
        }
    }

    private func query(_ pair: Pair) throws {
        let answer = try response(
            "shared/records/query", #"{"zoneID":\#(zoneID(pair.owner)),"query":{"recordType":"Note"}}"#, as: pair.person
        )
        guard let visible = model.visible(pair) else {
            return try expect(answer["serverErrorCode"] == "ZONE_NOT_FOUND", "\(pair) finds \(answer)")
        }
        try expect(texts(answer["records"].elements) == visible.mapValues(\.text), "\(pair) finds \(answer)")
        let markers = answer["records"].elements.contains { record in
            let name = record["recordName"].string ?? ""
            let isRoot = model[pair.owner].shares.values.contains {
                $0.root == name && $0.right(of: pair.person) != nil
            }
            return isRoot != !record["share"].isAbsent || isRoot && !record["parent"].isAbsent
                || record["recordChangeTag"].string?.count != 16
        }
        try expect(!markers, "members of roots: \(answer)")
        for record in answer["records"].elements {
            let link = record["fields"]["file"]["value"]["downloadURL"].string
            let content = visible[record["recordName"].string ?? ""]?.file
            try expect((link == nil) == (content == nil), "the file of \(record)")
            guard let link, let content, once(in: 3) else { continue }
            try expect(try opened(link, as: pair) == content, "\(pair) opens \(content)")
            counts["file", default: 0] += 1
            links[pair, default: []].append((link, content))
        }
    }

    /// What is above a shared record is hidden, from queries for what is below it, too.
    private func queryBelow(_ pair: Pair) throws {
        let zone = model[pair.owner]
        guard let parent = any(zone.records.keys.sorted()), let visible = model.visible(pair) else { return }
        let answer = try response(
            "shared/records/query",
            #"{"zoneID":\#(zoneID(pair.owner)),"query":{"recordType":"Note","filterBy":[{"fieldName":"___parent","comparator":"EQUALS","fieldValue":{"value":{"recordName":"\#(parent)"}}}]}}"#,
            as: pair.person)
        let expected = visible.filter { $0.value.parent == parent && visible[parent] != nil }
        try expect(
            texts(answer["records"].elements) == expected.mapValues(\.text), "\(pair) finds below \(parent) \(answer)")
    }

    /// Opens a file. - Returns: Its content; nil if it is not there for the person.
    private func opened(_ link: String, as pair: Pair) throws -> String? {
        let answer = try people.exchange("GET", link)
        try checkTexts(in: answer.body, of: pair.person)
        return answer.status == 200 ? String(decoding: answer.body, as: UTF8.self) : nil
    }

    /// Opens a file with a link that somebody once got: it contains what they see now, or nothing.
    private func open(_ pair: Pair) throws {
        guard let link = any(links[pair] ?? []), let content = try opened(link.url, as: pair) else { return }
        let isThere = model.visible(pair)?.values.contains { $0.file == content } ?? false
        try expect(isThere && content == link.content, "\(pair) opens \(content)")
    }

    private func texts(_ records: [JSON]) -> [String: String] {
        var texts: [String: String] = [:]
        for record in records where record["recordType"] == "Note" {
            if let name = record["recordName"].string { texts[name] = record["fields"]["text"]["value"].string }
        }
        return texts
    }

    private func lookUp(_ pair: Pair) throws {
        let zone = model[pair.owner]
        let names = Array(zone.records.keys.sorted().shuffled(using: &random).prefix(12)) + zone.shares.keys.sorted()
        guard !names.isEmpty else { return }
        let asked = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
        let answer = try response(
            "shared/records/lookup", #"{"zoneID":\#(zoneID(pair.owner)),"records":[\#(asked)]}"#, as: pair.person)
        guard let visible = model.visible(pair) else {
            return try expect(answer["serverErrorCode"] == "ZONE_NOT_FOUND", "\(pair) looks up \(answer)")
        }
        let shares = model.shares(pair)
        for (name, record) in zip(names, answer["records"].elements) {
            let isThere = visible[name] != nil || shares.contains(name)
            try expect(record["serverErrorCode"].string == (isThere ? nil : "NOT_FOUND"), "\(pair): \(name): \(record)")
            guard shares.contains(name) else { continue }
            let listed = record["participants"].elements.compactMap(\.["userIdentity"]["userRecordName"].string)
            try expect(
                Set(listed).isSubset(of: [people.name(pair.owner), people.name(pair.person)]), "\(pair): \(record)")
        }
    }

    private func follow(_ pair: Pair) throws {
        if once(in: 12) { backups[pair] = followers[pair] }
        if once(in: 25), let backup = backups[pair] { followers[pair] = backup }
        var follower = followers[pair] ?? Follower(losses: model.losses[pair] ?? 0)
        let limit = any([1, 2, 5, 200]) ?? 200
        var isMore = true
        while isMore {
            let sent = follower.token.map { #","syncToken":"\#($0)""# } ?? ""
            let page = try response(
                "shared/changes/zone",
                #"{"zones":[{"zoneID":\#(zoneID(pair.owner)),"resultsLimit":\#(limit)\#(sent)}]}"#, as: pair.person)[
                    "zones"][0]
            guard let visible = model.visible(pair) else {
                try expect(page["serverErrorCode"] == "ZONE_NOT_FOUND", "\(pair) follows \(page)")
                followers[pair] = nil
                return
            }
            if let code = page["serverErrorCode"].string {
                try expect(
                    code == "BAD_REQUEST" && (model.losses[pair] ?? 0) > follower.losses,
                    "the token of \(pair) is expired: \(page)")
                follower = Follower(losses: model.losses[pair] ?? 0)
                continue
            }
            for record in page["records"].elements {
                let name = record["recordName"].string ?? ""
                if record["deleted"] == .bool(true) {
                    try expect(
                        everSeen[pair]?.contains(name) == true || visible[name] != nil,
                        "\(pair) learns of \(name): \(page)")
                    follower.records[name] = nil
                } else if record["recordType"] == "Note" {
                    try expect(visible[name] != nil, "\(pair) gets \(name): \(page)")
                    follower.records[name] = record["fields"]["text"]["value"].string
                }
            }
            follower.token = page["syncToken"].string
            isMore = page["moreComing"] == .bool(true)
        }
        let visible = model.visible(pair) ?? [:]
        try expect(
            follower.records == visible.mapValues(\.text), "\(pair) has \(follower.records), and sees \(visible)")
        followers[pair] = follower
    }

    /// Compares the lists of zones, after members were notified.
    func compareLists() async throws {
        await people.cloud.runDueJobs()
        for person in present {
            let expected = Set(
                VisibilityModel.pairs.filter { $0.person == person && model.visible($0) != nil }
                    .map { people.name($0.owner) })
            let listed = try response("shared/zones/list", "{}", as: person)["zones"].elements
                .filter { $0["zoneID"]["zoneName"] == "Box" }.compactMap(\.["zoneID"]["ownerRecordName"].string)
            try expect(Set(listed) == expected, "\(person) lists \(listed), and sees \(expected)")
            var (token, zones) = lists[person] ?? (nil, [])
            var isMore = true
            while isMore {
                let sent = token.map { #","syncToken":"\#($0)""# } ?? ""
                let page = try response(
                    "shared/changes/database", #"{"resultsLimit":\#(any([1, 2, 200]) ?? 200)\#(sent)}"#, as: person)
                try expect(page["serverErrorCode"].isAbsent, "\(page)")
                for zone in page["zones"].elements {
                    let owner = zone["zoneID"]["ownerRecordName"].string ?? ""
                    if zone["deleted"] == .bool(true) { zones.remove(owner) } else { zones.insert(owner) }
                }
                (token, isMore) = (page["syncToken"].string, page["moreComing"] == .bool(true))
            }
            try expect(zones == expected, "\(person) follows \(zones), and sees \(expected); \(log.suffix(20))")
            lists[person] = (token, zones)
        }
    }

    /// Compares who was notified with who had something to ask for. A notification says nothing about what happened.
    func compareNotifications() async throws {
        sent = []
        let payloads = try await people.payloads()
        for person in present {
            let own = UserID(recordName: people.name(person)).flatMap { payloads[$0] } ?? []
            try expect(!own.isEmpty || !due.must.contains(person), "\(person) is not notified")
            try expect(own.isEmpty || due.may.contains(person), "\(person) is notified of nothing: \(own)")
            for payload in own {
                try checkTexts(in: Array(payload.utf8), of: person)
                let names = ["Box", "Share-"] + Person.allCases.filter { $0 != person }.map(people.name)
                try expect(!names.contains(where: payload.contains), "\(person) is notified: \(payload)")
            }
        }
        due = ([], [])
    }

    /// Somebody has left for good: the others see what is left.
    func erased(_ person: Person) async throws {
        log.append("\(person) leaves for good")
        model.erase(person)
        present = Person.allCases.filter { $0 != person }
        sent = []
        for pair in VisibilityModel.pairs where pair.person != person {
            try query(pair)
            try lookUp(pair)
            try follow(pair)
            for link in links[pair] ?? [] where try opened(link.url, as: pair) != nil {
                let isThere = model.visible(pair)?.values.contains { $0.file == link.content } ?? false
                try expect(isThere, "\(pair) opens \(link.content)")
            }
        }
        try await compareLists()
    }
}
