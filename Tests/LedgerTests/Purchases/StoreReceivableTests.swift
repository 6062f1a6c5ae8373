import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What a store owes is on an account of its own (docs/decisions/0213).
@Suite(.timeLimit(.minutes(20))) struct StoreReceivableTests {
    private static let sold = CreditPurchase.sample(1, payment: .sampleInStore(1))

    private static func owed(_ ledger: Ledger) async throws -> [String: Int64] {
        let page = try await ledger.settlements.listOutstanding(limit: 10)
        #expect(page.payments.reduce(0) { $0 + $1.outstanding } == page.balance)
        return Dictionary(uniqueKeysWithValues: page.accounts.map { ($0.account, $0.balance) })
    }

    @Test func `a store owes what it sold, less what it gave back and paid out, and nobody else does`() async throws {
        try await TestLedger.with { ledger, test in
            #expect(try await Self.owed(ledger) == ["gateway:receivable": 0])
            _ = try await ledger.buy(Self.sold)
            _ = try await ledger.buy(.sample(2, by: "bob"))
            #expect(try await Self.owed(ledger) == ["gateway:receivable": 1000, "app-store:receivable": 1000])

            _ = try await ledger.submit(ClawBack(user: .named("ann"), payment: Self.sold.payment, cancelledAmount: 400))
            #expect(try await Self.owed(ledger) == ["gateway:receivable": 1000, "app-store:receivable": 600])

            _ = try await ledger.settlements.book(
                .sample([
                    (Self.sold.payment.paymentID, 1000, 150, 15, "2026-11-20"),
                    (Self.sold.payment.paymentID, -400, -60, -6, "2026-11-21"), ("imp_2", 900, 30, 3, "2026-11-20"),
                ]), by: "finance")
            #expect(try await Self.owed(ledger) == ["gateway:receivable": 100])
            #expect(try await test.total("app-store:receivable") == 0)
            #expect(try await test.total("google-play:receivable") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [1, 2])
    func `the functions of the database leave what a store sold to the plan`(count: Int) async throws {
        try await TestLedger.withDatabase { test in
            let service = try await test.connectAsService()
            let acts = (1...count).map { CreditPurchase.sample($0, payment: $0 == 1 ? .sampleInStore() : nil) }
            var ids = RecordIDs()
            ids.add(blocksFrom: [1_000_001])
            let stripes = try await test.number("SELECT stripes FROM ledger")
            let crediting = Crediting(
                acts, ids: &ids, among: stripes, vatSettings: .off, coinDays: .exact, at: Date())
            do {
                _ = try await service.run(crediting.call)
                Issue.record("a store's purchase was credited as owed by the payment gateways")
            } catch let error as PostgresError {
                #expect(error.meansPlanning, "\(error)")
            }
            await service.close()
            #expect(Crediting.purchases(among: acts) == nil)

            let writer = try await test.writer()
            let answers = await writer.post(acts)
            #expect(answers.map { $0.answer?.name } == Array(repeating: "credited", count: count))
            await writer.close()
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [VATSettings.off, .on])
    func `what a store gave back before the credit is nobody's to spend, pays no debt, and is taken once`(
        vat: VATSettings
    ) async throws {
        try await TestLedger.with(vat: vat) { ledger, test in
            let spent = try await ledger.buy(.sample(2))
            _ = try await ledger.submit(Spend.sample(coins: 110))
            _ = try await ledger.submit(ClawBack.sample(of: spent, 300))
            let debt = try await ledger.balances.find(of: .named("ann")).debt
            #expect(debt > 0)

            var act = CreditPurchase.sample(1, payment: .sampleInStore(1), vat: .atSale)
            act.cancelledAmount = 400
            let credited = try #require(try await ledger.submit(act).success)
            #expect(credited.purchase.refundedAmount == 400 && credited.purchase.refundedCoins == 40)
            #expect(credited.balance.paid + credited.balance.bonus == 110 - 44 - debt, "\(credited)")
            #expect(credited.balance.debt == 0)
            let moments = try await test.number(
                """
                SELECT count(DISTINCT recorded_at) FROM journal_entry
                WHERE reference = 'purchase:\(credited.purchase.id)'
                """)
            #expect(moments == 1, "in one commit")

            #expect(try await ledger.submit(act).isRepeat)
            #expect(try await ledger.submit(ClawBack.sample(of: act, 400)).isRepeat)
            #expect(try await ledger.purchases.find(of: act.payment)?.refundedAmount == 400)
            #expect(try await Self.owed(ledger)["app-store:receivable"] == 600)
            #expect(Crediting.purchases(among: [act]) == nil)
            // Of ₩700 used at use and ₩600 sold at sale, of which ₩330 are not used.
            #expect(try await test.total("tax:vat-payable") == (vat.isBooked ? 63 + 54 : 0))
            #expect(try await test.total("tax:vat-deferred") == (vat.isBooked ? 30 : 0))
            try await Audit.expectSound(test)
        }
    }

    @Test func `a part that was given back is planned at every gateway`() {
        var act = CreditPurchase.sample(1)
        #expect(Crediting.purchases(among: [act]) == [act])
        act.cancelledAmount = 1
        #expect(Crediting.purchases(among: [act]) == nil)
    }

    @Test func `the database and the service name the same account of each gateway`() async throws {
        try await TestLedger.withDatabase { test in
            for gateway in ["app-store", "google-play", "portone-v1", "portone-v2", "receivable", ""] {
                let named = try await test.texts("SELECT receivable_of('\(gateway)')")
                #expect(named == [SystemAccount.receivable(of: gateway).rawValue])
                let written = try await test.texts(
                    "SELECT \(SystemAccount.receivableInSQL(of: "gateway")) FROM (VALUES ('\(gateway)')) AS asked (gateway)"
                )
                #expect(written == named)
            }
        }
    }
}
