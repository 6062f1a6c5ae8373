import FoundationEssentials
import Hummingbird
import SandboxSupport

/// The members of a request body, JSON or form-encoded: real clients use both (PortOne V1 contract, transport).
struct RequestFields: Sendable {
    private let members: [String: JSONValue]

    /// Reads a body; an unreadable body has no members, as in the real API.
    init(_ body: ByteBuffer, contentType: String?) {
        let text = String(buffer: body)
        if contentType?.lowercased().contains("json") ?? text.hasPrefix("{") {
            guard case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
                self.members = [:]
                return
            }
            self.members = members
        } else {
            let pairs = FormPairs(text).pairs.map { ($0.name, JSONValue.string($0.value)) }
            members = Dictionary(pairs) { _, last in last }
        }
    }

    /// A text that isn't empty.
    func text(_ name: String) -> String? {
        switch members[name] {
        case .string(let text) where !text.isEmpty: text
        case .number(let number): number.description
        default: nil
        }
    }

    /// A number or a numeric text; `.some(nil)` for anything else.
    func number(_ name: String) -> Decimal?? {
        switch members[name] {
        case nil, .null, .string(""): .none
        case .number(let number): .some(number)
        case .string(let text): .some(Decimal.exactly(text))
        default: .some(nil)
        }
    }

    /// The text `inner` of `name`: an object in JSON, `name[inner]` in a form.
    func text(_ name: String, _ inner: String) -> String? {
        if case .object(let object) = members[name], case .string(let text) = object[inner] { return text }
        return text("\(name)[\(inner)]")
    }

    /// The texts of the list `name`: an array or one text in JSON, `name[]` or `name` in a form.
    func texts(_ name: String) -> [String] {
        if case .array(let elements) = members[name] {
            return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        return [text(name), text(name + "[]")].compactMap(\.self)
    }

    /// Whether the flag `name` is set, in JSON or as text.
    func flag(_ name: String) throws(V1Refusal) -> Bool {
        switch members[name] {
        case nil, .null, .bool(false), .string("false"), .string("0"), .string(""): false
        case .bool(true), .string("true"), .string("1"): true
        default: throw .badParameter(name)
        }
    }

    /// The members with masked secrets, for the journal.
    var masked: JSONValue {
        .object(
            members.reduce(into: [:]) { masked, member in
                masked[member.key] = Self.secrets.contains(member.key) ? .string("****") : member.value
            })
    }

    /// A query string with masked secrets.
    static func masked(query: String) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let name = pair.prefix { $0 != "=" }
            return secrets.contains(String(name)) ? name + "=****" : String(pair)
        }.joined(separator: "&")
    }

    private static let secrets: Set<String> = [
        "imp_key", "imp_secret", "apiSecret", "refreshToken", "paymentToken", "pg_api_key", "escrow_password",
        "vbank_key",
    ]
}

extension RequestJournal.Masks {
    /// What secrets of PortOne's clients look like.
    static let portOne = RequestJournal.Masks(
        body: { RequestFields($0, contentType: $1).masked }, query: RequestFields.masked(query:))
}

extension Request {
    func fields() async throws -> RequestFields {
        RequestFields(try await body.collect(upTo: Self.maxBodyBytes), contentType: headers[.contentType])
    }
}
