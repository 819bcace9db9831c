import NephosDomain
package import NephosRunner
import NephosStorage
import Synchronization

/// A guest book: what a feature of a server can be, in one folder. Records of type `Signature` in the public database are signatures; it
/// says how many there were each day, whoever signed on whichever server, and how often one person may sign.
///
/// It stands for all features: whatever the seams of the house cannot do for it they cannot do for any.
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

/// Names that all its parts share.
enum GuestBook {
    /// Of the feature: of its section, its annex, its news and its background work, too.
    static let name = "guestbook"
    /// The public database.
    static let database: DatabaseNumber = 1

    static let topic = Topic(name, database)
}
