import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Closed years, outside of the database.
@Suite(.timeLimit(.minutes(20))) struct ArchiveTests {
    @Test func `archives one after the other have every entry once, and each proves itself`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            let empty = try await Self.seal(ledger, key)
            try await ledger.liveThroughEverything()
            let first = try await Self.seal(ledger, key)
            let users = ["kim:paid/3", "wallet:x", "앤", "\"\\\u{301}:", "\u{301}:/\u{301}"]
            for (place, user) in users.enumerated() {
                _ = try await ledger.submit(
                    Grant(
                        idempotencyKey: .named("welcome-\(place)"), user: .named(user), coins: sure(Coins(3)),
                        reason: "생일 \"축하\""))
                _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            }
            let second = try await Self.seal(ledger, key)
            let archives = try await [
                Self.archive(test, after: nil, through: first), Self.archive(test, after: first, through: second),
                Self.archive(test, after: second, through: second), Self.archive(test, after: empty, through: nil),
                Self.archive(test, after: nil, through: empty),
            ]
            for lines in archives {
                let examination = try Self.examine(lines)
                #expect(
                    examination.faults(trusting: [SealKey().publicKey, key.publicKey]) == [], "\(examination.head)")
                #expect(examination.entries == Int64(lines.count - 1))
                #expect(
                    examination.faults(trusting: [SealKey().publicKey]).count
                        == (examination.head.opening == nil ? 1 : 2)
                )
            }
            #expect(archives[0].dropFirst() + archives[1].dropFirst() == archives[3].dropFirst())
            #expect(archives[1].count == 6 && archives[2].count == 1 && archives[4].count == 1)
            let all = try Self.examine(archives[3])
            #expect(all.head.first == 1 && all.head.closing == second)
            let times = try #require(all.recordedAt)
            #expect(times.lowerBound < times.upperBound)
            // The file holds what the database holds, also what is not in the totals.
            let reasons = archives[1].dropFirst().map { String(decoding: $0, as: UTF8.self) }
            #expect(reasons.allSatisfy { $0.contains(#""reason":"생일 \"축하\"""#) })
        }
    }

    @Test func `whoever changes anything in an archive is found out`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            _ = try await ledger.credit(.sample(1))
            let opening = try await Self.seal(ledger, key)
            for number in 2...4 { _ = try await ledger.credit(.sample(number, by: "bob")) }
            let closing = try await Self.seal(ledger, key)
            let lines = try await Self.archive(test, after: opening, through: closing)
            try #require(lines.count == 4)
            #expect(try Self.faults(lines, key) == [])

            let other = ArchiveFault.otherEntries(
                sealed: closing.content.head, read: String(repeating: "?", count: 64))
            let changes: [(part: String, change: String, fault: ArchiveFault)] = [
                (#""salt":""#, #""salt":"00"#, .unreadable(entry: 3)),
                (
                    #""account":"wallet:bob:paid""#, "\"account_commitment\":\"\(String(repeating: "0", count: 64))\"",
                    .unreadable(entry: 3)
                ),
                (
                    #""kind":"purchase""#, #""kind":"purchase","salt":"00000000000000000000000000000000""#,
                    .unreadable(entry: 3)
                ),
                (#""amount":"#, #""amount":1"#, other), (#""balance":"#, #""balance":1"#, other),
                (#""seq":"#, #""seq":1"#, other), (#""account_id":"#, #""account_id":1"#, other),
                (#""transaction_id":"#, #""transaction_id":1"#, other), ("wallet:bob", "wallet:eve", other),
                ("purchase:", "purchase:1", other), (#""side":"D""#, #""side":"C""#, other),
                (#""kind":"purchase""#, #""kind":"purchase","reason":"thanks""#, other),
                (#""kind":"purchase""#, #""kind":"purchase","reverses":1"#, other),
                (#"recorded_at":"2"#, #"recorded_at":"1"#, other), (#"effective_at":"2"#, #"effective_at":"1"#, other),
                (#""kind":"purchase""#, #""kind":"purchase","note":"paid""#, .unreadable(entry: 3)),
                (#""kind":"purchase""#, #""kind":"purchase","reason":null"#, .unreadable(entry: 3)),
                (#""number":3"#, #""number":4"#, .missing(entry: 3, found: 4)),
                (#""currency":"KRW""#, #""currency":"JPY""#, other), ("}]}", "}", .unreadable(entry: 3)),
            ]
            for (part, change, fault) in changes {
                var changed = lines
                changed[2] = try Self.replacing(part, with: change, in: lines[2])
                #expect(try Self.faults(changed, key).map(Self.masked) == [Self.masked(fault)], "\(part) as \(change)")
            }
            #expect(try Self.faults(lines.dropLast(), key) == [.fewerEntries(2, than: 3)])
            #expect(try Self.faults(lines + [lines[3]], key) == [.moreEntries(than: 3)])
            #expect(try Self.faults([lines[0], lines[1], lines[3]], key) == [.missing(entry: 3, found: 4)])
            #expect(try Self.faults([lines[0], lines[2], lines[1], lines[3]], key) == [.missing(entry: 2, found: 3)])

            // A head of other seals: of another range, of another ledger's key, or signed by nobody.
            for (part, change) in [
                (#""first":2"#, #""first":1"#), (#""entries":3"#, #""entries":2"#),
                ("ledgerd-archive-2", "ledgerd-archive-1"),
                ("ledgerd-seal-1", "seal"), (#""opening_seal":"#, #""opening_seal":7,"seal":"#),
                ("entries 4", "entries 9223372036854775807"), ("entries 1", "entries -5"),
                (#""first":2"#, #""first":2,"checked_by":"kim""#), (#""first":2"#, #""first":2,"first":2"#),
                (#""signature":"#, #""signed_by":"kim","signature":"#),
            ] {
                let head = try Self.replacing(part, with: change, in: lines[0])
                #expect(throws: ArchiveFault.notAnArchive, "\(change)") { try ArchiveExamination(head: head) }
            }
            let forged = try Self.replacing(
                "total coins:issued COIN 400", with: "total coins:issued COIN 500", in: lines[0])
            #expect(
                try Self.faults([forged] + lines.dropFirst(), key)
                    == [.notSigned(entries: 4, key: key.publicKey.id), .otherTotals])
            // No signature covers the key that a seal names, and what is shown of it.
            let stranger = SealKey().publicKey
            let renamed = try Self.replacing(key.publicKey.base64, with: stranger.base64, in: lines[0])
            #expect(try Self.faults([renamed] + lines.dropFirst(), key) == [.notSigned(entries: 1, key: stranger.id)])
            #expect(throws: ArchiveFault.notAnArchive) { try ArchiveExamination(head: []) }
        }
    }

    @Test func `what is not as it was sealed has no archive`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            await Self.expectRefusal(test, nil, nil, "nothing was sealed")
            _ = try await ledger.credit(.sample(1))
            let first = try await Self.seal(ledger, key)
            _ = try await ledger.credit(.sample(2))
            let second = try await Self.seal(ledger, key)
            await Self.expectRefusal(test, second, first, "fewer entries")
            let later = try Seal(
                SealContent(
                    ChainState(entries: 9, hash: second.content.state.hash, totals: second.content.state.totals),
                    sealedAt: second.content.sealedAt), by: key)
            await Self.expectRefusal(test, first, later, "9 were sealed")
            let foreign = try Seal(
                SealContent(
                    ChainState(entries: 1, hash: second.content.state.hash, totals: first.content.state.totals),
                    sealedAt: first.content.sealedAt), by: key)
            await Self.expectRefusal(test, foreign, second, "first 1 entries")

            try await test.execute(
                """
                SET session_replication_role = replica;
                UPDATE journal_entry SET reason = 'thanks' WHERE id = (SELECT max(id) FROM journal_entry)
                """)
            await Self.expectRefusal(test, first, second, "first 2 entries")
            #expect(try await Self.archive(test, after: nil, through: first).count == 2)
        }
    }

    @Test func `an output that can't be written says why`() async throws {
        struct DiskFull: Error {}
        try await TestLedger.with { ledger, test in
            _ = try await Self.seal(ledger, SealKey())
            await #expect(throws: DiskFull.self) {
                try await Self.archives(test).write(after: nil, through: nil, progress: { _, _ in }) { _ in
                    throw DiskFull()
                }
            }
        }
    }

    // MARK: Helpers

    static func seal(_ ledger: Ledger, _ key: SealKey) async throws -> Seal {
        try #require(try await ledger.seals.make(with: key)).seal
    }

    private static func archives(_ test: TestLedger) throws -> Archives {
        Archives(BooksSource(try test.database.configuration))
    }

    /// The lines of an archive, without their line feeds.
    static func archive(
        _ test: TestLedger, after opening: Seal?, through closing: Seal?
    ) async throws -> [[UInt8]] {
        var bytes: [UInt8] = []
        var told: Int64 = -1
        let head = try await archives(test).write(after: opening, through: closing) { written, all in
            #expect(written > told || all == 0)
            told = written
        } to: { part in
            bytes += part
        }
        #expect(told == head.entries)
        #expect(bytes.last == UInt8(ascii: "\n"))
        return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    private static func examine(_ lines: some Collection<[UInt8]>) throws -> ArchiveExamination {
        var examination = try ArchiveExamination(head: lines.first ?? [])
        for line in lines.dropFirst() { try examination.add(line) }
        return examination
    }

    private static func faults(_ lines: some Collection<[UInt8]>, _ key: SealKey) throws -> [ArchiveFault] {
        do {
            return try examine(lines).faults(trusting: [key.publicKey])
        } catch let fault as ArchiveFault {
            return [fault]
        }
    }

    /// The fault without the hash that was read.
    private static func masked(_ fault: ArchiveFault) -> ArchiveFault {
        guard case .otherEntries(let sealed, _) = fault else { return fault }
        return .otherEntries(sealed: sealed, read: "")
    }

    static func replacing(_ part: String, with change: String, in line: [UInt8]) throws -> [UInt8] {
        let text = String(decoding: line, as: UTF8.self)
        let range = try #require(text.range(of: part), "\(part) is not in \(text)")
        return Array(text.replacingCharacters(in: range, with: change).utf8)
    }

    private static func expectRefusal(
        _ test: TestLedger, _ opening: Seal?, _ closing: Seal?, _ words: String
    ) async {
        do {
            _ = try await archive(test, after: opening, through: closing)
            Issue.record("an archive was written: \(words)")
        } catch {
            #expect((error as? LedgerError)?.code == .invalid && "\(error)".contains(words), "\(error)")
        }
    }
}
