import CloudKitWire
package import NephosDomain
package import NephosStorage
import NephosYAML

/// The difference between the settings of an environment and others, for the operator who decides about them
/// (docs/decisions/0056).
package struct SettingsDifference: Sendable, Equatable {
    /// The sections that differ, by name.
    package fileprivate(set) var sections: [Section] = []

    package struct Section: Sendable, Equatable {
        package let name: String
        /// nil if there is none.
        let old, new: Bytes?
        package fileprivate(set) var effects: [SectionEffect]
    }

    package var isEmpty: Bool { sections.isEmpty }

    package var removesSections: Bool { sections.contains { $0.new == nil } }

    /// Without a section.
    package func without(_ name: String) -> SettingsDifference {
        var difference = self
        difference.sections.removeAll { $0.name == name }
        return difference
    }

    /// Whether it does something that the previous settings do not undo, and that nobody has just written: a section or an entry that
    /// is only added does what it says; one that is removed or changed may do what nobody thought of.
    package var isIrreversible: Bool {
        sections.contains { section in
            section.old != nil && section.effects.contains { $0.kind.isIrreversible && !$0.isAdded }
        }
    }
}

extension SettingsDifference: CustomStringConvertible {
    /// Each section with its changed lines, and then the effects, the irreversible ones first.
    package var description: String {
        guard !isEmpty else { return "No changes." }
        let effects = SectionEffect.Kind.allCases.flatMap { kind in
            sections.flatMap { section in
                section.effects.filter { $0.kind == kind }.map { "  \(kind): \(section.name): \($0.sentence)" }
            }
        }
        return (["Settings:"] + sections.flatMap(\.lines) + (effects.isEmpty ? [] : ["Effects:"] + effects))
            .joined(separator: "\n")
    }
}

extension SettingsDifference.Section {
    fileprivate var lines: [String] {
        let sign = old == nil ? "+" : new == nil ? "-" : "~"
        let changes = LineDifference(from: Self.text(of: old), to: Self.text(of: new)).lines
        return ["  \(sign) \(name)"] + changes.map { "    \($0)" }
    }

    /// As in a file of settings, without the name of the section.
    private static func text(of document: Bytes?) -> String {
        guard let document else { return "" }
        do {
            let value = try YAMLText.print([("section", document)]).dropFirst("section:".count)
            // A short value follows the name on its line; the lines of others are indented, unless it is a list.
            let lines = value.split(separator: "\n")
            let isIndented = lines.allSatisfy { $0.hasPrefix("  ") }
            return lines.map { isIndented ? $0.dropFirst(2) : $0.trimmingPrefix(" ") }.joined(separator: "\n")
        } catch {
            return String(decoding: document, as: UTF8.self)
        }
    }
}

extension Administration {
    /// The records that one sentence names.
    private static let namedRecordsMax = 5

    /// What changes if sections get these documents.
    ///
    /// If audiences change, it reads the records that may name one.
    ///
    /// - Parameter documents: By name; nil for sections to remove. Others stay.
    package func difference(
        from catalog: Catalog, to documents: [String: Bytes?], in store: any TenantStore
    ) throws(AdminError) -> SettingsDifference {
        var difference = SettingsDifference()
        for (name, new) in documents.sorted(by: { $0.key < $1.key }) {
            let old = catalog.sections[name]?.document
            guard old != new else { continue }
            let section = catalog.knownSections.first { $0.name == name }
            let unknown = SectionEffect(.reveals, "no feature of this server knows what it hides or refuses")
            difference.sections.append(
                SettingsDifference.Section(
                    name: name, old: old, new: new,
                    effects: section.map { $0.effects(from: old, to: new) } ?? [unknown]))
        }
        let audiences = Set(difference.sections.flatMap(\.effects).compactMap(\.audience))
        guard !audiences.isEmpty else { return difference }
        let namers = try namers(of: audiences, catalog, documents, store)
        for place in difference.sections.indices {
            difference.sections[place].effects = difference.sections[place].effects.compactMap { effect in
                guard let audience = effect.audience else { return effect }
                // What nothing names restricts nothing.
                guard let namers = namers[audience] else { return nil }
                return SectionEffect(
                    namers.mayReveal ? .reveals : effect.kind, "\(effect.sentence): it is named by \(namers.words)",
                    ofAudience: audience)
            }
        }
        return difference
    }

    /// What names an audience.
    private struct Namers {
        var first: [String] = []
        var count = 0
        /// Whether somebody may see more even if the audience includes fewer people.
        var mayReveal = false

