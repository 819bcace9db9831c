public import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Place {
    /// Radius of the sphere on which distances are measured, in meters: the mean radius of the earth.
    public static let earthRadius = 6_371_008.8

    /// Meters along the surface of the sphere (haversine).
    public func distance(to other: Place) -> Double {
        let latitudes = sin(radians(other.latitude - latitude) / 2)
        let longitudes = sin(radians(other.longitude - longitude) / 2)
        let chord =
            latitudes * latitudes + cos(radians(latitude)) * cos(radians(other.latitude)) * longitudes * longitudes
        return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
    }

    /// The opposite place on the earth: what is farthest from here is nearest to it.
    var antipode: Place {
        Place(latitude: -latitude, longitude: longitude > 0 ? longitude - 180 : longitude + 180)
    }
}

/// A rectangle of degrees.
struct PlaceBox {
    var south: Double
    var north: Double
    var west: Double
    var east: Double

    /// At most the distance from `origin` to any place of the box, as `distance(to:)` computes it.
    func distance(from origin: Place) -> Double {
        let nearest: Double
        if (west...east).contains(origin.longitude) {
            let latitude = min(max(origin.latitude, south), north)
            nearest = origin.distance(to: Place(latitude: latitude, longitude: origin.longitude))
        } else {
            nearest = min(distance(from: origin, alongMeridian: west), distance(from: origin, alongMeridian: east))
        }
        // More than rounding errors, which are largest at the antipode.
        return max(0, nearest * (1 - 5e-8) - 0.01)
    }

    /// At least the distance from `origin` to any place of the box.
    func farthest(from origin: Place) -> Double {
        Double.pi * Place.earthRadius - distance(from: origin.antipode) + 1
    }

    /// The distance to the segment of a meridian that bounds the box. Along it the cosine of the angle is A sin(latitude) + B
    /// cos(latitude), which is greatest at the latitude atan2(A, B), or at an end.
    private func distance(from origin: Place, alongMeridian longitude: Double) -> Double {
        let latitude = radians(origin.latitude)
        let greatest = atan2(sin(latitude), cos(latitude) * cos(radians(longitude - origin.longitude))) * 180 / .pi
        func distance(_ latitude: Double) -> Double {
            origin.distance(to: Place(latitude: latitude, longitude: longitude))
        }
        return (south...north).contains(greatest) ? distance(greatest) : min(distance(south), distance(north))
    }
}

private func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }
