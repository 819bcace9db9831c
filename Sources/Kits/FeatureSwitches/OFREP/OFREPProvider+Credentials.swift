// Re-exported for apps that compile with strict imports: they need to see the types behind these aliases.
@_exported public import KitSupport

extension OFREPProvider {
    /// Credentials for a server, as far as they are known.
    public typealias Credentials = ServerCredentials
}
