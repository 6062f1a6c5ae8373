extension MerchantUID {
    /// A name for an order that nobody else has and nobody can guess: `order-` and 26 of 32 characters, 130 random bits.
    ///
    /// Whoever could guess it could pay another amount under it, or present somebody else's payment (PortOne V1
    /// contract, client receipt). Letters and digits only, for they mean themselves in every URL and to every gateway;
    /// 32 characters in all, where V1 takes 40.
    public static func fresh() -> MerchantUID {
        var generator = SystemRandomNumberGenerator()
        let name = (0..<26).map { _ in alphabet32[Int.random(in: 0..<32, using: &generator)] }
        return MerchantUID(known: "order-" + String(decoding: name, as: UTF8.self))
    }

    /// Base 32 (RFC 4648 §6), in lower case: without the digits that look like letters.
    private static let alphabet32 = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// A text that keeps the rules because it was made by them.
    private init(known text: String) {
        self.text = text
    }
}
