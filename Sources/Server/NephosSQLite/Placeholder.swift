enum PlaceholderNephosSQLite {}
