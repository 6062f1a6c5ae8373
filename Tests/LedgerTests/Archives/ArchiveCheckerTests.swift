import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// ops/archive/check_archive.py, with which an auditor checks an archive without ledgerd.
@Suite(.timeLimit(.minutes(20))) struct ArchiveCheckerTests {
    /// The line, the part of it that is replaced, and what is said of it.
    private static let forgeries: [(line: Int, part: String, change: String, says: String)] = [
        // What no hash and no signature covers.
        (0, #""first":2"#, #""first":1"#, "it tells of 3 entries from 1 on, the seals of 3 from 2 on"),
        (0, #""entries":3"#, #""entries":2"#, "it tells of 2 entries from 2 on, the seals of 3 from 2 on"),
        (0, #""first":2"#, #""first":2,"checked_by":"kim""#, "the member 'checked_by' is unknown: no hash covers it"),
        (0, #""signature":"#, #""signed_by":"kim","signature":"#, "the member 'signed_by' is unknown"),
        (2, #""kind":"purchase""#, #""kind":"purchase","note":"paid""#, "entry 3 can't be read: the member 'note'"),
        (2, #""side":"D""#, #""side":"D","memo":"cash""#, "the member 'memo' is unknown"),
        (2, #""kind":"purchase""#, #""kind":"purchase","reason":null"#, "the member 'reason' has another type"),
        (2, #".000000Z""#, #".0000009Z""#, "is not a time in UTC with microseconds"),
        // What one reader sees and another one does not.
        (0, #""first":2"#, #""first":1,"first":2"#, "the member 'first' is repeated"),
        (0, #""statement":"#, #""statement":"","statement":"#, "the member 'statement' is repeated"),
        (2, #""kind":"#, #""kind":"refund","kind":"#, "entry 3 can't be read: the member 'kind' is repeated"),
        (2, #""amount":"#, #""amount":1,"amount":"#, "the member 'amount' is repeated"),
        // What the seals refuse.
        (2, #""amount":"#, #""amount":1"#, "the entries are not those that were sealed"),
        (2, "wallet:bob", "wallet:eve", "the entries are not those that were sealed"),
        (2, #""number":3"#, #""number":4"#, "entry 4 is in its place"),
        (2, "}]}", "}", "the line of entry 3 can't be read: it is not JSON"),
        (0, "ledgerd-archive-2", "ledgerd-archive-1", "it has another format"),
        (0, "ledgerd-seal 2", "ledgerd-seal 3", "a seal has another format"),
        (2, #""kind":"purchase""#, #""kind":"purchase","salt":"00000000000000000000000000000000""#, "opens no text"),
        (0, "total coins:issued COIN 400", "total coins:issued COIN 500", "the totals of the entries are not"),
    ]

    @Test func `the checker in Python refuses each forged archive, and says why`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            _ = try await ledger.credit(.sample(1))
            let opening = try await ArchiveTests.seal(ledger, key)
            for number in 2...4 { _ = try await ledger.credit(.sample(number, by: "bob")) }
            let closing = try await ArchiveTests.seal(ledger, key)
            let lines = try await ArchiveTests.archive(test, after: opening, through: closing)
            try #require(lines.count == 4)
            func changed(_ line: Int, _ part: String, _ change: String) throws -> [[UInt8]] {
                var forged = lines
                forged[line] = try ArchiveTests.replacing(part, with: change, in: lines[line])
                return forged
            }
            let unsigned = "opening_seal is not signed by a key that was given"
            var archives: [(lines: [[UInt8]], says: String)] = [
                (lines, "holds: 3 entries, 4 in all"), (Array(lines.dropLast()), "the file ends before entry 4 of 4"),
                (lines + [lines[3]], "there are more lines than the 3 entries of the archive"),
                ([], "the first line is not the head of an archive: it is not JSON"),
                (try changed(0, key.publicKey.base64, SealKey().publicKey.base64), unsigned),
            ]
            for forgery in Self.forgeries {
                archives.append((try changed(forgery.line, forgery.part, forgery.change), forgery.says))
            }
            let said = try await Self.check(archives.map(\.lines), key.publicKey)
            try #require(said.count == archives.count, "\(said)")
            for (said, archive) in zip(said, archives) { #expect(said.contains(archive.says), "\(said)") }
            #expect(said.filter { $0.hasPrefix("holds") }.count == 1)
        }
    }

    /// What the checker says of each archive: one process checks them all.
    private static func check(_ archives: [[[UInt8]]], _ key: SealPublicKey) async throws -> [String] {
        let files = try archives.map { lines in
            try AccountingFile(lines.flatMap { $0 + [UInt8(ascii: "\n")] }, "jsonl")
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../ops/archive")
        let file = try #require(files.first)
        let arguments = ["-B", "-c", program, folder.standardized.path, key.base64] + files.map(\.path)
        let said = try await file.run("python3", arguments)
        withExtendedLifetime(files) {}  // They end with their owners.
        return said.split(separator: "\n").map(String.init)
    }

    private static let program = """
        import sys
        folder, key, *files = sys.argv[1:]
        sys.path.insert(0, folder)
        import check_archive
        for file in files:
            sys.argv = ["check_archive.py", file, "--key", key]
            try:
                check_archive.main()
            except SystemExit as end:
                print(end.code)
        """
}
