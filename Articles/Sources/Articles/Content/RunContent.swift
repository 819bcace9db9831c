import CloudKit

func runContent(_ arguments: [String]) {
    let manager = CuratedCollectionsManager()
    manager.fetchRandomChibiForWidget { result in
        _ = manager
        switch result {
        case .success(let chibi): print("chosen", chibi.id)
        case .failure(let error): print("failed: \(error)")
        }
    }
}
