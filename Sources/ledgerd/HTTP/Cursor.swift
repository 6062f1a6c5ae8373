import FoundationEssentials
import Hummingbird
import LedgerWire

/// The place in a list where the next page begins, as clients carry it: base64url of compact JSON.
///
/// Opaque means that clients may not look inside, not that they can't: a position holds keys of rows that the caller may
/// read anyway, and a query still checks whose they are.
enum Cursor {
    /// Longer than any position we make; what is longer is not ours.
    private static let maxLength = 512

    static func encode(_ position: some Encodable) throws -> String {
        Base64URL.encode(try JSON.encode(position).readableBytesView)
    }

    /// - Throws: `invalid_request` naming `cursor`, for anything that ``encode(_:)`` did not make.
    static func decode<Position: Decodable>(
        _: Position.Type, from text: some StringProtocol
    ) throws(Problem) -> Position {
        guard text.utf8.count <= maxLength, let bytes = Base64URL.decode(text.utf8),
            let position = try? decoder.decode(Position.self, from: Data(bytes))
        else {
            throw .invalid(member: "cursor", "the cursor is not one that this service made for this list")
        }
        return position
    }

    private static let decoder = WireJSON.makeDecoder()
}
