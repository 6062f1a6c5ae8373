import Testing
import WireFormats

@Suite(.timeLimit(.minutes(20))) struct JSONParserTests {
    @Test func `every kind of value is read, numbers as they are written`() throws {
        let json = try parse(#" { "a" : [ null , true , false ] , "n" : -1.50e+3 , "s" : "\u00e9\/\n\uD83D\uDE00가" } "#)
        #expect(json["a"] == .array([.null, .bool(true), .bool(false)]))
        #expect(json["n"] == .number("-1.50e+3"))
        #expect(json["s"]?.text == "é/\n😀가")
    }

    @Test(arguments: [
        "", " ", "{", "[", "{}{}", "[1,]", "{\"a\":1,}", "{a:1}", "{'a':1}", "01", "1.", ".5", "+1", "-", "1e", "nul",
        "truee", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\n\"", "NaN", "Infinity", "0x1",
        "{\"a\":1 \"b\":2}", "[1 2]", "{\"a\"}", "{\"a\":}", "\u{feff}{}",
    ])
    func `what isn't JSON is refused`(text: String) {
        #expect(throws: JSONParser.Malformed.self) { try parse(text) }
    }

    @Test(arguments: [
        (#"{"amount":1000,"amount":1}"#, ["amount"]), (#"{"amount":1000,"\u0061mount":1}"#, ["amount"]),
        (#"{"list":[{},{"a":{"b":1,"c":[],"b":2}}]}"#, ["list", "1", "a", "b"]),
        (#"{"a":null,"a":null}"#, ["a"]),
    ])
    func `an object with one name twice is refused, for it says two things`(text: String, path: [String]) {
        let error = #expect(throws: JSONParser.Malformed.self) { try parse(text) }
        #expect(error?.repeated == path)
    }

    @Test func `what isn't JSON says how far it was read`() {
        let error = #expect(throws: JSONParser.Malformed.self) { try parse(#"{"coins":0123}"#) }
        #expect(error?.offset == 10 && error?.repeated == nil)
    }

    @Test func `depth is bounded`() throws {
        #expect(throws: Never.self) { try parse(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) }
        #expect(throws: JSONParser.Malformed.self) { try parse(String(repeating: "[", count: 100_000)) }
    }

    @Test func `text that isn't UTF-8 is refused`() {
        #expect(throws: JSONParser.Malformed.self) { try JSONParser.parse([0x22, 0xff, 0x22]) }
        #expect(throws: JSONParser.Malformed.self) { try JSONParser.parse([0x22, 0xed, 0xa0, 0x80, 0x22]) }
    }

    @Test func `every prefix of an answer is refused`() {
        let text = #"{"code":0,"message":null,"response":{"imp_uid":"imp_1","amount":1000.5,"list":[1,"\u00e9"]}}"#
        for count in 0..<text.utf8.count {
            #expect(throws: JSONParser.Malformed.self) { try JSONParser.parse(Array(text.utf8.prefix(count))) }
        }
    }

    @Test func `what is quoted is read back`() throws {
        let text = "a\"b\\c\n\u{0}\u{1f}가😀/"
        #expect(try parse(JSON.string(text).written).text == text)
    }

    private func parse(_ text: String) throws -> JSON { try JSONParser.parse(Array(text.utf8)) }

    @Test func `what is written is read again, numbers as they were`() throws {
        let json = JSON.object([
            "b": .array([.null, .bool(true), .bool(false), .number("14.20")]), "a": .string("\"\\\n\u{1}/주문😀"),
            "c": .object([:]),
        ])
        #expect(json.written.hasPrefix(#"{"a":"\"\\\n\u0001/주문😀","b":[null,true,false,14.20]"#))
        #expect(try JSONParser.parse(Array(json.written.utf8)) == json)
    }
}
