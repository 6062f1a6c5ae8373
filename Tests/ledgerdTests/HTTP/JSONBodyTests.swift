import Foundation
import HTTPTestSupport
import Hummingbird
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct JSONBodyTests {
    private struct Receipt: Codable, ResponseEncodable {
        var impUID: String
        var amount: Int64
        var paid: Bool?
        var lines: [Line]?

        struct Line: Codable {
            var coins: Int
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case impUID = "imp_uid"
            case amount, paid, lines
        }
    }

    private struct Named: Decodable {
        let name: NonEmpty
    }

    private func decode(_ json: String) throws(Problem) -> Receipt {
        try JSONBody.decode(Receipt.self, from: ByteBuffer(string: json))
    }

    private func problem(_ json: String) throws -> Problem {
        try #require(throws: Problem.self) { try decode(json) }
    }

    @Test func `a body is decoded, integers to the last digit`() throws {
        let receipt = try decode(#"{"imp_uid": "a \"1.5\" \\", "amount": -9007199254740993}"#)
        #expect(receipt.impUID == #"a "1.5" \"#)
        #expect(receipt.amount == -9_007_199_254_740_993)
    }

    @Test(arguments: [
        "", "{", "nonsense", #"{"imp_uid": "a", }x"#, "\u{FEFF}", #"{"imp_uid": "\uD800", "amount": 1}"#,
        #"{"imp_uid": "a", "amount": 1.}"#, #"{"imp_uid": "a", "amount": 01}"#,
        #"{"imp_uid": "a", "amount": 1..5}"#,
        "{\"imp_uid\": \"a\nb\", \"amount\": 1}", #"{"imp_uid": "a", "amount": 1,}"#,
        "\u{FEFF}" + #"{"imp_uid": "a", "amount": 1}"#, #"{"imp_uid": "a", "amount": 0123}"#,
        #"{"imp_uid": "a", /* one */ "amount": 1}"#, #"{"imp_uid": "a", "amount": NaN}"#,
        #"{"imp_uid": "a", "amount": +1}"#, #"{"imp_uid": 'a', "amount": 1}"#, #"{"imp_uid": "a", "amount": 1} {}"#,
    ])
    func `a body that is not JSON in UTF-8 is malformed_json`(json: String) throws {
        #expect(try problem(json).code == .malformedJSON)
    }

    @Test(arguments: [
        (#"{"imp_uid": "a", "amount": 1, "x": [1.5, {"y": 1e3}]}"#, "/x", "known names: amount, imp_uid, lines, paid"),
        (#"{"imp_uid": "a", "amoumt": 1}"#, "/amoumt", "did you mean amount?"),
        (#"{"imp_uid": "a", "amount": 1, "amount ": 1}"#, "/amount ", "did you mean amount?"),
        (#"{"imp_uid": "a", "amount": 1, "Paid": null}"#, "/Paid", "did you mean paid?"),
        (#"{"imp_uid": "a", "amount": 1, "lines": [{"coins": 1}, {"coin": 1}]}"#, "/lines/1/coin", "is unknown"),
    ])
    func `an unknown member is refused, and the nearest name is suggested`(
        json: String, pointer: String, hint: String
    ) throws {
        let problem = try problem(json)
        #expect(problem.code == .unknownMember)
        #expect(problem.members.first { $0.name == "pointer" }?.value == .string(pointer))
        #expect(problem.detail?.contains(hint) == true, "\(problem.detail ?? "")")
    }

    @Test(arguments: [
        (#"{"imp_uid": "a", "amount": 1, "amount": 7}"#, "/amount"),
        (#"{"imp_uid": "a", "amount": 1, "\u0061mount": 7}"#, "/amount"),
        (#"{"imp_uid": "a", "amount": 1, "lines": [{"coins": 1, "coins": 1}]}"#, "/lines/0/coins"),
        (#"{"imp_uid": "a", "amount": 1, "x": {"y": 1, "y": 2}}"#, "/x/y"),
    ])
    func `a repeated member is refused and named`(json: String, pointer: String) throws {
        let problem = try problem(json)
        #expect(problem.code == .repeatedMember)
        #expect(problem.members.first { $0.name == "pointer" }?.value == .string(pointer))
    }

    @Test func `a body in another encoding is malformed_json`() throws {
        let json = #"{"imp_uid": "a", "amount": 1}"#
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian] {
            let data = try #require(json.data(using: encoding))
            let error = #expect(throws: Problem.self) {
                try JSONBody.decode(Receipt.self, from: ByteBuffer(bytes: data))
            }
            #expect(error?.code == .malformedJSON)
        }
        let broken = Array(#"{"imp_uid": ""#.utf8) + [0xFF] + Array(#"", "amount": 1}"#.utf8)
        let error = #expect(throws: Problem.self) {
            try JSONBody.decode(Receipt.self, from: ByteBuffer(bytes: broken))
        }
        #expect(error?.code == .malformedJSON)
    }

    @Test(arguments: [
        (#"{"amount": 1}"#, "/imp_uid"),
        (#"{"imp_uid": null, "amount": 1}"#, "/imp_uid"),
        (#"{"imp_uid": "a", "amount": 1, "lines": [{"coins": 1}, {}]}"#, "/lines/1/coins"),
    ])
    func `a missing member is named`(json: String, pointer: String) throws {
        let problem = try problem(json)
        #expect(problem.code == .missingMember)
        #expect(problem.members.first { $0.name == "pointer" }?.value == .string(pointer))
    }

    @Test(arguments: [
        (#"{"imp_uid": 5, "amount": 1}"#, "/imp_uid", "a string, not a number"),
        (#"{"imp_uid": "a", "amount": "1"}"#, "/amount", "/amount must be an integer, not a string"),
        (#"{"imp_uid": "a", "amount": 1.5}"#, "/amount", "an integer, not a number with a fraction or an exponent"),
        (#"{"imp_uid": "a", "amount": 1.0}"#, "/amount", "not a number with a fraction or an exponent"),
        (#"{"imp_uid": "a", "amount": 1e3}"#, "/amount", "not a number with a fraction or an exponent"),
        (#"{"imp_uid": "a", "amount": 9007199254740993.0}"#, "/amount", "an integer"),
        (#"{"imp_uid": "a", "amount": 9223372036854775808}"#, "/amount", "an integer, not a number out of range"),
        (#"{"imp_uid": "a", "amount": true}"#, "/amount", "an integer, not a boolean"),
        (#"{"imp_uid": "a", "amount": 1, "paid": 1}"#, "/paid", "true or false, not a number"),
        (#"{"imp_uid": "a", "amount": 1, "lines": {}}"#, "/lines", "an array, not an object"),
        (#"{"imp_uid": "a", "amount": 1, "lines": [7]}"#, "/lines/0", "an object, not a number"),
        (#"[1]"#, "", "the body must be an object, not an array"),
        (#""text""#, "", "the body must be an object, not a string"),
    ])
    func `a member of another type is named`(json: String, pointer: String, expected: String) throws {
        let problem = try problem(json)
        #expect(problem.code == .wrongType)
        #expect(problem.members.first { $0.name == "pointer" }?.value == .string(pointer))
        #expect(problem.detail?.contains(expected) == true, "\(problem.detail ?? "")")
    }

    @Test(arguments: [
        (#"{"name": ""}"#, Problem.Code.missingMember), (#"{}"#, .missingMember), (#"{"name": 1}"#, .wrongType),
        (#"{"name": "a\u0000"}"#, .invalidRequest),
        (#"{"name": "\#(String(repeating: "x", count: 257))"}"#, .invalidRequest),
    ])
    func `an empty text is reported like a missing member`(json: String, code: Problem.Code) throws {
        let problem = #expect(throws: Problem.self) { try JSONBody.decode(Named.self, from: ByteBuffer(string: json)) }
        #expect(problem?.code == code)
        #expect(problem?.members.first { $0.name == "pointer" }?.value == .string("/name"))
    }

    @Test func `a body of unannounced length is read no further than the limit`() async throws {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
        let request = Request(head: head, body: .init(buffer: ByteBuffer(repeating: 0x20, count: 65_537)))
        let error = await #expect(throws: (any Error).self) { try await JSONBody.read(request) }
        #expect(error.map { Problem(any: $0).code } == .bodyTooLarge)
    }

    @Test func `a mangled body is decoded or refused, and never crashes`() throws {
        let whole = Array(
            #"{"imp_uid": "a\"\u00e9", "amount": -12, "paid": true, "lines": [{"coins": 1e5}, null]}"#.utf8)
        var generator = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(2_000, upTo: 20_000) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes = Array(bytes[...index])
                }
            }
            do {
                _ = try JSONBody.decode(Receipt.self, from: ByteBuffer(bytes: bytes))
            } catch {
                try #require(error.status == .badRequest)
            }
        }
    }

    @Test func `special characters of a pointer are escaped`() {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue _: Int) { nil }
        }
        #expect(JSONPointer([Key(stringValue: "a/b~c"), Key(stringValue: "d")]).text == "/a~1b~0c/d")
    }

    @Test(arguments: [TestingSetup.router, .live])
    func `a body is refused by its type and size before it is decoded`(setup: TestingSetup) async throws {
        let house = TestHouse { router in
            router.post("receipts") { request, context in
                try await request.decode(as: Receipt.self, context: context)
            }
        }
        let small = ByteBuffer(string: #"{"imp_uid":"a/b","amount":1}"#)
        let large = ByteBuffer(string: #"{"imp_uid":""# + String(repeating: "x", count: 70_000) + #"","amount":1}"#)
        try await house.test(setup) { client in
            for type in ["application/json", "Application/JSON ; charset=UTF-8"] {
                try await client.execute(uri: "/receipts", method: .post, headers: [.contentType: type], body: small) {
                    #expect($0.status == .ok)
                    #expect($0.text.contains(#""imp_uid":"a/b""#))
                }
            }
            try await client.execute(uri: "/receipts", method: .post, body: small) { #expect($0.status == .ok) }
            for type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"] {
                try await client.execute(uri: "/receipts", method: .post, headers: [.contentType: type], body: small) {
                    #expect($0.status == .unsupportedMediaType)
                    #expect($0.json["code"] as? String == "unsupported_media_type")
                }
            }
            try await client.execute(uri: "/receipts", method: .post, body: large) {
                #expect($0.status == .contentTooLarge)
                #expect($0.json["code"] as? String == "body_too_large")
                #expect($0.json["max_bytes"] as? Int == 65_536)
            }
        }
    }
}
