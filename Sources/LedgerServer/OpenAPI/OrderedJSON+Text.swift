import WireFormats

extension OrderedJSON {
    /// What a piece of the text is.
    enum Piece {
        case name, string, literal, punctuation
    }

    /// The value as text: on one line if it is short, else with a line for each member and element.
    ///
    /// - Parameters:
    ///   - width: how many characters a value on one line may have, with its indentation.
    ///   - mark: makes each piece of the text into what is written.
    func text(width: Int = 56, mark: (String, Piece) -> String = { text, _ in text }) -> String {
        text(indentation: 0, width: width, mark: mark)
    }

    /// The value on one line.
    var line: String { line { text, _ in text } }

    private func text(indentation: Int, width: Int, mark: (String, Piece) -> String) -> String {
        let isShort = indentation + line.count <= width && (indentation > 0 || max(members.count, elements.count) < 2)
        guard !isShort, !members.isEmpty || !elements.isEmpty else { return line(mark) }
        let rows =
            members.map { member in
                mark(Self.quoted(member.name), .name) + mark(": ", .punctuation)
                    + member.value.text(indentation: indentation + 2, width: width, mark: mark)
            } + elements.map { $0.text(indentation: indentation + 2, width: width, mark: mark) }
        let blanks = String(repeating: " ", count: indentation)
        let (start, end) = members.isEmpty ? ("[", "]") : ("{", "}")
        let inner = rows.map { blanks + "  " + $0 }.joined(separator: mark(",", .punctuation) + "\n")
        return mark(start, .punctuation) + "\n" + inner + "\n" + blanks + mark(end, .punctuation)
    }

    private func line(_ mark: (String, Piece) -> String) -> String {
        switch self {
        case .object(let members):
            let rows = members.map {
                mark(Self.quoted($0.name), .name) + mark(": ", .punctuation) + $0.value.line(mark)
            }
            return mark("{", .punctuation) + rows.joined(separator: mark(", ", .punctuation)) + mark("}", .punctuation)
        case .array(let elements):
            return mark("[", .punctuation) + elements.map { $0.line(mark) }.joined(separator: mark(", ", .punctuation))
                + mark("]", .punctuation)
        case .string(let text): return mark(Self.quoted(text), .string)
        case .literal(let text): return mark(text, .literal)
        }
    }

    /// As `WireFormats` writes a string.
    private static func quoted(_ text: String) -> String { JSON.string(text).written }
}
