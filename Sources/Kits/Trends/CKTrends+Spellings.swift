public import CloudKit

extension CKTrends {
    /// As the article's own library is called.
    ///
    /// - Parameters:
    ///   - appID: Means nothing here: there is no second service at which an app has an id.
    ///   - listsToTrack: Types and fields in turn: `["Novenas", "names"]`. A type that is left over is a list without a field, and a
    ///     refresh says so.
    public convenience init(
        appID: String, recordTypesToTrack: [CKRecord.RecordType]?, listsToTrack: [String]? = nil,
        container: CKContainer = .default()
    ) {
        let names = listsToTrack ?? []
        let lists = stride(from: 0, to: names.count, by: 2).map { place in
            TrendsList(names[place], place + 1 < names.count ? names[place + 1] : "")
        }
        self.init(recordTypes: recordTypesToTrack ?? [], lists: lists, container: container)
    }
}
