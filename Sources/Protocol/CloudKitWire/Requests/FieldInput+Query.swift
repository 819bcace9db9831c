extension FieldInput {
    /// Parses a location, in a field value dictionary or bare.
    init(location reader: inout JSONReader) throws(WireError) {
        var isBare = false
        var probe = reader
        try probe.readObject { _, key throws(WireError) in if case "latitude" = key { isBare = true } }
        if isBare {
            self.init(type: .location, value: reader)
            try reader.skipValue()
        } else {
            try self.init(&reader)
        }
    }
}