        mutating func add(_ words: String, mayReveal: Bool) {
            count += 1
            if first.count < namedRecordsMax { first.append(words) }
            if mayReveal { self.mayReveal = true }
        }

        var words: String {
            let rest = count - first.count
            return first.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        }
    }

    /// The records of the public database that name audiences, in fields that sections use for it, now or afterwards.
    private func namers(
        of audiences: Set<String>, _ catalog: Catalog, _ documents: [String: Bytes?], _ store: any TenantStore
    ) throws(AdminError) -> [String: Namers] {
        var namers: [String: Namers] = [:]
        var fields: [Name: [Name: SchemaUse.Audiences]] = [:]
        for section in catalog.knownSections {
            let current = catalog.sections[section.name]?.document
            for document in Set([current, documents[section.name] ?? current].compactMap(\.self)) {
                do throws(SectionFailure) {
                    for use in try section.uses(of: document) where use.audiences != .none {
                        if case .field(let name) = use.part { fields[use.type, default: [:]][name] = use.audiences }
                    }
                } catch {
                    // A newer server's.
                    for audience in audiences {
                        namers[audience, default: Namers()].add(
                            "perhaps section \(section.name), which cannot be read", mayReveal: true)
                    }
                }
            }
        }
        for (name, fields) in fields.sorted(by: { $0.key < $1.key }) {
            guard let type = catalog.types[name] else { continue }
            let names = fields.keys.sorted()
            for database in 1...catalog.head.lanes {
                try forEachRecord(of: type.row.number, in: database, of: store) { record in
                    var named: [String: Bool] = [:]
                    CanonicalFields.read(names, in: record.liveFields(of: type)) { place, value in
                        let decides = fields[names[place]] == .decide
                        let text = AudienceNames(in: value.bytes ?? [], isJSON: decides)
                        let mayReveal = text.excludes || decides || text.isUnreadable
                        for audience in text.isUnreadable ? audiences : text.all.intersection(audiences) {
                            named[audience] = mayReveal || named[audience] == true
                        }
                    }
                    for (audience, mayReveal) in named {
                        namers[audience, default: Namers()].add(
                            "\(name) \(record.name.excerpt)", mayReveal: mayReveal)
                    }
                }
            }
        }
        return namers
    }

    /// Reads all records of a type in a database, page by page.
    package func forEachRecord(
        of type: TypeNumber, in database: DatabaseNumber, of store: any TenantStore, _ body: (RecordRow) -> Void
    ) throws(AdminError) {
        var position: NameScan.Position?
        repeat {
            var set = ReadSet()
            set.names = [
                NameScan(place: .database(database), type: type, after: position, limit: 1_000, byteLimit: 4 << 20)
            ]
            guard let page = try read(store, set).names.first else { return }
            for record in page.records { body(record) }
            position = page.next
        } while position != nil
    }
}

/// The names of audiences that the text of a field may contain.
private struct AudienceNames {
    /// The text itself, if it is a name, and otherwise all strings of the JSON, some of which are names.
    private(set) var all: Set<String> = []
    /// Whether it is a condition for those whom another one does not include.
    private(set) var excludes = false
    /// Whether this cannot say which audiences it names.
    private(set) var isUnreadable = false

    /// - Parameter isJSON: Whether it cannot be a name, as the rules of a flag.
    init(in text: Bytes, isJSON: Bool) {
        if isJSON {
            guard !text.isEmpty else { return }
        } else {
            // As ``AudienceText`` reads it.
            guard let first = text.first(where: { $0 != UInt8(ascii: " ") }) else { return }
            guard first == UInt8(ascii: "{") else {
                all = [String(decoding: text, as: UTF8.self)]
                return
            }
        }
        do throws(WireError) {
            // As deep as the rules of flags.
            var json = try JSONReader(text, limits: JSONLimits(depth: 64))
            try collect(&json)
            try json.finish()
        } catch {
            isUnreadable = true
        }
    }

    private mutating func collect(_ json: inout JSONReader) throws(WireError) {
        var me = self
        switch try json.kind {
        case .string: me.all.insert(String(decoding: try json.readString(), as: UTF8.self))
        case .array: try json.readArray { json, _ throws(WireError) in try me.collect(&json) }
        case .object:
            try json.readObject { json, key throws(WireError) in
                if key.name.text == "not" { me.excludes = true }
                try me.collect(&json)
            }
        case .number, .bool, .null: _ = try json.skipValue()
        }
        self = me
    }
}
