import NephosNetwork
import NephosStorage

/// What a network, and the site that it is in, may add within a time: rows that name both.
struct NetworkShare<Row: StoredRow>: Sendable {
    private let scans: [(scan: Scan<Row>, most: Int)]

    /// - Parameters:
    ///   - network: As the rows name it; empty if there is none.
    ///   - site: The same for its site.
    ///   - most: How many rows of one network there may be.
    ///   - from: Finds the rows of a network, up to a limit.
    ///   - fromSite: The same for a site.
    init(
        network: String, site: String, most: Int, from: (String, Int) -> Scan<Row>, fromSite: (String, Int) -> Scan<Row>
    ) {
        let mostOfSite = most * ClientNetwork.siteShare
        var scans: [(scan: Scan<Row>, most: Int)] = []
        if !network.isEmpty { scans.append((scan: from(network, most), most: most)) }
        if !site.isEmpty { scans.append((scan: fromSite(site, mostOfSite), most: mostOfSite)) }
        self.scans = scans
    }

    func ask(_ set: inout ReadSet) {
        for (scan, _) in scans { set.ask(scan) }
    }

    /// The rows of what may add no more, in the order of its scan; nil if both may.
    func full(_ reading: Reading) -> [Row]? {
        scans.first { reading[$0.scan].count >= $0.most }.map { reading[$0.scan] }
    }
}
