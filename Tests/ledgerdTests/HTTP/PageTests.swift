import Foundation
import HTTPTypes
import Hummingbird
import LedgerWire
import Testing

@testable import ledgerd

@Suite("A page of a list")
struct PageTests {
    private struct Position: Codable, Equatable {
        var id: Int64
        var at: Date
    }

    private func request(_ path: String) -> Request {
        Request(
            head: .init(method: .get, scheme: "http", authority: "localhost", path: path),
            body: .init(buffer: ByteBuffer()))
    }

    @Test("begins after the position that its cursor holds")
    func roundTrip() throws {
        let position = Position(id: 42, at: Date(timeIntervalSince1970: 1_709_256_000.123))
        let cursor = try Cursor.encode(position)
        let page = try Page<Position>(request("/v1/me/purchases?limit=100&cursor=\(cursor)"))
        #expect(page.limit == 100)
        #expect(page.after?.id == 42)
        let after = try #require(page.after)
        #expect(RFC3339.string(from: after.at) == "2024-03-01T01:20:00.123Z")
    }

    @Test("is of twenty items from the start, unless said otherwise")
    func defaults() throws {
        let page = try Page<Position>(request("/list"))
        #expect(page.limit == 20)
        #expect(page.after == nil)
    }

    @Test(
        "refuses limits that are no integers from 1 to 100",
        arguments: ["0", "101", "-1", "x", "", "1.0", "%31%30%30%30"])
    func limits(text: String) {
        let problem = #expect(throws: Problem.self) { try Page<Position>(request("/list?limit=\(text)")) }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.members.first { $0.name == "member" }?.value == "limit")
    }

    @Test(
        "refuses cursors it did not make",
        arguments: ["", "x", "e30", "bm90IGpzb24", String(repeating: "A", count: 600), "e30="])
    func cursors(text: String) {
        let problem = #expect(throws: Problem.self) { try Page<Position>(request("/list?cursor=\(text)")) }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.members.first { $0.name == "member" }?.value == "cursor")
    }

    @Test("links to the next with its own query kept and the cursor replaced")
    func link() {
        let link = request("/v1/me/purchases?status=a%20b&cursor=old&limit=5").nextPageLink(cursor: "new_-")
        #expect(link == "</v1/me/purchases?status=a%20b&limit=5&cursor=new_->; rel=\"next\"")
        #expect(request("/list").nextPageLink(cursor: "c") == "</list?cursor=c>; rel=\"next\"")
    }
}
