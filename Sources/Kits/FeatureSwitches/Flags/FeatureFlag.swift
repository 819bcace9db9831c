import CloudKitWire

/// A feature that is on or off. Declare each once, in one file, with the value that applies until the server's value is known:
///
///     extension FeatureFlag {
///         static let tipJar = FeatureFlag(id: "tipJar", default: false, name: "Tip Jar")
///     }
public struct FeatureFlag: Sendable, Hashable {
    /// The flag's ID: the name of its record at the server.
    public let id: String
    /// The value until the flag's state is known, if the server has no such flag, and if the server cannot evaluate it.
    public let defaultValue: Bool
    /// The display name. It is shown on the internal screen only.
    public let name: String
    /// Precomputed hash of the ID, used for lookups.
    let print: UInt64

    /// - Parameter name: The display name; `id` if omitted.
    public init(id: String, default defaultValue: Bool, name: String? = nil) {
        (self.id, self.defaultValue, self.name) = (id, defaultValue, name ?? id)
        print = SwitchTable.print(of: id)
    }
}

extension FeatureFlag: Codable {
    private enum CodingKeys: String, CodingKey { case identifier, isEnabledByDefault, displayName }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(String.self, forKey: .identifier),
            default: try values.decode(Bool.self, forKey: .isEnabledByDefault),
            name: try values.decodeIfPresent(String.self, forKey: .displayName))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .identifier)
        try values.encode(defaultValue, forKey: .isEnabledByDefault)
        try values.encode(name, forKey: .displayName)
    }
}
