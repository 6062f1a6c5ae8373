package import Foundation
import Timing

extension MerchantUID {
    /// A unique and unguessable order id: `order-` and 26 base-32 characters.
    ///
    /// Nine encode the millisecond, seventeen are 85 random bits.
    ///
    /// With a guessed id, an attacker could pay another amount, or present another user's payment (PortOne V1 contract,
    /// client receipt). It has only letters and digits, which are safe in every URL and at every gateway, and 32
    /// characters; V1 allows 40.
    ///
    /// Ids increase with time, so they are added at the end of the database's indexes. A fully random id would touch
    /// another page for each order, and PostgreSQL logs each such page whole after a checkpoint.
    package static func fresh(at moment: Date = Time.current.now) -> MerchantUID {
        var generator = SystemRandomNumberGenerator()
        let millisecond = UInt64(max(0, min(moment.timeIntervalSince1970 * 1000, 0x1FFF_FFFF_FFFF)))
        let time = (0..<9).map { place in alphabet32[Int(millisecond >> (5 * (8 - place)) & 31)] }
        let chance = (0..<17).map { _ in alphabet32[Int.random(in: 0..<32, using: &generator)] }
        return MerchantUID(known: "order-" + String(decoding: time + chance, as: UTF8.self))
    }

    /// The characters of base 32 (RFC 4648 §6), in lower case and byte order, without the digits that look like
    /// letters.
    private static let alphabet32 = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)

    /// A text that is known to follow the rules.
    private init(known text: String) {
        self.text = text
    }
}
