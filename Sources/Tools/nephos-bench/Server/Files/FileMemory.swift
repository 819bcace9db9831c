import NephosTesting

/// The peak memory of a server, in megabytes.
struct FileMemory {
    /// After an upload and download of a small file.
    let before: Double
    /// After an upload of a file of 1 GB, and after its download.
    let afterUpload, afterDownload: Double

    init(_ files: FileCloud, _ curl: Curl) throws {
        (_, before) = try Self.sendAndLoad("small", megabytes: 1, files, curl)
        (afterUpload, afterDownload) = try Self.sendAndLoad("huge", megabytes: 1_024, files, curl)
    }

    static func now(_ files: FileCloud) throws -> Double {
        Double(try files.cloud.server.usage.residentBytesMax) / 1_048_576
    }

    private static func sendAndLoad(
        _ name: String, megabytes: Int, _ files: FileCloud, _ curl: Curl
    ) throws -> (sent: Double, loaded: Double) {
        let folder = try TemporaryFolder(prefix: "nephos-files")
        let (source, answer, bytes) = (folder.path + "/file", folder.path + "/answer", megabytes << 20)
        try SourceFiles.make(source, megabytes: megabytes)
        let upload = Curl.Transfer(url: files.origin + files.uploadTarget, source: source, answer: answer)
        try curl.run([upload], connections: 1, bytes: bytes)
        let sent = try now(files)
        try files.save([(name, try JSON(reading: readFile(answer))["singleFile"])])
        let target = try files.downloadTargets([name])[0]
        try curl.run([.init(url: files.origin + target)], connections: 1, bytes: bytes)
        return (sent, try now(files))
    }
}
