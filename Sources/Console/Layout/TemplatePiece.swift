/// A piece of a template's text: a tag of HTML, the beginning of a section of Mustache, or what is between them.
enum TemplatePiece {
    case tag(TemplateTag)
    /// `{{#name}}` or, inverted, `{{^name}}`.
    case section(String, name: String, isInverted: Bool)
    case text(String)

    /// The pieces of a text; together they are the text.
    static func pieces(of text: String) -> [TemplatePiece] {
        var pieces: [TemplatePiece] = []
        var rest = text[...]
        while let first = rest.first {
            let length: Int
            if rest.hasPrefix("{{") {
                length = Self.end(of: rest, "}}")
                pieces.append(mustache(String(rest.prefix(length))))
            } else if first == "<" {
                length = TemplateTag.length(of: rest)
                pieces.append(.tag(TemplateTag(text: String(rest.prefix(length)))))
            } else {
                let between = rest.dropFirst().prefix { $0 != "<" && $0 != "{" }
                length = between.count + 1
                pieces.append(.text(String(rest.prefix(length))))
            }
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    private static func mustache(_ text: String) -> TemplatePiece {
        let inner = text.dropFirst(2).dropLast(2)
        guard let kind = inner.first, kind == "#" || kind == "^" else { return .text(text) }
        return .section(text, name: String(inner.dropFirst()), isInverted: kind == "^")
    }

    /// How many characters there are up to the end of a mark, or to the end of the text.
    fileprivate static func end(of text: Substring, _ mark: String) -> Int {
        guard let found = text.firstRange(of: mark) else { return text.count }
        // Three braces end one later than two.
        let isTriple = text.hasPrefix("{{{") && text[found.upperBound...].hasPrefix("}")
        return text.distance(from: text.startIndex, to: found.upperBound) + (isTriple ? 1 : 0)
    }
}

/// A tag of HTML in a template, with the sections that may be within it.
struct TemplateTag {
    /// All of it, `<td class="number">`.
    let text: String

    /// `td`, `/td`.
    var name: String { String(text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" }) }

    var classes: [Substring] { value(of: "class")?.split(separator: " ") ?? [] }

    /// How many columns a cell is over.
    var span: Int { value(of: "colspan").flatMap { Int($0) } ?? 1 }

    /// The value of an attribute that is in double quotes.
    func value(of attribute: String) -> Substring? {
        guard let start = text.firstRange(of: " \(attribute)=\"")?.upperBound else { return nil }
        return text[start...].prefix { $0 != "\"" }
    }

    /// The tag with a label more.
    func labelled(_ label: String) -> String { text.dropLast() + " data-label=\"\(label)\">" }

    /// How long the tag is with which a text begins.
    ///
    /// What is in quotes or braces does not end it.
    static func length(of text: Substring) -> Int {
        var isQuoted = false
        var braces = 0
        var length = 0
        for character in text {
            length += 1
            switch character {
            case "\"": isQuoted.toggle()
            case "{": braces += 1
            case "}": braces -= 1
            case ">" where !isQuoted && braces == 0: return length
            default: break
            }
        }
        return length
    }
}
