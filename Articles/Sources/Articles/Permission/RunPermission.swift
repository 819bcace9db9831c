func runPermission(_ arguments: [String]) { askForPermission() }
