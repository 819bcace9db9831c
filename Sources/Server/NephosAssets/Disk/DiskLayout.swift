import CloudKitWire
import NephosStorage

/// The layout of a store's folder:
///
///     <container>/<environment>-<incarnation>/<first two digits of the address>/<address>-<database>-<nonce>
///     .drafts/<random>, .drafts/removed-<random>
///
/// An id of a container never begins with a dot, so none can conflict with the drafts.
struct DiskLayout: Sendable {
    /// Without a slash at the end.
    let folder: String

    var drafts: String { "\(folder)/.drafts" }

    // MARK: Files

    /// - Throws: ``AssetError/failed(_:)`` for an id that is not valid for a container.
    func folder(of container: String) throws(AssetError) -> String {
        guard Self.isContainer(container) else {
            throw .failed("\(String(reflecting: container)) is not a valid name of a container")
        }
        return "\(folder)/\(container)"
    }

    func folder(of home: AssetHome) throws(AssetError) -> String {
        let container = try folder(of: home.tenant.container)
        return "\(container)/\(home.tenant.environment.rawValue)-\(Hexadecimal.text(home.incarnation))"
    }

    func place(of file: AssetFile) throws(AssetError) -> DiskPlace {
        let container = try folder(of: file.home.tenant.container)
        let home = try folder(of: file.home)
        let part = "\(home)/\(Self.part(of: file.address))"
        return DiskPlace(path: "\(part)/\(Self.name(of: file))", folders: [folder, container, home, part])
    }

    /// The file for a name in a part of a home's folder; nil for a name that no store has created.
    func file(_ name: String, in part: String, of home: AssetHome) -> AssetFile? {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 3, let address = AssetAddress(hexadecimal: words[0]),
            let database = Hexadecimal.number(Array(words[1].utf8)[...]),
            let nonce = Hexadecimal.number(Array(words[2].utf8)[...]),
            Self.part(of: address) == part
        else { return nil }
        return AssetFile(home: home, database: Int64(bitPattern: database), address: address, nonce: nonce)
    }

    /// The names of the folders that a home's files are spread over.
    static let parts = (0...255).map { Hexadecimal.text([UInt8($0)]) }

    private static func part(of address: AssetAddress) -> String { Hexadecimal.text(address.bytes.prefix(1)) }

    private static func name(of file: AssetFile) -> String {
        "\(file.address)-\(Hexadecimal.text(UInt64(bitPattern: file.database)))-\(Hexadecimal.text(file.nonce))"
    }

    /// Whether a container may have this id: 1 to 255 ASCII letters and digits, `.`, `-` and `_`, not starting with `.`. So a
    /// path never leaves the store's folder, and folders that file systems keep at their top (`lost+found`) are not containers.
    static func isContainer(_ id: String) -> Bool {
        let isPlain = id.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".-_".utf8.contains($0) }
        return isPlain && (1...255).contains(id.utf8.count) && id.utf8.first != UInt8(ascii: ".")
    }

    // MARK: Temporary names

    func newDraft() -> String { "\(drafts)/\(Self.random())" }
    func removedHome() -> String { "\(drafts)/\(Self.removed)\(Self.random())" }

    /// The kind of a name among the drafts; nil for a name that no store has created.
    static func temporaryKind(_ name: String) -> TemporaryKind? {
        if isRandom(name[...]) { return .draft }
        return name.hasPrefix(removed) && isRandom(name.dropFirst(removed.count)) ? .removedHome : nil
    }

    enum TemporaryKind { case draft, removedHome }

    private static let removed = "removed-"

    private static func random() -> String {
        Hexadecimal.text(.random(in: .min ... .max)) + Hexadecimal.text(.random(in: .min ... .max))
    }

    private static func isRandom(_ name: Substring) -> Bool { Hexadecimal.bytes(name)?.count == 16 }
}
