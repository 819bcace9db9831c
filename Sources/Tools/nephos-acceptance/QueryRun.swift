import CloudKitWire
import NephosTesting

/// Runs all queries that the indexes of a type allow in one user's zones, and compares the results with the expected records.
struct QueryRun {
    let session: Session
    /// The zones in the order of their creation, each with its records in the order of theirs.
    let zones: [(name: String, records: [ExpectedRecord])]
    var generator: SeededGenerator

    mutating func run(_ shape: RecordShape, _ findings: inout Findings) throws {
        let fields = shape.queriedFields
        try askForUnindexed(shape, &findings)
        for field in fields {
            for comparator in field.comparators {
                guard let filter = filter(field, comparator, shape) else { continue }
                try ask(shape, [filter], [], &findings)
            }
            for isDescending in [false, true] where field.indexes.contains(.sortable) && field.type != .location {
                try sort(shape, PlainSort(field: field, isDescending: isDescending), &findings)
            }
            if field.type == .location, !field.indexes.isEmpty { try sort(shape, distanceSort(field), &findings) }
        }
        if shape.mayListAll {
            try ask(shape, [], [], &findings)
        } else {
            try expectRefusal(of: ["recordType": .string(shape.name)], "Field 'recordName' ", &findings)
        }
        guard !fields.isEmpty else { return }
        for _ in 0..<6 { try askAtRandom(shape, fields, &findings) }
    }

    /// Queries on a field without QUERYABLE must be rejected with a matching error. Lists of locations are rejected as such.
    private mutating func askForUnindexed(_ shape: RecordShape, _ findings: inout Findings) throws {
        for field in shape.fields where field.indexes.isEmpty && !field.isEncrypted {
            guard let value = EdgeValues.all(of: field.type.element ?? field.type, target: "x", .none).first else {
                continue
            }
            let queried = QueriedField(name: field.name, type: field.type, indexes: [])
            let comparator = field.type.isList ? "LIST_CONTAINS" : field.type == .location ? "NEAR" : "EQUALS"
            let filter = PlainFilter(
                field: queried, comparator: comparator, operands: [value], distance: comparator == "NEAR" ? 1 : nil)
            let beginning = field.type == .locationList ? "Field has a value type of " : "Field '\(field.name)' "
            try expectRefusal(
                of: ["recordType": .string(shape.name), "filterBy": [filter.json]], beginning, &findings)
        }
    }

    private func expectRefusal(of query: JSON, _ beginning: String, _ findings: inout Findings) throws {
        let response = try session.client.post("records/query", .private, ["query": query])
        findings.queries += 1
        let reason = try response.json["reason"].string ?? ""
        if response.status != 400 || !reason.hasPrefix(beginning) {
            findings.mismatch("query \(query) has no index, and was answered \(response.status) \(reason)")
        }
    }

    /// Sorts by one key. If listing all records is not allowed, a filter is added.
    private mutating func sort(_ shape: RecordShape, _ sort: PlainSort, _ findings: inout Findings) throws {
        guard !shape.mayListAll else { return try ask(shape, [], [sort], &findings) }
        for field in shape.queriedFields {
            guard let comparator = field.comparators.randomElement(using: &generator),
                let filter = filter(field, comparator, shape)
            else { continue }
            return try ask(shape, [filter], [sort], &findings)
        }
    }

