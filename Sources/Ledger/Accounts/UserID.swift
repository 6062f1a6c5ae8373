/// The owner of a wallet: the `sub` of the user's token, exactly as the identity service writes it.
package struct UserID: RawRepresentable, Hashable, Sendable, Codable {
    /// 1 to 128 characters, none of them a control character.
    package let rawValue: String

    /// The rule for ids, as a text for messages.
    package static let rule = "1 to 128 characters, without control characters"

    /// Takes a user's id unchanged, without trimming, case folding or normalisation.
    ///
    /// Tokens, paths, bodies and commands all use this initializer.
    ///
    /// - Returns: nil when the id is empty, longer than 128 characters (Unicode scalars), or has a control character.
    package init?(rawValue: String) {
        // Nearly every id is plain ASCII, for which no Unicode property has to be looked up.
        if rawValue.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) {
            guard (1...128).contains(rawValue.utf8.count) else { return nil }
            self.rawValue = rawValue
            return
        }
        guard (1...128).contains(rawValue.unicodeScalars.count) else { return nil }
        guard !rawValue.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return nil
        }
        self.rawValue = rawValue
    }

    /// Whether it is the id that a forgotten user got in place of their own: nobody acts as one.
    package var isForgotten: Bool {
        let beginning = "forgotten-"
        return rawValue.utf8.count == beginning.utf8.count + 32 && rawValue.hasPrefix(beginning)
            && rawValue.utf8.dropFirst(beginning.utf8.count).allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Compares bytes, as the database does.
    package static func == (left: UserID, right: UserID) -> Bool {
        ExactText(left.rawValue) == ExactText(right.rawValue)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(rawValue)) }
}
