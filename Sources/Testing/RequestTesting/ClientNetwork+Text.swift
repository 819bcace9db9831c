package import NephosNetwork

extension ClientNetwork {
    /// The network of the client at an address; nil if it is not one.
    package init?(_ text: String) {
        guard let address = NetworkAddress(text) else { return nil }
        self.init(address)
    }
}
