import CloudKitWire

/// A feature that is on or off. Declare each once, in one file, with what holds before anything is known of it:
///
///     extension FeatureFlag {
///         static let tipJar = FeatureFlag(id: "tipJar", default: false, name: "Tip Jar")
///     }
public struct FeatureFlag: Sendable, Hashable {
    /// The flag's id: the name of its record at the server.
    public let id: String
    /// What holds before the flag's state is known, where the server has no such flag, and where it cannot say.
    public let defaultValue: Bool
    /// What people call it. It is shown on the internal screen only.
    public let name: String
    /// By which asking finds it without working anything out.
    let print: UInt64

    /// - Parameter name: For people; the id where it is left out.
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
