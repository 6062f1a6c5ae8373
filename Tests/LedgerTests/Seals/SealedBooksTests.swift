import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Somebody who owns the database, with triggers off, changes what was sealed.
@Suite(.timeLimit(.minutes(20))) struct SealedBooksTests {
    /// What is done to the books, and what the seal says of it when the chain was made to agree.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: [String]
        var code = "seal_head_differs"

        static let all = [
            Attack(
                testDescription: "altering an entry",
                sql: ["UPDATE journal_entry SET reason = 'thanks' WHERE id = \(entry(2))"]),
            Attack(
                testDescription: "altering both sides of an entry",
                sql: ["UPDATE posting SET amount = amount + 1 WHERE journal_entry_id = \(entry(2))"]),
            Attack(
                testDescription: "giving a wallet to somebody else",
                sql: ["UPDATE account SET code = 'wallet:eve:paid', owner = 'eve' WHERE code = 'wallet:ann:paid'"]),
            Attack(
                testDescription: "deleting an entry",
                sql: [
                    "DELETE FROM posting WHERE journal_entry_id = \(entry(3))",
                    "DELETE FROM journal_entry WHERE id = \(entry(3))",
                ]),
            Attack(
                testDescription: "reordering two entries",
                sql: [
                    """
                    UPDATE journal_entry SET transaction_id = other.transaction_id
                    FROM (VALUES (\(entry(2)), \(entry(4))), (\(entry(4)), \(entry(2)))) AS pair (one, two)
                    JOIN journal_entry AS other ON other.id = pair.two
                    WHERE journal_entry.id = pair.one
                    """
                ]),
            Attack(
                testDescription: "appending in the past",
                sql: [
                    """
                    INSERT INTO journal_entry (
                        id, stripe, kind, reference, effective_at, recorded_at, transaction_id)
                    SELECT 999999999, stripe, kind, reference, effective_at, recorded_at, transaction_id
                    FROM journal_entry WHERE id = \(entry(3))
                    """
                ]),
            Attack(
                testDescription: "appending before everything",
                sql: [
                    """
                    INSERT INTO journal_entry (
                        id, stripe, kind, reference, effective_at, recorded_at, transaction_id)
                    SELECT -1, stripe, kind, reference, effective_at, recorded_at, '0'
                    FROM journal_entry WHERE id = \(entry(1))
                    """
                ]),
            Attack(
                testDescription: "moving an entry into another month",
                sql: [
                    """
                    UPDATE journal_entry SET effective_at = effective_at - interval '31 days' WHERE id = \(entry(1))
                    """
                ]),
            Attack(
                testDescription: "cutting the tail",
                sql: [
                    "DELETE FROM posting WHERE journal_entry_id IN (\(from(4)))",
                    "DELETE FROM journal_entry WHERE id IN (\(from(4)))",
                ], code: "seal_entries_missing"),
            Attack(
                testDescription: "emptying the books",
                sql: ["DELETE FROM posting", "DELETE FROM journal_entry"], code: "seal_entries_missing"),
        ]

        private static func entry(_ place: Int) -> String { "(\(from(place)) LIMIT 1)" }

        private static func from(_ place: Int) -> String {
            "SELECT id FROM journal_entry ORDER BY transaction_id, id OFFSET \(place - 1)"
        }
    }

    @Test(.serialized, arguments: Attack.all)
    func `what was sealed can't be changed unseen, even if the chain is made to agree`(_ attack: Attack) async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            let seal = try await sealed(ledger, key)
            let doctor = Doctor(try .unhurried(test.serviceURL))
            let before = try await doctor.examine(against: seal, trusting: key.publicKey)
            try #require(before.isSound, "\(before.findings)")

            for sql in attack.sql { try await Corruption("", sql).plant(in: test) }
            #expect(try await doctor.examine([]).codes.contains("chain_differs"), "without a seal, the chain tells")
            let seen = try await doctor.examine([], against: seal, trusting: key.publicKey).codes
            #expect(seen.contains("chain_differs") && seen.contains(attack.code), "\(seen)")

            try await Corruption("", "DELETE FROM chain_link").plant(in: test)
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            let agreeing = try await doctor.examine([], against: seal, trusting: key.publicKey).codes
            #expect(!agreeing.contains("chain_differs"))
            #expect(agreeing.contains(attack.code), "\(agreeing)")
        }
    }

    @Test func `cutting what came after the seal off chain and journal leaves the seal true, and the accounts false`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            let seal = try await sealed(ledger, key)
            for sql in [
                "DELETE FROM posting WHERE journal_entry_id IN (SELECT max(id) FROM journal_entry)",
                "DELETE FROM journal_entry WHERE id IN (SELECT max(id) FROM journal_entry)",
                "DELETE FROM chain_link WHERE id = (SELECT max(id) FROM chain_link)",
            ] { try await Corruption("", sql).plant(in: test) }
            let codes = try await Doctor(test.database.configuration).examine(against: seal, trusting: key.publicKey)
                .codes
            #expect(codes.contains("account_totals_differ") && !codes.contains { $0.hasPrefix("seal_") }, "\(codes)")
        }
    }

    @Test func `an altered chain is reported link by link`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 1...5 {
                _ = try await ledger.credit(.sample(number))
                _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            }
            func found() async throws -> [String: [String]] {
                let diagnosis = try await Doctor(test.database.configuration).examine([])
                return Dictionary(
                    uniqueKeysWithValues: diagnosis.findings.map { ($0.code, $0.deviations.map(\.subject)) })
            }
            #expect(try await found().isEmpty)
            try await Corruption("", "UPDATE chain_link SET format = 1 WHERE id = 3").plant(in: test)
            #expect(try await found() == ["chain_broken": ["link:3"]], "nobody goes back to texts")
            try await Corruption("", "UPDATE chain_link SET format = 2 WHERE id = 3").plant(in: test)
            try await Corruption("", "UPDATE chain_link SET hash = sha256('x') WHERE id = 2").plant(in: test)
            #expect(try await found() == ["chain_differs": ["link:2", "link:3"], "chain_broken": ["link:3"]])
            try await Corruption("", "DELETE FROM chain_link WHERE id = 2").plant(in: test)
            #expect(try await found() == ["chain_broken": ["link:3"]])
            try await Corruption("", "UPDATE chain_link SET totals = '[]' WHERE id = 5").plant(in: test)
            #expect(try await found() == ["chain_differs": ["link:5"], "chain_broken": ["link:3"]])
        }
    }

    @Test func `a seal by another key, or with another statement, is worth nothing`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            let seal = try await sealed(ledger, key)
            let doctor = Doctor(try test.database.configuration)
            // What purchases say as a reason is nowhere else: only the chain and the seal know it.
            try await Corruption("", "UPDATE journal_entry SET reason = 'thanks' WHERE kind = 'purchase'").plant(
                in: test)
            try await Corruption("", "DELETE FROM chain_link").plant(in: test)
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))

            let forged = try #require(try await ledger.seals.make(with: SealKey())).seal
            #expect(
                try await doctor.examine(against: forged, trusting: key.publicKey).codes == ["seal_signature_invalid"])
            #expect(
                try await doctor.examine(against: forged).codes.isEmpty, "the key that it names itself proves nothing")

            let altered = Seal(content: forged.content, publicKey: key.publicKey, signature: seal.signature)
            #expect(try await doctor.examine(against: altered).codes == ["seal_signature_invalid"])
            #expect(try await doctor.examine(against: seal, trusting: key.publicKey).codes == ["seal_head_differs"])
        }
    }

    @Test func `an amount beyond all bounds is found, and stops nobody`() async throws {
        try await TestLedger.with { ledger, test in
            let seal = try await sealed(ledger, SealKey())
            try await Corruption("", "UPDATE posting SET amount = 9223372036854775807").plant(in: test)
            let codes = try await Doctor(test.database.configuration).examine(against: seal).codes
            #expect(codes.contains("seal_head_differs") && codes.contains("account_totals_differ"), "\(codes)")
        }
    }

    /// Books with a seal of their first entries, and more after it.
    private func sealed(_ ledger: Ledger, _ key: SealKey) async throws -> Seal {
        for number in 1...3 { _ = try await ledger.credit(.sample(number)) }
        _ = try await ledger.chain.linkUp(waiting: .seconds(20))
        _ = try await ledger.submit(Spend.sample("spend-1", coins: 20))
        _ = try await ledger.submit(Grant.sample("grant-1", to: "bob"))
        let seal = try #require(try await ledger.seals.make(with: key)).seal
        #expect(seal.content.entries == 5)
        _ = try await ledger.credit(.sample(6))
        _ = try await ledger.chain.linkUp(waiting: .seconds(20))
        return seal
    }
}

extension Diagnosis {
    fileprivate var codes: Set<String> { Set(findings.map(\.code)) }
}
