// An app that asks the compiler for strict imports sees what these names stand for.
@_exported public import KitSupport

extension OFREPProvider {
    /// Who asks, as far as it is known.
    public typealias Credentials = ServerCredentials
}
