import FoundationEssentials
import Hummingbird
import LedgerWire

/// The place in a list where the next page begins, as clients carry it: base64url of compact JSON.
///
/// Opaque means that clients may not look inside, not that they can't: a position holds keys of rows that the caller may
/// read anyway, and a query still checks whose they are. A cursor goes with the list and the filters that it was made
/// for: with others it would skip what they show.
enum Cursor {
    /// Longer than any position we make; what is longer is not ours.
    private static let maxLength = 512

    fileprivate struct Body<Position> {
        let list: String
        let position: Position

        enum CodingKeys: String, CodingKey {
            case list = "l"
            case position = "p"
        }
    }

    /// - Parameter list: tells the list and its filters from all others.
    static func encode(_ position: some Encodable, of list: String) throws -> String {
        Base64URL.encode(try AnswerJSON.encode(Body(list: list, position: position)).readableBytesView)
    }

    /// - Throws: `invalid_request` naming `cursor`, for anything that ``encode(_:of:)`` did not make for this list.
    static func decode<Position: Decodable>(
        _: Position.Type, from text: some StringProtocol, of list: String
    ) throws(Problem) -> Position {
        guard text.utf8.count <= maxLength, let bytes = Base64URL.decode(text.utf8),
            let body = try? decoder.decode(Body<Position>.self, from: Data(bytes))
        else {
            throw .invalid(member: "cursor", "the cursor is not one that this service made for this list")
        }
        guard body.list == list else {
            throw .invalid(member: "cursor", "the cursor was made for another list, or for other filters")
        }
        return body.position
    }

    private static let decoder = WireJSON.makeDecoder()
}

extension Cursor.Body: Encodable where Position: Encodable {}
extension Cursor.Body: Decodable where Position: Decodable {}
