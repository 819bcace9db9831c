public import CloudKitWire
public import NephosStorage

/// A typed document in the catalog of a tenant that configures a feature there (docs/decisions/0032). It is parsed once for each
/// version of a catalog, for everything that uses that version: ``NephosStorage/Catalog/value(of:)``.
public struct CatalogSection<Value: Sendable>: Sendable {
    /// A lowercase word, unique among sections.
    public let name: String
    /// Whether a deploy of the schema copies it to production, for settings that define how records are used. Otherwise each
    /// environment has its own.
    public let isDeployed: Bool
    private let read: @Sendable (Bytes) throws(SectionFailure) -> Value
    private let uses: @Sendable (Value) -> [SchemaUse]
    private let effects: @Sendable (Value?, Value?) -> [SectionEffect]

    /// - Parameters:
    ///   - uses: The record types and fields that a document uses.
    ///   - effects: What a change from one document to another does; nil for no document. Pure.
    ///   - read: Parses a document, or throws why it is not valid. Pure.
    public init(
        _ name: String, isDeployed: Bool, uses: @escaping @Sendable (Value) -> [SchemaUse],
        effects: @escaping @Sendable (_ old: Value?, _ new: Value?) -> [SectionEffect],
        read: @escaping @Sendable (Bytes) throws(SectionFailure) -> Value
    ) {
        self.name = name
        self.isDeployed = isDeployed
        (self.uses, self.effects, self.read) = (uses, effects, read)
    }

    /// A section with JSON documents, as in the settings of a container.
    public init(
        _ name: String, isDeployed: Bool, uses: @escaping @Sendable (Value) -> [SchemaUse],
        effects: @escaping @Sendable (_ old: Value?, _ new: Value?) -> [SectionEffect],
        json read: @escaping @Sendable (inout JSONReader) throws(WireError) -> Value
    ) {
        self.init(name, isDeployed: isDeployed, uses: uses, effects: effects) { document throws(SectionFailure) in
            do throws(WireError) {
                var json = try JSONReader(document)
                let value = try read(&json)
                try json.finish()
                return value
            } catch {
                throw SectionFailure(error)
            }
        }
    }
}

/// The value of a section whose documents are JSON, which says itself what it uses and what a change does.
public protocol SectionSettings: Sendable {
    /// Reads a document.
    init(_ json: inout JSONReader) throws(WireError)

    /// The record types and fields that it uses.
    var uses: [SchemaUse] { get }

    /// What a change does; nil for no document.
    static func effects(from old: Self?, to new: Self?) -> [SectionEffect]
}

extension SectionSettings {
    public var uses: [SchemaUse] { [] }
}

extension CatalogSection where Value: SectionSettings {
    public init(_ name: String, isDeployed: Bool) {
        self.init(
            name, isDeployed: isDeployed, uses: { $0.uses }, effects: { Value.effects(from: $0, to: $1) },
            json: { json throws(WireError) in try Value(&json) })
    }
}

/// Why a document is not valid for a section.
public struct SectionFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// For people: what is wrong.
    public let reason: String
    /// The place in a JSON document, such as `spanish.all[0].app`; empty for the whole.
    public let path: String

    public init(_ reason: String, at path: String = "") { (self.reason, self.path) = (reason, path) }

    public init(_ error: WireError) { self.init(error.message, at: error.path) }

    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

/// A section with a value of any type.
public protocol AnyCatalogSection: Sendable {
    var name: String { get }
    var isDeployed: Bool { get }
    /// The parsed document.
    func anyValue(of document: Bytes) throws(SectionFailure) -> any Sendable
    /// The same in the form in which catalogs keep it: checking the class of an object is cheap.
    func kept(_ document: Bytes) throws(SectionFailure) -> any AnyObject & Sendable
    /// The record types and fields that a document uses.
    func uses(of document: Bytes) throws(SectionFailure) -> [SchemaUse]
    /// What a change from one document to another does; nil for no document.
    func effects(from old: Bytes?, to new: Bytes?) -> [SectionEffect]
}

extension CatalogSection: AnyCatalogSection {
    public func anyValue(of document: Bytes) throws(SectionFailure) -> any Sendable { try read(document) }

    public func kept(_ document: Bytes) throws(SectionFailure) -> any AnyObject & Sendable {
        SectionValue(try read(document))
    }

    public func uses(of document: Bytes) throws(SectionFailure) -> [SchemaUse] { uses(try read(document)) }

    public func effects(from old: Bytes?, to new: Bytes?) -> [SectionEffect] {
        do throws(SectionFailure) {
            var values: (old: Value?, new: Value?)
            if let old { values.old = try read(old) }
            if let new { values.new = try read(new) }
            return effects(values.old, values.new)
        } catch {
            // What a newer server has set up may hide or refuse anything.
            return [
                SectionEffect(.reveals, "what its present settings hide or refuse is unknown to this server: \(error)")
            ]
        }
    }
}

private final class SectionValue<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension Catalog {
    /// The sections that features of this server read.
    public var knownSections: [any AnyCatalogSection] { rules.knownSections }

    /// The value of a section; nil if it does not exist.
    ///
    /// - Throws: If it cannot be parsed: it was written for a newer server. Code that refuses or hides because of it then refuses or
    ///   hides everything.
    public func value<Value>(of section: CatalogSection<Value>) throws(SectionFailure) -> Value? {
        switch rules.sections[section.name] {
        case .success(let kept)?:
            guard let kept = kept as? SectionValue<Value> else {
                throw SectionFailure("section \(section.name) belongs to another feature")
            }
            return kept.value
        case .failure(let failure)?: throw failure
        case nil:
            guard sections[section.name] != nil else { return nil }
            throw SectionFailure("no feature of this server reads section \(section.name)")
        }
    }
}
