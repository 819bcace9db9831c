import NephosStorage

/// A square of the map of degrees: at each level there are 2^level of them in each direction. The cells inside a cell are
/// adjacent in the order of their numbers (Morton curve). Cells of the last level are at most 1 cm wide.
struct Cell: Equatable {
    /// The number of its first cell of the last level: alternating bits of the latitude and of the longitude.
    var first: UInt64
    /// 0 for the whole earth, 32 for the smallest.
    var level: Int

    static let lastLevel = 32
    static let earth = Cell(first: 0, level: 0)

    init(first: UInt64, level: Int) {
        self.first = first
        self.level = level
    }

    /// The smallest cell that contains a place.
    init(_ place: Place) {
        first =
            Self.spread(Self.row((place.latitude + 90) / 180)) << 1
            | Self.spread(Self.row((place.longitude + 180) / 360))
        level = Self.lastLevel
    }

    /// The number of its last cell of the last level.
    var last: UInt64 { first | (level == 0 ? .max : (1 << UInt64(64 - 2 * level)) - 1) }

    var children: [Cell] { (0..<4).map(child) }

    /// One of the four cells inside.
    func child(_ quarter: Int) -> Cell {
        Cell(first: first | UInt64(quarter) << UInt64(62 - 2 * level), level: level + 1)
    }

    /// The cell of a lower level that contains this one.
    func parent(at level: Int) -> Cell {
        Cell(first: level == 0 ? 0 : first & ~((1 << UInt64(64 - 2 * level)) - 1), level: level)
    }

    var box: PlaceBox {
        let south = Double(Self.gather(first >> 1)) * Self.degreesOfLatitude - 90
        let west = Double(Self.gather(first)) * Self.degreesOfLongitude - 180
        let width = Double(UInt64(1) << UInt64(Self.lastLevel - level))
        return PlaceBox(
            south: south, north: min(90, south + width * Self.degreesOfLatitude),
            west: west, east: min(180, west + width * Self.degreesOfLongitude))
    }

    /// The center of the cell. Orders by distance use the center of the smallest cell that contains a place.
    var middle: Place {
        let box = box
        return Place(latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
    }

    private static let degreesOfLatitude = 180 / 4_294_967_296.0
    private static let degreesOfLongitude = 360 / 4_294_967_296.0

    private static func row(_ fraction: Double) -> UInt64 {
        UInt64(min(max(fraction * 4_294_967_296, 0), 4_294_967_295))
    }

    /// Inserts a 0 before each of 32 bits.
    private static func spread(_ bits: UInt64) -> UInt64 {
        var word = bits
        word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
        word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
        word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F
        word = (word | word << 2) & 0x3333_3333_3333_3333
        return (word | word << 1) & 0x5555_5555_5555_5555
    }

    /// Every other bit, starting with the last one.
    private static func gather(_ bits: UInt64) -> UInt64 {
        var word = bits & 0x5555_5555_5555_5555
        word = (word | word >> 1) & 0x3333_3333_3333_3333
        word = (word | word >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        word = (word | word >> 4) & 0x00FF_00FF_00FF_00FF
        word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
        return (word | word >> 16) & 0x0000_0000_FFFF_FFFF
    }
}
