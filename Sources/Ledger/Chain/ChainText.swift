import Crypto

/// How entries are hashed (docs/seals.md).
enum ChainFormat: Int64, CaseIterable, Sendable, Comparable {
    /// With all their texts.
    case texts = 1
    /// With commitments in place of the texts that can be of people, so that those can be erased.
    case commitments = 2

    static let newest = commitments

    static func < (left: ChainFormat, right: ChainFormat) -> Bool { left.rawValue < right.rawValue }
}

/// A text of an entry or an account, as it is hashed.
enum ChainText: Sendable, Equatable {
    case plain(String)
    /// Hashed as a commitment, which whoever has text and salt can check.
    case salted(String, salt: [UInt8])
    /// Text and salt are gone.
    case erased(commitment: [UInt8])

    /// Which text it is: equal texts in two places have different commitments.
    enum Field: String {
        case reference, reason, account
    }

    /// The text; nil: it is erased.
    var text: String? {
        switch self {
        case .plain(let text), .salted(let text, _): text
        case .erased: nil
        }
    }

    var isErased: Bool { text == nil }

    /// Appends the bytes that are hashed for the text.
    ///
    /// In the first format nothing stands for an erased text: the hash becomes another one.
    func encode(_ format: ChainFormat, _ field: Field, into bytes: inout [UInt8]) {
        switch (format, self) {
        case (.texts, _): bytes.append(text: text ?? "")
        case (.commitments, .plain(let text)):
            bytes.append(number: 0)
            bytes.append(text: text)
        case (.commitments, .salted(let text, let salt)):
            bytes.append(number: 1)
            bytes += Self.commitment(to: text, as: field, salt)
        case (.commitments, .erased(let commitment)):
            bytes.append(number: 1)
            bytes += commitment
        }
    }

    private static func commitment(to text: String, as field: Field, _ salt: [UInt8]) -> [UInt8] {
        var bytes = salt
        bytes.append(text: field.rawValue)
        bytes.append(text: text)
        return Array(SHA256.hash(data: bytes))
    }
}
