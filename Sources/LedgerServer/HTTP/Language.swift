/// The languages of the console, and of what is wrong with a settlement file.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case korean = "ko"

    /// The language's name in itself.
    package var name: String {
        switch self {
        case .english: "English"
        case .korean: "한국어"
        }
    }

    /// The language with the highest weight in `Accept-Language` (RFC 9110, 12.5.4); English if it has neither.
    package init(preferredIn header: String) {
        let weighted = header.split(separator: ",").prefix(20).compactMap { part -> (Language, Double)? in
            let pieces = part.split(separator: ";")
            let range = (pieces.first ?? "").filter { $0 != " " }.lowercased().prefix { $0 != "-" }
            guard let language = Language(rawValue: String(range)) else { return nil }
            let weight = pieces.dropFirst().compactMap { piece -> Double? in
                let text = piece.filter { $0 != " " }
                return text.hasPrefix("q=") ? Double(text.dropFirst(2)) : nil
            }.first
            return (language, weight ?? 1)
        }
        // The first of those with the highest weight.
        self = weighted.reversed().max { $0.1 < $1.1 }?.0 ?? .english
    }
}
