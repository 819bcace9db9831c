/// How many rows a page may still look at. The first one is always found, so that every page goes on.
struct Budget {
    let limit: Int
    private(set) var examined = 0
    /// Something was found in this page: its end may come.
    var hasProgress = false

    init(limit: Int) { self.limit = limit }

    var remaining: Int { max(0, limit - examined) }

    /// How many of `want` rows may be read now; 0 ends the page.
    func allowance(_ want: Int) -> Int { hasProgress ? min(want, remaining) : max(1, min(want, remaining)) }

    mutating func spend(_ rows: Int) { examined += rows }
}
