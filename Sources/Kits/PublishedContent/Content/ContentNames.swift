// Re-exported for apps that compile with strict imports: they need to see the types behind these aliases.
@_exported public import KitSupport

/// The audience that content is requested for.
public typealias ContentAudience = DeviceAudience
/// The reason why an operation failed.
public typealias ContentFault = KitFault
