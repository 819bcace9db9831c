public import CloudKit

extension CKTrends {
    /// The initializer of the article's own library.
    ///
    /// - Parameters:
    ///   - appID: Ignored: there is no second service at which an app has an ID.
    ///   - listsToTrack: Types and fields in turn: `["Novenas", "names"]`. A trailing type without a field is a list without a
    ///     field, which a refresh reports.
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
