import Foundation

/// Kinds of color vision. Matrices for linear light at full severity: Machado, Oliveira, Fernandes, 2009.
enum Sight: CaseIterable {
    case all, protanopia, deuteranopia, tritanopia

    var matrix: [[Double]] {
        switch self {
        case .all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        case .protanopia:
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
        case .deuteranopia:
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
        case .tritanopia:
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
        }
    }
}

/// A color as linear light.
struct Light {
    let channels: [Double]

    /// From `#rrggbb`.
    init(_ text: String) {
        let number = Int(text.dropFirst(), radix: 16) ?? 0
        channels = [16, 8, 0].map { shift in
            let value = Double(number >> shift & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }

    private init(channels: [Double]) { self.channels = channels }

    private func times(_ matrix: [[Double]]) -> [Double] {
        matrix.map { row in zip(row, channels).map(*).reduce(0, +) }
    }

    func seen(by sight: Sight) -> Light { Light(channels: times(sight.matrix).map { min(1, max(0, $0)) }) }

    /// As defined by WCAG.
    func contrast(with other: Light) -> Double {
        let lights = [self, other].map { $0.times([[0.2126, 0.7152, 0.0722]])[0] + 0.05 }
        return max(lights[0], lights[1]) / min(lights[0], lights[1])
    }

    var lab: Lab {
        let xyz = times([
            [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041],
        ])
        let parts = zip(xyz, [0.95047, 1, 1.08883]).map { value, white -> Double in
            let part = value / white
            return part > 216 / 24_389.0 ? cbrt(part) : (24_389 / 27.0 * part + 16) / 116
        }
        return Lab(116 * parts[1] - 16, 500 * (parts[0] - parts[1]), 200 * (parts[1] - parts[2]))
    }
}

struct Lab {
    let l: Double
    let a: Double
    let b: Double

    init(_ l: Double, _ a: Double, _ b: Double) { (self.l, self.a, self.b) = (l, a, b) }

    /// CIEDE2000.
    func distance(to other: Lab) -> Double {
        let mean7 = pow((hypot(a, b) + hypot(other.a, other.b)) / 2, 7)
        let stretch = 1 + 0.5 * (1 - sqrt(mean7 / (mean7 + pow(25, 7))))
        let (chroma1, chroma2) = (hypot(a * stretch, b), hypot(other.a * stretch, other.b))
        let (hue1, hue2) = (Self.hue(a * stretch, b), Self.hue(other.a * stretch, other.b))
        let isGray = chroma1 * chroma2 == 0
        var turn = isGray ? 0 : hue2 - hue1
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        var hue = isGray ? hue1 + hue2 : (hue1 + hue2) / 2
        if !isGray, (hue1 - hue2).magnitude > 180 { hue += hue1 + hue2 < 360 ? 180 : -180 }
        let (light, chroma) = ((l + other.l) / 2 - 50, (chroma1 + chroma2) / 2)
        let waves = 1 - 0.17 * Self.cosine(hue - 30) + 0.24 * Self.cosine(2 * hue)
        let weight = waves + 0.32 * Self.cosine(3 * hue + 6) - 0.2 * Self.cosine(4 * hue - 63)
        let lights = (other.l - l) / (1 + 0.015 * light * light / sqrt(20 + light * light))
        let chromas = (chroma2 - chroma1) / (1 + 0.045 * chroma)
        let hues = 2 * sqrt(chroma1 * chroma2) * sin(turn / 2 * .pi / 180) / (1 + 0.015 * chroma * weight)
        let blue = 60 * exp(-pow((hue - 275) / 25, 2)), chroma7 = pow(chroma, 7)
        let rotation = -2 * sqrt(chroma7 / (chroma7 + pow(25, 7))) * sin(blue * .pi / 180)
        return sqrt(lights * lights + chromas * chromas + hues * hues + rotation * chromas * hues)
    }

    private static func hue(_ a: Double, _ b: Double) -> Double {
        let hue = atan2(b, a) * 180 / .pi
        return a == 0 && b == 0 ? 0 : hue < 0 ? hue + 360 : hue
    }

    private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
}
