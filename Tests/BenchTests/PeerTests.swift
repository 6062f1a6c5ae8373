import Foundation
import Testing

@testable import ledgerd_bench

/// Which folders are peers; a made-up one stands for what users fetch.
@Suite(.timeLimit(.minutes(20))) struct PeerTests {
    private static func inDirectory(_ files: [String: String], _ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "peers-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (path, text) in files {
            let file = directory.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(directory)
    }

    @Test func `a clone of pgledger is enough, and the helpers come before it`() throws {
        try Self.inDirectory([
            "pgledger/pgledger.sql": "ledger", "pgledger/vendor/scoville-pgsql-ulid/b.sql": "b",
            "pgledger/vendor/scoville-pgsql-ulid/a.sql": "a", "pgledger/vendor/scoville-pgsql-ulid/README.md": "no",
        ]) { directory in
            let peers = try Peer.all(in: directory)
            #expect(peers.map(\.name) == ["pgledger"])
            #expect(peers.first?.schema == ["a", "b", "ledger"])
            #expect(peers.first?.setUp(users: 7).contains("\\set users 7\n") == true)
            #expect(peers.first?.purchase(users: 7).hasPrefix("\\set user random(1, 7)\n") == true)
        }
    }

    @Test func `a clone of Formance is enough, and gets a schema of its own`() throws {
        let file = "formance/internal/storage/bucket/migrations/0-init-schema/up.sql"
        try Self.inDirectory([file: "set search_path = '{{.Bucket}}';"]) { directory in
            let peer = try #require(try Peer.all(in: directory).first)
            #expect(peer.schema == ["CREATE SCHEMA formance;\nset search_path = 'formance';"])
            // Two writers at once would give one account two last moves.
            #expect(peer.clients == [1])
        }
    }

    @Test func `another ledger brings its accounts and its purchase`() throws {
        try Self.inDirectory([
            "other/schema/1.sql": "one", "other/schema/2.sql": "two", "other/accounts.sql": "accounts",
            "other/purchase.sql": "purchase",
        ]) { directory in
            let peer = try #require(try Peer.all(in: directory).first)
            #expect(peer.schema == ["one", "two"])
            #expect(peer.setUp(users: 1).contains("accounts") && peer.purchase(users: 1).contains("purchase"))
        }
    }

    @Test(arguments: [
        ([:] as [String: String], "contains no folders"),
        (["pgledger/README.md": ""], "vendor/scoville-pgsql-ulid contains no *.sql"),
        (["formance/README.md": ""], "0-init-schema/up.sql is missing or is not text"),
        (["other/schema/1.sql": "", "other/accounts.sql": ""], "purchase.sql is missing or is not text"),
    ])
    func `a folder that lacks something says what`(files: [String: String], message: String) throws {
        try Self.inDirectory(files) { directory in
            let error = #expect(throws: Peer.Unreadable.self) { try Peer.all(in: directory) }
            #expect(error?.description.hasSuffix(message) == true)
        }
    }
}
