enum PlaceholderCloudKitWire {}
