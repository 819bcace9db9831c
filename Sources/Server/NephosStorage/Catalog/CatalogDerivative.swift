/// What the opener of an engine derives from each version of a catalog (``TableSet/init(adding:deriving:)``). The
/// engine calls it when it removes records on its own initiative.
public protocol CatalogDerivative: AnyObject, Sendable {
    /// Called in the transaction that removes records of a deleted zone. Each record is reported once, with the others of its
    /// transaction. Records in the trash were reported when they were removed, and are not reported again when the trash is purged.
    ///
    /// - Parameters:
    ///   - counts: The number of records by type. Some of these types may have been removed from the schema.
    ///   - head: The head of the database, which is locked.
    ///   - now: The time of the removal.
    /// - Returns: The new annex of the head; nil if it has no room now. Then nothing is removed, from this zone and
    ///   from those after it, until the next pass: an implementation that returns nil makes sure that there is room by
    ///   then.
    func swept(_ counts: [TypeNumber: Int64], from head: HeadRow, at now: Milliseconds) -> HeadAnnex?
}
