import FoundationEssentials
import Hummingbird
import LedgerWire
import WireFormats

/// The position of the next page of a list: base64url of compact JSON.
///
/// Clients must treat it as opaque, but it is not secret: a position has keys of rows that the caller can read anyway,
/// and each query checks the owner of its rows. A cursor is valid only for its list and filters, because with others it
/// would skip rows.
package enum Cursor {
    /// Longer than any cursor of this service.
    private static let maxLength = 512

    fileprivate struct Body<Position> {
        let list: String
        let position: Position

        enum CodingKeys: String, CodingKey {
            case list = "l"
            case position = "p"
        }
    }

    /// - Parameter list: identifies the list and its filters.
    package static func encode(_ position: some Encodable, of list: String) throws -> String {
        Base64URL.encode(try AnswerJSON.encode(Body(list: list, position: position)).readableBytesView)
    }

    /// The same, of a position that writes itself.
    static func encode(_ position: some JSONWritten, of list: String) -> String {
        Base64URL.encode(Body(list: list, position: position).written(reserving: 128).readableBytesView)
    }

    /// - Throws: `invalid_request` with the member `cursor`, unless ``encode(_:of:)`` made the cursor for this list.
    package static func decode<Position: Decodable>(
        _: Position.Type, from text: some StringProtocol, of list: String
    ) throws(Problem) -> Position {
        guard text.utf8.count <= maxLength, let bytes = Base64URL.decode(text.utf8),
            let body = try? decoder.decode(Body<Position>.self, from: Data(bytes))
        else {
            throw .invalid(member: "cursor", "the cursor is not a next_cursor of this list")
        }
        guard body.list == list else {
            throw .invalid(member: "cursor", "the cursor belongs to another list or to other filters")
        }
        return body.position
    }

    private static let decoder = WireJSON.makeDecoder()
}

extension Cursor.Body: Encodable where Position: Encodable {}
extension Cursor.Body: Decodable where Position: Decodable {}

extension Cursor.Body: JSONWritten where Position: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("l", list)
        json.member("p", position)
        json.endObject()
    }
}
