public import Foundation

// The article's way: another app opens this one by a URL and has it refresh.

extension CKTrends {
    /// Refreshes where the URL that the app was opened with names one of the callers that it was made with: `cktrends://…`, `myapp://cktrends`, `myapp://refresh?from=cktrends`. Case means nothing.
    ///
    /// Systems tell of an app who opened it only where both are of one team, so this is what the URL says. Any app may say it, and comes
    /// by nothing but a refresh: the result is shown to nobody but `body`.
    ///
    /// - Parameter body: Is handed the result, on any thread. Nothing is ever thrown into the app.
    /// - Returns: Whether it was such a URL. Others are the app's own.
    @discardableResult
    public func appWasOpened(
        from url: URL, then body: @escaping @Sendable (TrendsRefresh) -> Void = { _ in }
    ) -> Bool {
        let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let names = [url.scheme, url.host] + query.filter { $0.name == "from" }.map(\.value)
        return opened(by: names.compactMap { $0 }, then: body)
    }

    /// Refreshes where the app was opened by one of the callers, as the options of an app delegate say who it was:
    /// `CKTrends`, or an identifier that ends with `.CKTrends`.
    ///
    /// Who opened the app is there only where both are of one team; else nothing is done.
    ///
    /// - Parameter options: As `application(_:open:options:)` has them.
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
