package import Foundation

/// A small generator of good quality whose whole state is its seed (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator that always yields the same numbers for the same seed.
    package init(seed: UInt64) { state = seed }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// What nobody else has: names of databases, payments and keys, also beside other runs on this machine.
///
/// No verdict depends on it. What a test decides by chance it draws from a ``SplitMix64`` with ``Effort/seed``.
package enum Fresh {
    package static var number: UInt64 { .random(in: .min ... .max) }

    /// Letters and digits.
    package static var word: String { String(number, radix: 36) }

    /// 32 bytes in base64url, as a form has them for its key.
    package static var key: String {
        Data((0..<4).flatMap { _ in withUnsafeBytes(of: number, Array.init) }).base64URL
    }
}

extension Data {
    /// Base64url without padding (RFC 4648, section 5), as tokens and keys of forms have it.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
