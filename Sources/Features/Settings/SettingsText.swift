import CloudKitWire
package import NephosStorage
package import NephosYAML

/// A file of settings, read: its sections as JSON, and where in the file everything stands.
package struct SettingsText {
    /// Documents by the names of their sections, in the order of the file.
    package let sections: [(name: String, document: Bytes)]
    private let text: YAMLText

    /// The only version there is.
    private static let version = "version"
    private static let beginning = "version: 1"

    /// - Throws: What is wrong, with line and column.
    package init(_ text: String) throws(YAMLFailure) {
        let text = try YAMLText(text, beginning: Self.beginning)
        guard let version = text.members.first(where: { $0.name == Self.version }) else {
            throw YAMLFailure("begin with \(Self.beginning)", at: YAMLText.Place(line: 1, column: 1))
        }
        guard ["1", "\"1\""].contains(String(decoding: version.value, as: UTF8.self)) else {
            throw YAMLFailure("this server reads version 1 of settings", at: version.place)
        }
        sections = text.members.filter { $0.name != Self.version }.map { ($0.name, $0.value) }
        self.text = text
    }

    /// Where something stands, by its path with its section first; where its whole does, for what does not stand there.
    func place(of path: String) -> YAMLText.Place? { text.place(of: path) }

    /// A file that says what sections say, by their names in order.
    package static func print(_ sections: [(name: String, document: Bytes)]) throws -> String {
        try YAMLText.print([(version, Array("1".utf8)[...])] + sections.map { ($0.name, $0.document) })
    }
}
