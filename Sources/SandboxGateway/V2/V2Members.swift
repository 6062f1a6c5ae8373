import FoundationEssentials
import Hummingbird
import SandboxSupport

/// The members of a V2 request: unknown ones are ignored, known ones must have the right type.
///
/// A null counts as missing.
struct V2Members: Sendable {
    private let members: [String: JSONValue]

    private init(members: [String: JSONValue]) { self.members = members }

    init(_ value: JSONValue, _ name: String = "the body") throws(V2Refusal) {
        guard case .object(let members) = value else { throw .invalid("\(name) must be an object") }
        self.members = members
    }

    /// A body, or with `GET` the query parameter `requestBody`; without both, an empty object.
    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: Request.maxBodyBytes)
        var text = String(buffer: body)
        if request.method == .get, let query = request.query["requestBody"] { text = query }
        guard !text.isEmpty else {
            self.init(members: [:])
            return
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
            throw V2Refusal.invalid("the body must be JSON")
        }
        try self.init(value)
    }

    private func value(_ name: String) -> JSONValue? { members[name].flatMap { $0 == .null ? nil : $0 } }

    /// The given names.
    var names: Set<String> { Set(members.filter { $0.value != .null }.keys) }

    func text(_ name: String) throws(V2Refusal) -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text): text
        default: throw .invalid("\(name) must be a string")
        }
    }

    func flag(_ name: String) throws(V2Refusal) -> Bool? {
        switch value(name) {
        case nil: nil
        case .bool(let flag): flag
        default: throw .invalid("\(name) must be a boolean")
        }
    }

    /// Amounts are whole numbers of the currency's smallest unit; others are refused.
    func integer(_ name: String, in range: ClosedRange<Int> = 0...Int.max) throws(V2Refusal) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .number(let number) = value, let integer = Int(number.description), range.contains(integer) else {
            throw .invalid("\(name) must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func object(_ name: String) throws(V2Refusal) -> V2Members? {
        guard let value = value(name) else { return nil }
        return try V2Members(value, name)
    }

    func choice(_ name: String, of choices: Set<String>) throws(V2Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard choices.contains(text) else {
            throw .invalid("\(name) must be one of " + choices.sorted().joined(separator: ", "))
        }
        return text
    }

    func list(_ name: String) throws(V2Refusal) -> [JSONValue]? {
        switch value(name) {
        case nil: nil
        case .array(let elements): elements
        default: throw .invalid("\(name) must be an array")
        }
    }

    func texts(_ name: String, of choices: Set<String>? = nil) throws(V2Refusal) -> Set<String>? {
        guard let elements = try list(name) else { return nil }
        var texts: Set<String> = []
        for element in elements {
            guard case .string(let text) = element, choices?.contains(text) ?? true else {
                throw .invalid("\(name) has an unknown element")
            }
            texts.insert(text)
        }
        return texts
    }

    func time(_ name: String) throws(V2Refusal) -> Date? {
        guard let text = try text(name) else { return nil }
        guard let moment = RFC3339Time.date(text) else { throw .invalid("\(name) must be an RFC 3339 date-time") }
        return moment
    }
}
