// An app that asks the compiler for strict imports sees what these names stand for.
@_exported public import KitSupport

/// Who asks a server, as far as it is known.
public typealias CommunCredentials = ServerCredentials
/// Whom messages are asked for.
public typealias CommunAudience = DeviceAudience
/// Why something failed.
public typealias CommunFault = KitFault
