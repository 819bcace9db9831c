import CloudKit

/// The three steps of the article, by name.
func runRecords(_ arguments: [String]) {
    switch arguments.first {
    case "public": createPublicRecord()
    case "zone": createFavZone { zone, error in print("zone", zone?.zoneID.zoneName ?? "\(String(describing: error))") }
    default: createPrivateRecord()
    }
}
