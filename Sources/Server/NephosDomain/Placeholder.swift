enum PlaceholderNephosDomain {}
