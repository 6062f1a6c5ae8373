package import Foundation

extension MerchantUID {
    /// A name for an order that nobody else has and nobody can guess: `order-` and 26 of 32 characters, of which nine
    /// tell the millisecond and seventeen are 85 random bits.
    ///
    /// Whoever could guess it could pay another amount under it, or present somebody else's payment (PortOne V1
    /// contract, client receipt). Letters and digits only, for they mean themselves in every URL and to every gateway;
    /// 32 characters in all, where V1 takes 40.
    ///
    /// Names rise with time, so that they meet at the end of the database's indexes: a name that is random throughout
    /// touches another page for each order, and each such page is written to the log whole after a checkpoint.
    package static func fresh(at moment: Date = Date()) -> MerchantUID {
        var generator = SystemRandomNumberGenerator()
        let millisecond = UInt64(max(0, min(moment.timeIntervalSince1970 * 1000, 0x1FFF_FFFF_FFFF)))
        let time = (0..<9).map { place in alphabet32[Int(millisecond >> (5 * (8 - place)) & 31)] }
        let chance = (0..<17).map { _ in alphabet32[Int.random(in: 0..<32, using: &generator)] }
        return MerchantUID(known: "order-" + String(decoding: time + chance, as: UTF8.self))
    }

    /// The characters of base 32 (RFC 4648 §6), in lower case and in their order as bytes: without the digits that look
    /// like letters.
    private static let alphabet32 = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)

    /// A text that keeps the rules because it was made by them.
    private init(known text: String) {
        self.text = text
    }
}
