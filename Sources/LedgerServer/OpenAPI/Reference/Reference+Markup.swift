extension Reference {
    /// What a value is, as HTML.
    func type(_ schema: APIDocument.Schema) -> String {
        if let name = schema.reference { return "<a href=\"\(places.schemas[name] ?? "")\">\(name)</a>" }
        if let first = schema.parts.first { return type(first) }
        if schema.types.isEmpty, !schema.alternatives.isEmpty {
            return schema.alternatives.map(type).joined(separator: " or ")
        }
        if let items = schema.items { return "array of " + type(items) }
        if !schema.choices.isEmpty {
            return schema.choices.map { "<code>\(escape($0))</code>" }.joined(separator: ", ")
        }
        return escape(([plainType(schema)] + limits(of: schema)).joined(separator: ", "))
    }

    private func plainType(_ schema: APIDocument.Schema) -> String {
        let name = schema.types.joined(separator: " or ")
        // In the words of a person: an integer is one of 64 bits, and a moment is a date or a time.
        let formats = [schema.format].compactMap { $0 == "int64" ? nil : $0 } + schema.alternatives.compactMap(\.format)
        return formats.isEmpty ? name : "\(name) (\(formats.joined(separator: " or ")))"
    }

    private func limits(of schema: APIDocument.Schema) -> [String] {
        let range =
            switch (schema.minimum, schema.maximum) {
            case (let low?, let high?): "\(low) to \(high)"
            case (let low?, nil): "\(low) or more"
            case (nil, let high?): "\(high) at most"
            case (nil, nil): String?.none
            }
        return [range, schema.maxLength.map { "\($0) characters at most" }].compactMap(\.self)
    }

    /// A text in which what stands between back-quotes is code, as HTML.
    ///
    /// The code of a problem, a type of event, an operation's method and path, and a setting lead to where they are explained.
    func markup(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        return parts.enumerated().map { number, part in
            guard !number.isMultiple(of: 2) else { return escape(part) }
            // The last back-quote has no other one.
            guard number + 1 < parts.count else { return "`" + escape(part) }
            let code = "<code>\(escape(part))</code>"
            return places.names[part].map { "<a href=\"\($0)\">\(code)</a>" } ?? code
        }.joined()
    }

    /// A phrase as a sentence, as HTML.
    func sentence(_ text: String) -> String {
        guard let last = text.last else { return "" }
        return markup(text.prefix(1).uppercased() + text.dropFirst() + (".!?…".contains(last) ? "" : "."))
    }

    /// A value with its names, strings and literals in colors, as HTML.
    func code(_ value: OrderedJSON) -> String {
        // A text that is no JSON, such as a CSV.
        if let text = value.text { return escape(text) }
        return value.text { text, piece in
            switch piece {
            case .name: "<span class=\"n\">\(escape(text))</span>"
            case .string: "<span class=\"s\">\(escape(text))</span>"
            case .literal: "<span class=\"l\">\(escape(text))</span>"
            case .punctuation: text
            }
        }
    }

    func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
