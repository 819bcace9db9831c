import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// All places within a distance of one, prepared for comparisons with many boxes and cells.
struct Circle {
    let place: Place
    let metres: Double
    private let latitudes: ClosedRange<Double>
    /// How far it extends to the west and to the east, in degrees; nil if it extends all around, as at a pole.
    private let reach: Double?

    init(_ place: Place, metres: Double) {
        self.place = place
        self.metres = metres
        // Slightly larger, to allow for rounding errors.
        let angle = (max(0, metres) + 0.1) / Place.earthRadius * (1 + 1e-6)
        let degrees = angle * 180 / .pi
        latitudes = (place.latitude - degrees)...(place.latitude + degrees)
        guard latitudes.lowerBound > -90, latitudes.upperBound < 90 else {
            reach = nil
            return
        }
        // The meridians that touch the circle.
        reach = asin(min(1, sin(angle) / cos(place.latitude * .pi / 180))) * 180 / .pi * (1 + 1e-6) + 1e-6
    }

    /// Whether some place of the box may be inside the circle. Exact, except for circles that barely touch it.
    func mayMeet(_ box: PlaceBox) -> Bool {
        guard box.north >= latitudes.lowerBound, box.south <= latitudes.upperBound, mayMeetMeridians(of: box) else {
            return false
        }
        // Nearly always decides for boxes that are not far away.
        let near = Place(
            latitude: min(max(place.latitude, box.south), box.north),
            longitude: min(max(place.longitude, box.west), box.east))
        return place.distance(to: near) <= metres || box.distance(from: place) <= metres
    }

    private func mayMeetMeridians(of box: PlaceBox) -> Bool {
        guard let reach else { return true }
        return [-360.0, 0, 360].contains {
            box.east >= place.longitude + $0 - reach && box.west <= place.longitude + $0 + reach
        }
    }

    /// Whether the circle may contain a place in a cell of the last level.
    func mayHold(cell: UInt64) -> Bool {
        let distance = place.distance(to: Cell(first: cell, level: Cell.lastLevel).middle)
        // More than half of such a cell, and more than rounding errors.
        return distance * (1 - 5e-8) - 0.03 <= metres
    }
}
