import WireFormats

/// The members of a flat body in JSON or `application/x-www-form-urlencoded`.
///
/// The first character decides, because the content type depends on a setting in the console, and a form can't begin
/// with a brace.
struct WebhookFields {
    private let fields: [String: String]

    /// The size limit, larger than any webhook.
    static let maxBytes = 64 << 10

    init(_ body: [UInt8]) throws(WebhookError) {
        guard body.count <= Self.maxBytes else { throw WebhookError(.malformedBody, "the body is too large") }
        let isJSON = body.first { $0 > 0x20 } == UInt8(ascii: "{")
        guard let fields = isJSON ? Self.members(body) : Self.form(body) else {
            throw WebhookError(.malformedBody, "the body is neither JSON nor a form")
        }
        self.fields = fields
    }

    /// The text of a field; nil: missing, empty or not a text.
    subscript(name: String) -> String? {
        fields[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func members(_ body: [UInt8]) -> [String: String]? {
        guard case .object(let members)? = try? JSONParser.parse(body) else { return nil }
        return members.compactMapValues(\.text)
    }

    private static func form(_ body: [UInt8]) -> [String: String]? {
        var fields: [String: String] = [:]
        for (name, value) in FormText.decodePairs(body) ?? [] {
            // A repeated name is ambiguous.
            guard fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        return fields.isEmpty ? nil : fields
    }
}
