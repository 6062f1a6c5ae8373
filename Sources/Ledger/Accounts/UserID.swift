/// Who owns a wallet: the `sub` of the user's token, as the identity service spells it.
package struct UserID: RawRepresentable, Hashable, Sendable, Codable {
    /// 1 to 128 characters, none of them a control character.
    package let rawValue: String

    /// What an id must be, for people.
    package static let rule = "1 to 128 characters, none a control character"

    /// Takes a user's id as it is: nothing is stripped, folded or normalised.
    ///
    /// Every door takes ids through here: tokens, paths, bodies and commands.
    ///
    /// - Returns: nil when it is empty, longer than 128 characters (Unicode scalars), or holds a control character.
    package init?(rawValue: String) {
        // Nearly every id is of plain ASCII, in which there is nothing to look up.
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

    /// Byte by byte, as the database compares.
    package static func == (left: UserID, right: UserID) -> Bool {
        ExactText(left.rawValue) == ExactText(right.rawValue)
    }

    /// Of the bytes.
    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(rawValue)) }
}
