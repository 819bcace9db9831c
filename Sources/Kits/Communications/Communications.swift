// Re-exported for apps that compile with strict imports: they need to see the types behind these aliases.
@_exported public import KitSupport

/// Credentials for a server, as far as they are known.
public typealias CommunCredentials = ServerCredentials
/// The audience that messages are requested for.
public typealias CommunAudience = DeviceAudience
/// The reason why an operation failed.
public typealias CommunFault = KitFault
