import CloudKit

/// Prints the flags by default, then once more for each record that the fetch gives.
func runFlags(_ arguments: [String]) {
    let flags = FlagsOfTheServer()
    describe(ParsedFeatures())
    flags.fetchLatestFeatureStateRecord { result in
        switch result {
        case .success(let record):
            describe(ParsedFeatures(record: record))
            // Another request: what else came with the record is told before it is answered.
            flags.container.accountStatus { _, _ in print("end") }
        case .failure(let error): print("failed: \(error)")
        }
    }
}

private func describe(_ features: ParsedFeatures) {
    let versionCheck = features.isFeatureEnabled(.chibiVersionCheck)
    print("\(features.record?.recordID.recordName ?? "default"):", showsTipJar(features), versionCheck)
    print(FeatureSwitch.tipJar.overrideKey)
}
