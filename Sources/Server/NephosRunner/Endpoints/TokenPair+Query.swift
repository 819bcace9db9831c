extension TokenPair {
    /// nil where there is no API token.
    init?(_ query: RequestQuery) {
        guard let api = query.apiToken else { return nil }
        self.init(api: api, web: query.webAuthToken ?? "")
    }
}
