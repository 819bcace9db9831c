public import CloudKitWire
public import NephosStorage

/// A typed document in the catalog of a tenant, by which a feature is set up there (docs/decisions/0032). It is read once for each
/// version of a catalog, and everybody who judges by that version sees it: ``NephosStorage/Catalog/value(of:)``.
public struct CatalogSection<Value: Sendable>: Sendable {
    /// A word in lower case; no two have the same.
    public let name: String
    /// Whether a deploy of the schema takes it to production, as what says how records are used. Else each environment has its own.
    public let isDeployed: Bool
    private let read: @Sendable (Bytes) throws(SectionFailure) -> Value

    /// - Parameter read: Makes a value of a document, or says what is wrong with it. Pure.
    public init(
        _ name: String, isDeployed: Bool, read: @escaping @Sendable (Bytes) throws(SectionFailure) -> Value
    ) {
        self.name = name
        self.isDeployed = isDeployed
        self.read = read
    }

    /// One whose documents are JSON, as the settings of a container have them.
    public init(
        _ name: String, isDeployed: Bool, json read: @escaping @Sendable (inout JSONReader) throws(WireError) -> Value
    ) {
        self.init(name, isDeployed: isDeployed) { document throws(SectionFailure) in
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

/// Why a document is none of a section.
public struct SectionFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// For people: what is wrong.
    public let reason: String
    /// Where in a document that is JSON, such as `spanish.all[0].app`; empty for the whole.
    public let path: String

    public init(_ reason: String, at path: String = "") { (self.reason, self.path) = (reason, path) }

    public init(_ error: WireError) { self.init(error.message, at: error.path) }

    public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

/// A section, whatever its values are.
public protocol AnyCatalogSection: Sendable {
    var name: String { get }
    var isDeployed: Bool { get }
    /// What a document says.
    func anyValue(of document: Bytes) throws(SectionFailure) -> any Sendable
    /// The same as catalogs keep it: it takes little to see of which class an object is.
    func kept(_ document: Bytes) throws(SectionFailure) -> any AnyObject & Sendable
}

extension CatalogSection: AnyCatalogSection {
    public func anyValue(of document: Bytes) throws(SectionFailure) -> any Sendable { try read(document) }

    public func kept(_ document: Bytes) throws(SectionFailure) -> any AnyObject & Sendable {
        SectionValue(try read(document))
    }
}

private final class SectionValue<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension Catalog {
    /// The sections that features of this server read.
    public var knownSections: [any AnyCatalogSection] { rules.knownSections }

    /// What a section says; nil where it is not there.
    ///
    /// - Throws: Where it cannot be read: it was written for a newer server. Whoever refuses or hides by it then refuses or hides all.
    public func value<Value>(of section: CatalogSection<Value>) throws(SectionFailure) -> Value? {
        switch rules.sections[section.name] {
        case .success(let kept)?:
            guard let kept = kept as? SectionValue<Value> else {
                throw SectionFailure("section \(section.name) is another feature's")
            }
            return kept.value
        case .failure(let failure)?: throw failure
        case nil:
            guard sections[section.name] != nil else { return nil }
            throw SectionFailure("no feature of this server reads section \(section.name)")
        }
    }
}
