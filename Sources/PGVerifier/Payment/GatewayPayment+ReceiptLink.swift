extension GatewayPayment {
    /// The most characters of a link that is shown.
    private static let longestLink = 2000

    /// A gateway's link that people may be shown: https, and nothing that a page would have to escape.
    ///
    /// The gateway's answer comes from outside: any other text, such as one with another scheme, is no link.
    static func shownLink(_ text: String?) -> String? {
        guard let text, text.hasPrefix("https://"), text.utf8.count <= longestLink,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Self.isQuote($0) })
        else { return nil }
        return text
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\")].contains(byte)
    }
}
