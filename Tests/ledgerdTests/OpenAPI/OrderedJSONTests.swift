import Foundation
import Testing

@testable import LedgerServer

/// The reader of the document's examples.
@Suite(.timeLimit(.minutes(20))) struct OrderedJSONTests {
    private static func read(_ text: String) throws -> OrderedJSON { try OrderedJSON(Array(text.utf8)) }

    @Test func `members keep their order`() throws {
        let value = try Self.read(#" {"z": [1, -2.50], "a" : {}, "m": "é\"\n\u20A9", "t": true, "n": null} "#)
        #expect(value.members.map(\.name) == ["z", "a", "m", "t", "n"])
        #expect(value["z"]?.elements == [.literal("1"), .literal("-2.50")])
        #expect(value["m"]?.text == "é\"\n₩")
        #expect(value.line == #"{"z": [1, -2.50], "a": {}, "m": "é\"\n₩", "t": true, "n": null}"#)
    }

    @Test func `a long value has a line for each member`() throws {
        let value = try Self.read(#"{"coins": 30, "lots": [{"id": 1}, {"id": 2}], "empty": []}"#)
        #expect(
            value.text() == """
                {
                  "coins": 30,
                  "lots": [{"id": 1}, {"id": 2}],
                  "empty": []
                }
                """)
        #expect(value["lots"]?.text(width: 12) == "[\n  {\"id\": 1},\n  {\"id\": 2}\n]")
        #expect(try Self.read(#"{"users": ["ann"]}"#).text() == #"{"users": ["ann"]}"#)
    }

    @Test(arguments: ["", "{", #"{"a"}"#, #"{"a": }"#, "[1 2]", #""open"#, #"{"a": 1"#])
    func `what is no JSON is refused`(text: String) {
        #expect(throws: OrderedJSON.Malformed.self) { try Self.read(text) }
    }

    @Test func `the whole document is read as Foundation reads it`() throws {
        let written = Data(try OrderedJSON(APIDocument.json).text().utf8)
        let ours = try #require(try JSONSerialization.jsonObject(with: written) as? NSDictionary)
        #expect(ours.isEqual(try JSONSerialization.jsonObject(with: Data(APIDocument.json))))
    }
}
