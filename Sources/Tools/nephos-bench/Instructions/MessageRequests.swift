import NephosTesting

/// A container's messages, and requests for them.
enum MessageRequests {
    /// Creates the schema for messages, one that is shown, and others for the future.
    static func fill(_ container: String, by server: ServerProcess, _ folder: TemporaryFolder) throws {
        for (id, from) in [("campaign", "2020-01-01"), ("next", "2999-01-01"), ("later", "2999-02-01")] {
            let path = folder.path + "/\(id).yaml"
            try writeFile(path, message(id, from: from).utf8)
            try server.command("message", "new", container, path)
        }
    }

    private static func message(_ id: String, from: String) -> String {
        """
        id: \(id)
        kind: newVersion
        requires: "2.5"
        title: {en: "New in 2.5", es: "Novedades"}
        body: {en: "It has flags and content.", es: "Tiene banderas y contenido."}
        buttons: {action: {en: Update, es: Actualizar}, cancel: {en: "No", es: "No"}, okay: {en: "Have it", es: "Ya la tengo"}}
        emoji: "💃"
        from: \(from)
        until: \(id == "next" ? "2999-02-01" : id == "campaign" ? "2999-01-01" : "2999-03-01")

        """
    }

    static func current(_ client: CloudKitClient, device: String, tag: String? = nil) throws -> HTTPResponse {
        client.headers = tag.map { [HTTPHeader("If-None-Match", $0)] } ?? []
        defer { client.headers = [] }
        return try client.send(
            "GET",
            "/nephos/1/\(client.container)/development/messages/current?locale=es-MX&version=2.4&device=\(device)",
            body: nil)
    }

    static func see(_ client: CloudKitClient, device: String) throws -> HTTPResponse {
        try client.send(
            "POST", "/nephos/1/\(client.container)/development/messages/seen",
            body: Array(#"{"id":"campaign","device":"\#(device)"}"#.utf8))
    }
}
