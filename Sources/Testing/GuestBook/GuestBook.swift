import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage
import Synchronization

/// A guest book: an example of a server feature, in one folder. Records of type `Signature` in the public database are signatures;
/// it reports how many there were each day, across all servers, and limits how often one user may sign.
///
/// It is representative of all features: what the extension points cannot do for it they cannot do for any.
extension Feature {
    package static let guestBook = Feature(
        GuestBook.name, tables: [GuestRow.self, GuestDayRow.self],
        rules: RuleBook(
            records: [SignatureRule()], visibility: [SignatureHours()], sections: [CatalogSection.guestBook]),
        useCases: [.guestBook]
    ) { host in
        let folded = Atomic<Int>(0)
        var service = FeatureService(
            endpoints: GuestBook.endpoints(host),
            jobs: [.guestBook(host.worker) { folded.add($0, ordering: .relaxed) }],
            figures: ["nephos_guestbook_folded": { Double(folded.load(ordering: .relaxed)) }])
        service.help = ["nephos_guestbook_folded": "Days of guest books that this server has folded."]
        return service
    }
}

/// Names shared by all its parts.
enum GuestBook {
    /// The name of the feature, and of its section, annex, news and background work.
    static let name = "guestbook"
    /// The type of its records.
    static let signature: Name = "Signature"
    /// The public database.
    static let database: DatabaseNumber = 1

    static let topic = Topic(name, database)
}
