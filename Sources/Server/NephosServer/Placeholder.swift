enum PlaceholderNephosServer {}
