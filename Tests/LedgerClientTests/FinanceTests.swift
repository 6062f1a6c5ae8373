import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct FinanceTests {
    @Test func `finance compares a period, and reads the result`() async throws {
        try await Shop.open { shop in
            let credited = try #require(try await shop.app().present(try await shop.gateway.pay().request).credited)
            let unclaimed = try await shop.gateway.pay()
            let client = shop.finance()
            let period = Date(timeIntervalSinceNow: -3600)..<Date(timeIntervalSinceNow: 3600)
            shop.relay.next(.loseAnswer)
            let begun = try await client.reconcile(ReconciliationRequest(period, heal: true), key: "night")
            try await eventually("it is compared") { try await client.reconciliation(begun.id).status == "completed" }
            let run = try await client.reconciliation(begun.id)
            #expect(run.counts?["matched"] == 1 && run.counts?["paid_not_credited"] == 1 && run.differences == 1)
            #expect(run.heal && run.endedAt != nil && run.gateways == ["portone-v1"])
            #expect(try await client.reconciliations().page().items == [run])

            let items = try await client.items(ofReconciliation: run.id, pageSize: 1).reduce(into: []) { $0.append($1) }
            #expect(items.map(\.kind).sorted { ($0 ?? "") < ($1 ?? "") } == ["matched", "paid_not_credited"])
            let matched = items.first { $0.kind == "matched" }
            #expect(matched?.inBooks?.purchase == credited.purchase?.id && matched?.atGateway?.amount == 1000)
            let left = try await client.items(ofReconciliation: run.id, kinds: ["paid_not_credited"]).page().items
            #expect(left.map(\.impUID) == [unclaimed.impUID] && left.first?.outcome == "needs_person")
            #expect(left.first?.inBooks == nil)
            #expect(try await client.findings().page().items.map(\.impUID) == [unclaimed.impUID])

            let wrong = await failure {
                try await client.reconcile(ReconciliationRequest(from: "monday", to: "2026-11-20"), key: "x")
            }
            #expect(wrong?.code == .invalidRequest)
            let forbidden = await failure { try await shop.other().reconciliation(run.id) }
            #expect(forbidden?.code == .forbidden)
        }
    }

    @Test func `finance reads payouts, what is outstanding, closings and seals`() async throws {
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        try await Shop.open(["LEDGERD_SEAL_KEY": key]) { shop in
            let payments = [try await shop.gateway.pay(), try await shop.gateway.pay()]
            for payment in payments { _ = try await shop.app().present(payment.request) }
            // Seoul's: a payment is not paid out before it is made.
            let today = seoulDay()
            let rows = [(payments[0].impUID, 1000), ("imp_of_another_shop", 500)].map { "\($0),\($1),\(today)" }
            let imported = try await shop.service.send(
                .post, "/v1/settlements?payment_id=id&gross=gross&net=gross&paid_out_at=day&name=january.csv",
                as: Token.finance(), headers: [("Content-Type", "text/csv")],
                body: (["id,gross,day"] + rows).joined(separator: "\n"))
            #expect(imported.status == 201, "\(imported)")
            let client = shop.finance()
            let statement = try #require(try await client.settlements().page().items.first)
            #expect(statement.name == "january.csv" && statement.totals.net == 1000 && statement.rows["settled"] == 1)
            let unmatched = try await client.rows(ofSettlement: statement.id, status: "unmatched").page().items
            #expect(unmatched.map(\.payment) == ["imp_of_another_shop"] && unmatched.first?.purchase == nil)
            let outstanding = try await client.outstanding()
            #expect(outstanding.balance == 1000 && outstanding.outstanding.map(\.impUID) == [payments[1].impUID])
            let before = try await client.outstanding(asOf: Date(timeIntervalSince1970: 1_767_225_600))
            #expect(before.balance == 0 && before.outstanding.isEmpty)

            let checklist = try await client.closingChecklist(until: "2126-01-01", unsettledDays: 0)
            let open = Dictionary(uniqueKeysWithValues: checklist.items.map { ($0.name, $0.open) })
            #expect(!checklist.isClear && open["unsettled_payments"] == 1 && open["unmatched_settlement_lines"] == 1)
            let line = try #require(unmatched.first?.line)
            shop.relay.next(.loseAnswer)
            let dismissed = try await client.dismiss(
                line: line, ofSettlement: statement.id, SettlementDismissalRequest(reason: "another shop's"))
            #expect(
                dismissed.status == "dismissed" && dismissed.dismissedBy == "a-clerk" && dismissed.dismissedAt != nil)
            #expect(try await client.unmatchedRows().page().items.isEmpty)
            let closed = try await client.close(CloseRequest(until: "2026-02-01"))
            #expect(try await client.close(CloseRequest(until: closed.until)) == closed)
            #expect(closed.closedBy == "a-clerk")
            #expect(try await client.periods().page().items == [closed])
            let again = await failure { try await client.close(CloseRequest(until: "2026-01-01")) }
            #expect(again?.code == .periodAlreadyClosed)
            try await eventually("the day is sealed") { try await !client.seals().page().items.isEmpty }
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(20))) struct BackOfficeClientTests {
    @Test func `finance works through findings, and support sees what waits`() async throws {
        try await Shop.open(Noon.setting) { shop in
            let client = shop.finance()
            let credited = try #require(try await shop.app().present(try await shop.gateway.pay().request).credited)
            _ = await failure { try await shop.app().present(try await shop.gateway.pay("1234").request) }
            let finding = try #require(try await client.findings().page().items.first)
            shop.relay.next(.loseAnswer)
            #expect(try await client.addNote("asked", toFinding: finding.id).acts?.map(\.act) == ["note"])
            #expect(try await client.assign(finding.id, to: "finance", note: "hers").acts?.last?.reason == "hers")
            #expect(try await client.assign(finding.id, to: "min").assignee == "min")
            #expect(try await client.findings(assignee: "min").page().items.map(\.id) == [finding.id])
            let refused = await failure { try await client.claim(finding.id, for: "ann", reason: "hers") }
            #expect(refused?.code == .amountMismatch)
            let back = try await client.refund(finding: finding.id, FindingRefundRequest(reason: "no product"))
            #expect(back.status == "resolved" && back.acts?.last?.act == "refund")
            #expect(try await client.resolve(finding.id, reason: "cancelled").status == "resolved")
            #expect(try await client.findings(status: "resolved").page().items.count == 1)
            #expect(try await client.finding(finding.id).acts?.count == 5)

            #expect(try await client.outstandingByAge().ages.map(\.payments) == [1, 0, 0, 0])
            #expect(try await client.unmatchedRows().page().items.isEmpty)
            let statement = try await client.postings(of: "wallet:\(credited.balance.user):paid")
            let posting = try #require(statement.postings.first)
            #expect(statement.balance == 100 && posting.kind == "purchase")
            #expect(try await client.entry(posting.journalEntryID).postings.count == 4)
            #expect(try await client.figures().last?.coinsSold == 100)
            #expect(try await client.sales().map(\.product) == ["coins_100"])
            #expect(try await client.openItems().findings == 0)
            let request = CustodyBalanceRequest(
                custodian: "bank", method: "deposit", balance: 5000, heldAt: "2026-01-01", note: "as confirmed")
            shop.relay.next(.loseAnswer)
            let entered = try await client.enter(request, key: "custody")
            #expect(try await client.custodyBalances().page().items == [entered] && entered.note == "as confirmed")
            #expect(try await client.prepaid().safeguard.shortfall == 0)
            #expect(try await client.live().paymentsPerMinute.reduce(0, +) == 1)
            #expect(try await shop.support().waitingReceipts(reason: "claim_pending").page().items.isEmpty)
            #expect(try await shop.support().waitingRefunds().page().items.isEmpty)
        }
    }
}
