package import CloudKitWire
package import NephosAssets
package import NephosDomain
package import NephosStorage

/// Stores a file for a record of the public database that the server or its operator saves next. Like an uploaded file, it is deleted after a day
/// in which no record references it.
package struct FileKeeping: Sendable {
    private let keep: KeepFile
    private let file: AssetFile
    private let files: any AssetStore

    /// Writes the file before anything references it. Blocks.
    ///
    /// - Parameters:
    ///   - contentType: Such as `image/png`.
    ///   - random: Any number.
    ///   - context: Of ``Caller/administrator`` in the public database.
    package init(
        _ bytes: [UInt8], contentType: String, random: UInt64, context: RequestContext, files: any AssetStore
    ) throws {
        let database: DatabaseNumber = 1
        let home = AssetHome(context.catalog.head)
        var hasher = AssetHasher(key: context.catalog.head.addressKey, database: database)
        hasher.update(bytes)
        let uploader = UnreferencedFileLimits.uploader(.server, key: context.catalog.head.signingKey)
        file = AssetFile(
            home: home, database: database, address: hasher.finalize(),
            nonce: UInt64(bitPattern: UnreferencedFileLimits.nonce(uploader, random: random)))
        let draft = try files.create(in: home)
        try draft.append(bytes)
        try draft.publish(as: file)
        keep = KeepFile(
            context: context, user: .server, database: database, address: file.address.bytes,
            nonce: Int64(bitPattern: file.nonce), size: Int64(bytes.count), contentType: contentType)
        self.files = files
    }

    package var reading: ReadSet { keep.reading }

    package func decide(_ reading: Reading) throws -> Decision<KeepFile.Answer> { try keep.decide(reading) }

    /// The value for the record's field. May block.
    ///
    /// - Parameter answer: Of ``decide(_:)``, once it is committed.
    package func receipt(_ answer: KeepFile.Answer) throws -> AssetReceiptDictionary {
        // Equal content is already stored, and nothing references this file.
        if answer.file.nonce != Int64(bitPattern: file.nonce) { try files.remove(file) }
        return answer.receipt
    }
}

extension Administration {
    /// ``FileKeeping``, for an operator.
    ///
    /// - Parameter files: The store for files.
    /// - Returns: The value for the record's field.
    package func keep(
        _ bytes: [UInt8], contentType: String, in tenant: Tenant, files: any AssetStore
    ) async throws -> AssetReceiptDictionary {
        let store = try store(tenant)
        let context = try context(of: RecordPlace(tenant: tenant, scope: .public, session: nil), store)
        guard bytes.count <= context.limits.assetBytesMax else {
            throw AdminError.refused(
                "A file can have at most \(context.limits.assetBytesMax) bytes; this one has more.")
        }
        let keeping = try FileKeeping(
            bytes, contentType: contentType, random: inputs.number(), context: context, files: files)
        return try keeping.receipt(try await commit(to: store, keeping.reading) { try keeping.decide($0) })
    }
}
