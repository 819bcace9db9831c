import CloudKit

/// - Parameter arguments: The number of a sorting; none for the first.
func runContent(_ arguments: [String]) {
    let manager = CuratedCollectionsManager()
    if let number = arguments.first.flatMap({ Int($0) }), CuratedCollectionsManager.sortings.indices.contains(number) {
        manager.sorting = CuratedCollectionsManager.sortings[number]
    }
    manager.fetchRandomChibiForWidget { result in
        _ = manager
        switch result {
        case .success(let chibi): print("chosen", chibi.id)
        case .failure(let error): print("failed: \(error)")
        }
    }
}
