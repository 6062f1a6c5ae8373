import CivilTime
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import LedgerWire
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct PageRequestTests {
    private struct Position: Codable, Equatable {
        var id: Int64
        var at: Date
    }

    private func request(_ path: String) -> Request {
        Request(
            head: .init(method: .get, scheme: "http", authority: "localhost", path: path),
            body: .init(buffer: ByteBuffer()))
    }

    @Test func `a page begins after the position that its cursor holds`() throws {
        let position = Position(id: 42, at: Date(timeIntervalSince1970: 1_709_256_000.123))
        let first = try PageRequest<Position>(request("/v1/me/purchases"))
        let cursor = try #require(try first.cursor(position))
        let page = try PageRequest<Position>(request("/v1/me/purchases?limit=100&cursor=\(cursor)"))
        #expect(page.limit == 100)
        #expect(page.after?.id == 42)
        let after = try #require(page.after)
        #expect(RFC3339.string(from: after.at) == "2024-03-01T01:20:00.123Z")
    }

    @Test func `a page has twenty items from the start, unless said otherwise`() throws {
        let page = try PageRequest<Position>(request("/list"))
        #expect(page.limit == 20)
        #expect(page.after == nil)
    }

    @Test(arguments: ["0", "101", "-1", "x", "", "1.0", "%31%30%30%30"])
    func `limits that are no integers from 1 to 100 are refused`(text: String) {
        let problem = #expect(throws: Problem.self) { try PageRequest<Position>(request("/list?limit=\(text)")) }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.members.first { $0.name == "member" }?.value == "limit")
    }

    @Test(arguments: ["", "x", "e30", "bm90IGpzb24", String(repeating: "A", count: 600), "e30="])
    func `foreign cursors are refused`(text: String) {
        let problem = #expect(throws: Problem.self) { try PageRequest<Position>(request("/list?cursor=\(text)")) }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.members.first { $0.name == "member" }?.value == "cursor")
    }

    @Test func `the link to the next page keeps the query and replaces the cursor`() throws {
        let first = try PageRequest<Position>(request("/v1/me/purchases?status=a%20b&limit=5"), filters: "status")
        let cursor = try #require(try first.cursor(Position(id: 1, at: Date())))
        for name in ["cursor", "c%75rsor"] {
            let page = try PageRequest<Position>(
                request("/v1/me/purchases?status=a%20b&\(name)=\(cursor)&limit=5"), filters: "status")
            #expect(page.link("new_-")[.link] == "</v1/me/purchases?status=a%20b&limit=5&cursor=new_->; rel=\"next\"")
        }
        #expect(try PageRequest<Position>(request("/list")).link("c")[.link] == "</list?cursor=c>; rel=\"next\"")
    }

    @Test func `a cursor is accepted only with the list and the filters that it was made for`() throws {
        let first = try PageRequest<Position>(
            request("/list?kind=a+b&from=2026-01-01&limit=5"), filters: "kind", "from")
        let cursor = try #require(try first.cursor(Position(id: 1, at: Date())))
        for same in ["kind=a+b&from=2026-01-01", "from=2026-01-01&kind=a%20b&limit=7"] {
            _ = try PageRequest<Position>(request("/list?\(same)&cursor=\(cursor)"), filters: "kind", "from")
        }
        for other in ["/list?kind=a", "/list?kind=a+b", "/list?", "/other?kind=a+b&from=2026-01-01"] {
            let problem = #expect(throws: Problem.self) {
                try PageRequest<Position>(request("\(other)&cursor=\(cursor)"), filters: "kind", "from")
            }
            #expect(problem?.members.first { $0.name == "member" }?.value == "cursor", "\(other)")
        }
    }

    @Test(arguments: [
        ("statuss=paid", "statuss", "did you mean status?"), ("x=1", "x", "known names: cursor, limit, status"),
        ("status=a&status=a", "status", "twice"), ("limit=5&l%69mit=5", "limit", "twice"),
        ("%FF=1", "query", "percent-encoded"), ("status=%zz", "query", "percent-encoded"),
    ])
    func `unknown and repeated parameters are refused`(query: String, member: String, hint: String) {
        let problem = #expect(throws: Problem.self) {
            try PageRequest<Position>(request("/list?\(query)"), filters: "status")
        }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.members.first { $0.name == "member" }?.value == .string(member))
        #expect(problem?.detail?.contains(hint) == true, "\(problem?.detail ?? "")")
    }

    @Test func `a plus sign is read as a space, and a byte order mark stays`() throws {
        let query = try Query(request("/list?a=x+y%2Bz&b=%EF%BB%BFbom&c="), ["a", "b", "c"])
        #expect(query["a"] == "x y+z")
        #expect(query["b"].map { Array($0.utf8) } == Array("\u{FEFF}bom".utf8))
        #expect(query["c"]?.isEmpty == true)
    }

    @Test(arguments: ["%00", "UTC%00x", "a%0Ab", "%7F", "%C2%85", "a%09"])
    func `a control character is refused by the parameter's name, in values and names`(text: String) {
        let value = #expect(throws: Problem.self) { try Query(request("/list?tz=\(text)"), ["tz"]) }
        #expect(value?.code == .invalidRequest && value?.detail == "tz must not have control characters")
        let name = #expect(throws: Problem.self) { try Query(request("/list?\(text)=1"), ["tz"]) }
        #expect(name?.code == .invalidRequest && name?.detail == "query must not have control characters")
    }

    @Test func `a cursor whose position no list holds is refused, and never crashes`() throws {
        var generator = SplitMix64(seed: Effort.seed)
        let edges = [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e300", "-1", "0", "1.5", "null",
        ]
        let list = try #require(try PageRequest<Position>(request("/list")).cursor(Position(id: 1, at: Date())))
        let name = String(decoding: try #require(Base64URL.decode(list.utf8)), as: UTF8.self).split(separator: "\"")[3]
        for edge in edges {
            for position in [
                #"{"id":\#(edge),"creditedAt":\#(edge),"expiresAt":\#(edge),"asOf":\#(edge),"last":\#(edge)}"#,
                #"{"id":1,"creditedAt":\#(edge),"expiresAt":\#(edge),"asOf":\#(edge),"paidAt":\#(edge)}"#,
                #"{"seqByAccount":{"paid":\#(edge)}}"#,
            ] {
                let text = Base64URL.encode(Array(#"{"l":"\#(name)","p":\#(position)}"#.utf8))
                read(text)
                var bytes = Array(position.utf8)
                for _ in 0..<Effort.count(20, upTo: 200) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                        in: 0x20...0x7E, using: &generator)
                    read(Base64URL.encode(Array(#"{"l":"\#(name)","p":"#.utf8) + bytes + [0x7D]))
                }
            }
        }
    }

    private func read(_ cursor: String) {
        func position<Position: Codable & Sendable>(_: Position.Type) -> Position? {
            try? PageRequest<Position>(request("/list?cursor=\(cursor)")).after
        }
        if let purchase = position(PurchaseCursor.self) { expectFair(purchase.creditedAt) }
        if let lot = position(LotCursor.self) { expectFair(lot.expiresAt) }
        if let outstanding = position(OutstandingCursor.self) {
            expectFair(outstanding.asOf)
            expectFair(outstanding.paidAt)
        }
        _ = position(StatementCursor.self)
        _ = position(After<Int64>.self)
    }

    /// What was read is a moment that the database can be asked about.
    private func expectFair(_ moment: CursorMoment) {
        let text = (try? JSONEncoder().encode([moment])).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let microseconds = Int64(text.dropFirst().dropLast()) ?? .max
        #expect((-62_200_000_000_000_000...253_500_000_000_000_000).contains(microseconds))
    }
}
