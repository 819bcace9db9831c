// An app that asks the compiler for strict imports sees what these names stand for.
@_exported public import KitSupport

/// Whom content is asked for.
public typealias ContentAudience = DeviceAudience
/// Why something failed.
public typealias ContentFault = KitFault
