/// What whoever opened an engine makes of each version of a catalog (``TableSet/init(adding:deriving:)``), and what the engine asks
/// of it when it removes records by itself.
public protocol CatalogDerivative: AnyObject, Sendable {
    /// Records of a zone go that was deleted, in the transaction of the call. Each is told of once, with the others of its
    /// transaction; those of the trash were removed before they came there, and are not told of when they are forgotten.
    ///
    /// - Parameters:
    ///   - counts: How many, by their types. Some of these may have been removed from the schema.
    ///   - head: Of the database, which is locked.
    ///   - now: The time of the removal.
    /// - Returns: What the head keeps from now on; nil where there is no room in it now. Then nothing goes, from this zone and from
    ///   those after it, until the next pass: whoever answers nil sees to it that there is room by then.
    func swept(_ counts: [TypeNumber: Int64], from head: HeadRow, at now: Milliseconds) -> HeadAnnex?
}
