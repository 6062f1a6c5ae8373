import FoundationEssentials
import SandboxSupport

/// The parts of a JWS in its compact form (RFC 7515).
enum CompactJWS {
    static func part(_ members: JSONValue) -> String { Base64URL.encode(Data(members.jsonText.utf8)) }

    /// The members of a header or a payload; nil if it has none.
    static func members(_ part: Substring) -> [String: JSONValue]? {
        guard let bytes = Base64URL.decode(part),
            case .object(let members) = try? JSONDecoder().decode(JSONValue.self, from: bytes)
        else { return nil }
        return members
    }
}
