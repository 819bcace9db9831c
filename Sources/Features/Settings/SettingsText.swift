import CloudKitWire
package import NephosStorage
package import NephosYAML

/// A parsed settings file: its sections as JSON, and the place of everything in the file.
package struct SettingsText {
    /// Documents by section name, in the order of the file.
    package let sections: [(name: String, document: Bytes)]
    private let text: YAMLText

    /// The only supported version.
    private static let version = "version"
    private static let beginning = "version: 1"

    /// - Throws: The problem, with line and column.
    package init(_ text: String) throws(YAMLFailure) {
        let text = try YAMLText(text, beginning: Self.beginning)
        guard let version = text.members.first(where: { $0.name == Self.version }) else {
            throw YAMLFailure("the file must begin with \(Self.beginning)", at: YAMLText.Place(line: 1, column: 1))
        }
        guard ["1", "\"1\""].contains(String(decoding: version.value, as: UTF8.self)) else {
            throw YAMLFailure("version must be 1", at: version.place)
        }
        sections = text.members.filter { $0.name != Self.version }.map { ($0.name, $0.value) }
        self.text = text
    }

    /// The place of a path that begins with its section; that of the enclosing member if the path is not in the file.
    func place(of path: String) -> YAMLText.Place? { text.place(of: path) }

    /// A file with the contents of sections, ordered by name.
    package static func print(_ sections: [(name: String, document: Bytes)]) throws -> String {
        try YAMLText.print([(version, Array("1".utf8)[...])] + sections.map { ($0.name, $0.document) })
    }
}
