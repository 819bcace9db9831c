public import Foundation

// As in the article: another app opens this one by a URL and has it refresh.

extension CKTrends {
    /// Refreshes if the URL that the app was opened with names one of the callers passed to the initializer: `cktrends://…`,
    /// `myapp://cktrends`, `myapp://refresh?from=cktrends`. Case is ignored.
    ///
    /// Systems identify the opening app only if both are from one team, so the caller is taken from the URL. Any app may pass it,
    /// and gains only a refresh: the result is passed to `body` only.
    ///
    /// - Parameter body: Called with the result, on any thread. No error is ever thrown into the app.
    /// - Returns: Whether it was such a URL. The app handles all others.
    @discardableResult
    public func appWasOpened(
        from url: URL, then body: @escaping @Sendable (TrendsRefresh) -> Void = { _ in }
    ) -> Bool {
        let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let names = [url.scheme, url.host] + query.filter { $0.name == "from" }.map(\.value)
        return opened(by: names.compactMap { $0 }, then: body)
    }

    /// Refreshes if one of the callers opened the app, according to the options passed to an app delegate: `CKTrends`, or an
    /// identifier that ends with `.CKTrends`.
    ///
    /// The options identify the opening app only if both are from one team; otherwise nothing is done.
    ///
    /// - Parameter options: As passed to `application(_:open:options:)`.
    /// - Returns: Whether it was one of the callers.
    @discardableResult
    public func appWasOpened<Option: RawRepresentable & Hashable>(
        options: [Option: Any], then body: @escaping @Sendable (TrendsRefresh) -> Void = { _ in }
    ) -> Bool where Option.RawValue == String {
        let source = options.first { $0.key.rawValue.hasSuffix("SourceApplicationKey") }?.value as? String
        return opened(by: source.map { [$0] } ?? [], then: body)
    }

    private func opened(by names: [String], then body: @escaping @Sendable (TrendsRefresh) -> Void) -> Bool {
        let callers = callers.map { $0.lowercased() }
        let isCaller = names.map { $0.lowercased() }.contains { name in
            callers.contains { name == $0 || name.hasSuffix(".\($0)") }
        }
        if isCaller { refresh(then: body) }
        return isCaller
    }
}
