enum PlaceholderNephosStorage {}
