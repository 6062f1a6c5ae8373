import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// The bank account of a provider: two people agree on it, payouts go there, and it is erased when it has served.
@Suite(.timeLimit(.minutes(20))) struct ProviderAccountTests {
    private static let zoe = UserID.named("zoe")
    private static let first = BankAccount(bank: "신한", number: "110-123-456789", holder: "홍길동")
    private static let second = BankAccount(bank: "국민", number: "0012", holder: "김영희")
    private static let stored = "SELECT count(*) FROM provider_account WHERE account IS NOT NULL"

    private static func proposed(_ account: BankAccount, in ledger: Ledger) async throws -> ProviderAccount {
        guard case .proposed(let kept) = try await ledger.providers.propose(account, of: zoe, by: "kim") else {
            throw Unexpected()
        }
        return kept
    }

    private static func approve(_ kept: ProviderAccount, in ledger: Ledger) async throws {
        let number = try #require(kept.account).number
        let decided = try await ledger.providers.approveAccount(.seen(kept.id, number: number), of: zoe, by: "lee")
        guard case .done = decided else { throw Unexpected() }
    }

    private struct Unexpected: Error {}

    @Test func `another person approves an account by its number, and the one before is erased`() async throws {
        try await TestLedger.with { ledger, test in
            let kept = try await Self.proposed(Self.first, in: ledger)
            #expect(kept.status == .proposed && kept.account == Self.first)
            #expect(try await Self.proposed(Self.first, in: ledger) == kept)
            func approve(_ id: Int64, _ number: String, _ person: String) async throws -> Providers.AccountDecided {
                try await ledger.providers.approveAccount(.seen(id, number: number), of: Self.zoe, by: person)
            }
            #expect(try await approve(kept.id, "110123456789", "kim") == .ownProposal)
            #expect(try await approve(kept.id, "110123456780", "lee") == .other("number"))
            #expect(try await approve(kept.id + 1, "110123456789", "lee") == .notFound)
            #expect(
                try await ledger.providers.approveAccount(
                    .seen(kept.id, number: "x"), of: .named("yan"), by: "lee") == .notFound)
            guard case .done(let inForce) = try await approve(kept.id, "110 123 456789", "lee") else {
                Issue.record("it was not approved")
                return
            }
            #expect(inForce.status == .approved && inForce.approvedBy == "lee")
            #expect(try await approve(kept.id, "110123456789", "lee") == .done(inForce))
            #expect(try await ledger.providers.propose(Self.first, of: Self.zoe, by: "kim") == .inForce(inForce))

            // Until another one is approved, it stays in force; a proposal that another one replaces is erased.
            let slip = try await Self.proposed(
                BankAccount(bank: "국민", number: "0021", holder: "김영희"), in: ledger)
            let next = try await Self.proposed(Self.second, in: ledger)
            #expect(try await approve(slip.id, "0021", "lee") == .notFound)
            #expect(try await ledger.providers.waitingAccounts(limit: 5) == [next])
            #expect(try await test.number(Self.stored) == 2)
            guard case .done = try await approve(next.id, "0012", "lee") else {
                Issue.record("the next one was not approved")
                return
            }
            let all = try await ledger.providers.accounts(of: Self.zoe, limit: 10).elements
            #expect(all.map(\.status) == [.approved, .withdrawn, .erased])
            #expect(all.map(\.account) == [Self.second, nil, nil] && all.last?.endedBy == "lee")
            #expect(try await ledger.providers.eraseAccounts(of: Self.zoe, by: "kim") == 1)
            #expect(try await ledger.providers.eraseAccounts(of: Self.zoe, by: "kim") == 0)
            #expect(try await test.number(Self.stored) == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a person is the proposer at every door`() async throws {
        try await TestLedger.with { ledger, test in
            let kept = try await Self.proposed(Self.first, in: ledger)
            let service = try await test.connectAsService()
            let people: [(String, String?)] = [
                ("kim", nil), ("Kim", nil), ("console:kim", nil), ("terminal:kim", nil), ("console:9f2", "Kim"),
            ]
            for (person, name) in people {
                #expect(
                    try await ledger.providers.approveAccount(
                        .seen(kept.id, number: Self.first.number), of: Self.zoe, by: person, named: name)
                        == .ownProposal, "\(person)")
                guard name == nil else { continue }
                let error = await service.refusal(
                    of: """
                        UPDATE provider_account SET status = 'approved', approved_at = now(), approved_by = '\(person)'
                        """)
                #expect(error?.constraint == "provider_account_by_another_person", "\(person)")
            }
            await service.close()
            try await Self.approve(kept, in: ledger)
        }
    }

    @Test func `who was shown nothing names the whole account`() async throws {
        try await TestLedger.with { ledger, _ in
            func approve(_ account: BankAccount) async throws -> Providers.AccountDecided {
                try await ledger.providers.approveAccount(.whole(account), of: Self.zoe, by: "lee")
            }
            #expect(try await approve(Self.first) == .notFound)
            let kept = try await Self.proposed(Self.first, in: ledger)
            let first = Self.first
            for (account, part) in [
                (BankAccount(bank: "국민", number: first.number, holder: first.holder), "bank"),
                (BankAccount(bank: first.bank, number: first.number, holder: "김영희"), "holder"), (Self.second, "number"),
            ] {
                #expect(try await approve(account) == .other(part))
            }
            let spaced = BankAccount(bank: first.bank, number: "110 123 456789", holder: first.holder)
            guard case .done(let inForce) = try await approve(spaced) else {
                Issue.record("it was not approved")
                return
            }
            #expect(inForce.id == kept.id && inForce.account == first)
            // What is in force is not approved again in the place of what waits.
            _ = try await Self.proposed(Self.second, in: ledger)
            #expect(try await approve(first) == .other("number"))
        }
    }

    /// The purge takes no turn with the others: what it erases meanwhile is not approved, and what was in force stays.
    @Test func `an account that is erased while it is approved or proposed is neither`() async throws {
        try await TestLedger.with { ledger, test in
            let kept = try await Self.proposed(Self.first, in: ledger)
            try await Self.approve(kept, in: ledger)
            let next = try await Self.proposed(Self.second, in: ledger)
            let purge = try await test.connectAsService()
            func whileItErases<Output: Sendable>(
                _ change: String, _ work: @escaping @Sendable () async throws -> Output
            ) async throws -> Output {
                let erased = "account = NULL, ended_by = 'ledgerd', ended_at = now()"
                try await purge.execute("BEGIN; UPDATE provider_account SET \(erased), \(change)")
                async let output = work()
                try await test.waitUntilBlocked()
                try await purge.execute("COMMIT")
                return try await output
            }
            let decided = try await whileItErases("status = 'withdrawn' WHERE id = \(next.id)") {
                try await ledger.providers.approveAccount(
                    .seen(next.id, number: Self.second.number), of: Self.zoe, by: "lee")
            }
            #expect(decided == .notFound)
            let shown = try await ledger.providers.accounts(of: Self.zoe, limit: 5).elements
            #expect(shown.map(\.status) == [.withdrawn, .approved] && shown.last?.account == Self.first, "\(shown)")

            let proposed = try await whileItErases("status = 'erased' WHERE id = \(kept.id)") {
                try await ledger.providers.propose(Self.first, of: Self.zoe, by: "kim")
            }
            guard case .proposed(let again) = proposed else {
                Issue.record("an erased account is in force")
                return
            }
            #expect(again.id > next.id && again.account == Self.first)
            await purge.close()
        }
    }

    @Test func `what waits and what is in force is shown first, however much was withdrawn since`() async throws {
        try await TestLedger.with { ledger, _ in
            let kept = try await Self.proposed(Self.first, in: ledger)
            try await Self.approve(kept, in: ledger)
            for _ in 1...3 {
                let slip = try await Self.proposed(Self.second, in: ledger)
                _ = try await ledger.providers.withdrawAccount(slip.id, of: Self.zoe, by: "kim")
            }
            func shown() async throws -> [ProviderAccount.Status] {
                try await ledger.providers.shownAccounts(of: Self.zoe, limit: 3).map(\.status)
            }
            #expect(try await shown() == [.approved, .withdrawn, .withdrawn])
            _ = try await Self.proposed(Self.second, in: ledger)
            #expect(try await shown() == [.proposed, .approved, .withdrawn])
            #expect(try await ledger.figures.waitingCounts().accounts == 1)
        }
    }

    @Test func `a proposed account is withdrawn, and erased`() async throws {
        try await TestLedger.with { ledger, test in
            let kept = try await Self.proposed(Self.first, in: ledger)
            guard case .done(let gone) = try await ledger.providers.withdrawAccount(kept.id, of: Self.zoe, by: "lee")
            else {
                Issue.record("it was not withdrawn")
                return
            }
            #expect(gone.status == .withdrawn && gone.account == nil && gone.endedBy == "lee")
            #expect(
                try await ledger.providers.withdrawAccount(kept.id, of: Self.zoe, by: "kim") == .done(gone))
            #expect(try await ledger.providers.withdrawAccount(99, of: Self.zoe, by: "kim") == .notFound)
            #expect(try await test.number(Self.stored) == 0)
        }
    }

    @Test func `PostgreSQL refuses an account that one person alone approves, changes or brings back`() async throws {
        try await TestLedger.with { ledger, test in
            let kept = try await Self.proposed(Self.first, in: ledger)
            let service = try await test.connectAsService()
            let approved = "status = 'approved', approved_at = now(), approved_by"
            for (change, rule) in [
                ("\(approved) = 'kim'", "provider_account_by_another_person"),
                ("\(approved) = 'lee', account = '{\"bank\": \"x\"}'", "provider_account_approved_once"),
                ("status = 'erased'", "provider_account_approved_once"),
                ("status = 'withdrawn', ended_by = 'x', ended_at = now()", "provider_account_is_erased"),
                ("\(approved) = 'lee', account = NULL", "provider_account_is_erased"),
            ] {
                let error = await service.refusal(of: "UPDATE provider_account SET \(change) WHERE id = \(kept.id)")
                #expect(error?.constraint == rule, "\(change): \(error?.description ?? "was done")")
            }
            try await Self.approve(kept, in: ledger)
            _ = try await ledger.providers.eraseAccounts(of: Self.zoe, by: "lee")
            let back = await service.refusal(
                of: "UPDATE provider_account SET status = 'approved', account = '{}', ended_by = NULL, ended_at = NULL")
            #expect(back?.constraint == "provider_account_approved_once")
            await service.close()
        }
    }

    @Test func `a payout's file has the accounts that are kept, and those of a list for the others`() async throws {
        try await PayoutTests.withEarnings { ledger, _ in
            let payout = try await ledger.approved()
            func rows(_ list: String?) async throws -> Result<[String], PayoutAccountsDiffer> {
                let given = try list.map { try PayoutAccounts(Array(("provider,bank,account,holder\n" + $0).utf8)) }
                switch try await ledger.payouts.accounts(of: payout.id, and: given) {
                case .failure(let differ): return .failure(differ)
                case .success(let accounts):
                    let file = try await ledger.payouts.file(of: payout.id, in: .kb, accounts).get()
                    return .success(
                        String(decoding: file, as: UTF8.self).split(separator: "\r\n").dropFirst().map(String.init))
                }
            }
            let kept = try await Self.proposed(Self.first, in: ledger)
            // What is only proposed gets nothing.
            await #expect(throws: PayoutAccountsMissing(providers: [.named("yan"), Self.zoe])) {
                try await rows(nil).get()
            }
            try await Self.approve(kept, in: ledger)
            await #expect(throws: PayoutAccountsMissing(providers: [.named("yan")])) { try await rows(nil).get() }
            let both = try await rows("yan,국민,0012,y\nzoe,x,110123456789,x\n").get()
            #expect(
                both.map { $0.split(separator: ",").prefix(4) } == [
                    ["국민", "0012", "400", "y"], ["신한", "110123456789", "640", "홍길동"],
                ])
            #expect(try await rows("yan,국민,0012,y\nzoe,신한,0099,x\n") == .failure(.init(providers: [Self.zoe])))

            // Who erases the account in force can't name another one alone, nor the same.
            try await ledger.providers.eraseAccounts(of: Self.zoe, by: "kim")
            for number in ["0099", "110123456789"] {
                #expect(
                    try await rows("yan,국민,0012,y\nzoe,신한,\(number),x\n") == .failure(.init(providers: [Self.zoe])))
            }
            let next = try await Self.proposed(Self.second, in: ledger)
            #expect(try await rows("yan,국민,0012,y\nzoe,국민,0012,x\n") == .failure(.init(providers: [Self.zoe])))
            try await Self.approve(next, in: ledger)
            #expect(try await rows("yan,국민,0012,y\n").get().count == 2)
        }
    }

    @Test func `an account that serves nobody for a year is erased, and a proposal after 30 days`() async throws {
        try await PayoutTests.withEarnings { ledger, test in
            let kept = try await Self.proposed(Self.first, in: ledger)
            let (day, now) = (86_400.0, Date())
            func purged(after days: Double) async throws -> Int {
                try await ledger.providers.purgeAccounts(at: now + days * day, limit: 10)
            }
            #expect(try await purged(after: 29) == 0)
            try await Self.approve(kept, in: ledger)
            let waiting = try await ledger.providers.propose(Self.second, of: .named("yan"), by: "kim")
            #expect(try await purged(after: 31) == 1, "\(waiting)")
            // Won are owed, however long ago they were earned.
            #expect(try await purged(after: 1000) == 0)
            _ = try await ledger.pay(try await ledger.approved())
            #expect(try await purged(after: 300) == 0)
            #expect(try await purged(after: 1000) == 1)
            #expect(try await ledger.providers.accounts(of: Self.zoe, limit: 1).elements.first?.endedBy == "ledgerd")
            #expect(try await test.number(Self.stored) == 0)
        }
    }

    @Test func `an account is printed as asterisks, and told by the end of its number`() {
        #expect("\(Self.first)" == "****" && String(reflecting: Self.first) == "****")
        #expect(Self.first.numberEnd == "6789" && Self.second.numberEnd == "12")
        #expect(BankAccount(bank: "x", number: "1", holder: "y").numberEnd.isEmpty)
    }
}