    private mutating func askAtRandom(
        _ shape: RecordShape, _ fields: [QueriedField], _ findings: inout Findings
    ) throws {
        var filters: [PlainFilter] = []
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            guard let field = fields.randomElement(using: &generator),
                let comparator = field.comparators.randomElement(using: &generator),
                let filter = filter(field, comparator, shape)
            else { continue }
            filters.append(filter)
        }
        let sortable = fields.filter { $0.indexes.contains(.sortable) && $0.type != .location }
        var sorts: [PlainSort] = []
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            guard let field = sortable.randomElement(using: &generator),
                !sorts.contains(where: { $0.field.name == field.name })
            else { continue }
            sorts.append(PlainSort(field: field, isDescending: generator.once(in: 2)))
        }
        guard !filters.isEmpty || shape.mayListAll else { return }
        try ask(shape, filters, sorts, &findings)
    }

    private mutating func distanceSort(_ field: QueriedField) -> PlainSort {
        let origin = EdgeValues.all(of: .location, target: "", .none).randomElement(using: &generator)
        return PlainSort(field: field, isDescending: false, origin: origin)
    }

    // MARK: - Operands

    /// A filter with operands that some records meet and others do not.
    private mutating func filter(
        _ field: QueriedField, _ comparator: String, _ shape: RecordShape
    ) -> PlainFilter? {
        var filter = PlainFilter(field: field, comparator: comparator, operands: [])
        if comparator.hasSuffix("TOKENS") {
            let words = ["plain words", "LONG", "inside nul", "Composed", "script", "not there", "U0041 x"]
            filter.operands = [.string(words.randomElement(using: &generator) ?? "plain")]
            return filter
        }
        let candidates = candidates(field, shape)
        guard let one = candidates.randomElement(using: &generator) else { return nil }
        if comparator.hasSuffix("BEGINS_WITH") {
            let text = one.string ?? ""
            filter.operands = [.string(String(text.prefix(Int.random(in: 0...6, using: &generator))))]
        } else if comparator == "NEAR" {
            filter.operands = [one]
            filter.distance = radius(around: one, field)
        } else if comparator.hasSuffix("IN") || comparator.hasSuffix("_ANY") || comparator.hasSuffix("_ALL") {
            let count = Int.random(in: 1...3, using: &generator)
            filter.operands = (0..<count).compactMap { _ in candidates.randomElement(using: &generator) }
        } else {
            filter.operands = [one]
        }
        return filter
    }

    private mutating func candidates(_ field: QueriedField, _ shape: RecordShape) -> [JSON] {
        let records = zones.flatMap(\.records).filter { $0.shape.name == shape.name }
        switch field.meaning {
        case .recordName: return records.map { .string($0.name) } + ["nobody"]
        case .createdAt: return records.map { .int($0.createdAt) }
        case .modifiedAt: return records.map { .int($0.modifiedAt) }
        case .field:
            let target = records.randomElement(using: &generator)?.name ?? "nobody"
            return EdgeValues.all(of: field.type.element ?? field.type, target: target, .none)
        }
    }

    /// A radius without records near its edge.
    private mutating func radius(around origin: JSON, _ field: QueriedField) -> Double {
        guard let origin = PlainValue(origin, as: .location) else { return 1 }
        let distances = zones.flatMap(\.records).compactMap { field.values(of: $0)?.first?.distance(to: origin) }
        let radii: [Double] = [10, 150_000, 6_000_000, 15_000_000]
        let radius = radii.randomElement(using: &generator) ?? 10
        return distances.contains { abs($0 - radius) < radius / 1_000 } ? radius * 1.01 : radius
    }

    // MARK: - Queries

    /// Queries one zone or all, with any page size, and compares records and order.
    private mutating func ask(
        _ shape: RecordShape, _ filters: [PlainFilter], _ sorts: [PlainSort], _ findings: inout Findings
    ) throws {
        let isWide = generator.once(in: 4)
        let extent = isWide ? zones : [zones[Int.random(in: zones.indices, using: &generator)]]
        let body: JSON = [
            "query": [
                "recordType": .string(shape.name), "filterBy": .array(filters.map(\.json)),
                "sortBy": .array(sorts.map(\.json)),
            ],
            "zoneWide": isWide ? true : .absent,
            "zoneID": isWide ? .absent : ["zoneName": .string(extent[0].name)],
            "desiredKeys": [],
        ]
        findings.queries += 1
        let expected = expected(shape, filters, sorts, in: extent)
        let found: [String]
        do {
            found = try pages(body)
        } catch let error as UnusableAnswer {
            return findings.mismatch("query \(body): \(error.description)")
        }
        if sorts.first?.origin != nil {
            compareDistances(found, expected, sorts[0], body, &findings)
        } else if found != expected.map(\.name) {
            findings.mismatch("query \(body): found \(found), not \(expected.map(\.name))")
        }
    }

    private mutating func pages(_ body: JSON) throws -> [String] {
        var found: [String] = []
        var body = body
        for _ in 0..<2_000 {
            let limit = Int64.random(in: 1...(generator.once(in: 3) ? 200 : 12), using: &generator)
            body["resultsLimit"] = .int(limit)
            let answer = try session.post("records/query", body)
            guard answer["records"].isArray, answer["records"].elements.count <= Int(limit) else {
                throw UnusableAnswer(description: "answered \(answer)")
            }
            found += answer["records"].elements.map { $0["recordName"].string ?? "?" }
            body["continuationMarker"] = answer["continuationMarker"]
            if answer["continuationMarker"].isAbsent { return found }
        }
        throw UnusableAnswer(description: "continuation markers do not end")
    }

    /// Ordered by the sorts, else by name; equal ones by zone, then by creation.
    private func expected(
        _ shape: RecordShape, _ filters: [PlainFilter], _ sorts: [PlainSort],
        in extent: [(name: String, records: [ExpectedRecord])]
    ) -> [ExpectedRecord] {
        let all = extent.flatMap(\.records)
            .filter { record in record.shape.name == shape.name && filters.allSatisfy { $0.matches(record) } }
        return all.enumerated().sorted { left, right in
            for sort in sorts {
                let order = sort.compare(left.element, right.element)
                if order != 0 { return order < 0 }
            }
            if sorts.isEmpty, left.element.name != right.element.name {
                return left.element.name.utf8.lexicographicallyPrecedes(right.element.name.utf8)
            }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// Compares the records, and that none is nearer than the one before it. Records at the same distance, to the millimeter, may
    /// be in any order.
    private func compareDistances(
        _ found: [String], _ expected: [ExpectedRecord], _ sort: PlainSort, _ body: JSON, _ findings: inout Findings
    ) {
        guard found.sorted() == expected.map(\.name).sorted() else {
            return findings.mismatch("query \(body): found \(found), not \(expected.map(\.name)) in any order")
        }
        let distances = Dictionary(expected.map { ($0.name, sort.distance(of: $0)) }) { first, _ in first }
        let walked = found.map { distances[$0] ?? .infinity }
        for (one, next) in zip(walked, walked.dropFirst()) where next < one - 0.001 {
            return findings.mismatch("query \(body): \(next) m follows \(one) m")
        }
    }
}

extension RecordShape {
    /// Whether queries without a filter are allowed.
    var mayListAll: Bool {
        queriedFields.contains { $0.meaning == .recordName && $0.indexes.contains(.queryable) }
    }

    /// Everything with an index.
    var queriedFields: [QueriedField] {
        let own = filledFields.filter { !$0.indexes.isEmpty && !$0.isEncrypted }.map {
            QueriedField(name: $0.name, type: $0.type, indexes: $0.indexes)
        }
        let system = systemFields.compactMap { field -> QueriedField? in
            guard !field.indexes.isEmpty else { return nil }
            switch field.name {
            case "___recordID":
                return QueriedField(
                    name: "recordName", isSystem: true, meaning: .recordName, type: .string, indexes: field.indexes)
            case "___createTime":
                return QueriedField(
                    name: "createdTimestamp", isSystem: true, meaning: .createdAt, type: .timestamp,
                    indexes: field.indexes)
            case "___modTime":
                return QueriedField(
                    name: "___modTime", meaning: .modifiedAt, type: .timestamp, indexes: field.indexes)
            default: return nil
            }
        }
        return own + system
    }
}

extension QueriedField {
    /// The comparators that its indexes allow, according to the schema language.
    var comparators: [String] {
        if meaning == .recordName {
            return indexes.contains(.queryable) ? ["EQUALS", "NOT_EQUALS", "IN", "NOT_IN"] : []
        }
        var all: [String] = []
        let compared: Set<FieldType> = [.string, .int64, .double, .timestamp, .bytes]
        if indexes.contains(.queryable) {
            if compared.contains(type) || type == .reference { all += ["EQUALS", "NOT_EQUALS", "IN", "NOT_IN"] }
            if type == .string { all += ["BEGINS_WITH", "NOT_BEGINS_WITH"] }
            if let element = type.element, compared.contains(element) || element == .reference {
                all += [
                    "LIST_CONTAINS", "NOT_LIST_CONTAINS", "LIST_CONTAINS_ANY", "NOT_LIST_CONTAINS_ANY",
                    "LIST_CONTAINS_ALL", "NOT_LIST_CONTAINS_ALL",
                ]
            }
            if type == .stringList { all += ["LIST_MEMBER_BEGINS_WITH", "NOT_LIST_MEMBER_BEGINS_WITH"] }
            if type == .location { all += ["NEAR"] }
        }
        if compared.contains(type), !indexes.isDisjoint(with: [.queryable, .sortable]) {
            all += ["LESS_THAN", "LESS_THAN_OR_EQUALS", "GREATER_THAN", "GREATER_THAN_OR_EQUALS"]
        }
        if indexes.contains(.searchable) { all += ["CONTAINS_ALL_TOKENS", "CONTAINS_ANY_TOKENS"] }
        return all
    }
}
