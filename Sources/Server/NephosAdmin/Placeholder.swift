enum PlaceholderNephosAdmin {}
