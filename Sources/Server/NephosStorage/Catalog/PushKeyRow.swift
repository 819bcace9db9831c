/// How Apple's push service is reached for one container (table `push_keys`): one row for each of its two environments.
public struct PushKeyRow: Sendable, Hashable {
    /// For devices that registered with `apnsEnvironment` `development`; else for `production`.
    public var isDevelopment: Bool
    /// 10 letters and digits.
    public var team: String
    /// 10 letters and digits.
    public var keyID: String
    /// The app's bundle id.
    public var topic: String
    /// The private key that tokens are signed with, in PEM.
    public var pem: String
    public var createdAt: Milliseconds

    public init(
        isDevelopment: Bool, team: String, keyID: String, topic: String, pem: String, createdAt: Milliseconds
    ) {
        self.isDevelopment = isDevelopment
        self.team = team
        self.keyID = keyID
        self.topic = topic
        self.pem = pem
        self.createdAt = createdAt
    }

    public var checksum: Int64 {
        var sum = Checksum()
        for number in [8, isDevelopment ? 1 : 0, createdAt] { sum.add(number) }
        for text in [team, keyID, topic, pem] { sum.add(text.utf8) }
        return sum.value
    }
}
