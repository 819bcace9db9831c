enum PlaceholderNephosHTTP {}
