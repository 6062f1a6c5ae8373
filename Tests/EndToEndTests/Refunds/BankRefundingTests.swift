import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// Money that goes back, or comes in, past the gateway.
@Suite(.serialized, .timeLimit(.minutes(20))) struct BankRefundingTests {
    private static let reason = #"{"reason": "x"}"#

    private static func payment(_ reference: String = "KB 0042") -> String {
        #"{"paid_at": "2026-11-20", "bank_reference": "\#(reference)"}"#
    }

    @Test func `a refund by bank transfer is approved, listed, paid once and explained to the reconciliation`()
        async throws
    {
        try await Town.with { town in
            let service = try await town.house.serve(at: town.gateway, town.settings)
            let payment = try await town.gateway.pay("1000", #", "version": "V1""#)
            let id = try await service.buy(payment)
            let approved = try await service.refund(id, #", "method": "bank_transfer", "coins": 40"#)
            #expect(approved.status == 201 && approved.json["refund"]["status"] == "approved", "\(approved)")
            #expect(approved.json["refund"]["method"] == "bank_transfer" && approved.json["balance"]["total"] == 60)
            let refund = sure(approved.json["refund"]["id"].integer)
            let listed = try await service.get("/v1/refunds/approved", as: Token.finance())
            #expect(listed.json["refunds"].elements.map { $0["refund"]["id"] } == [.integer(refund)], "\(listed)")
            #expect(listed.json["refunds"].elements.map { $0["user"] } == ["ann"])

            let path = "/v1/refunds/\(refund)/payment"
            let early = try await service.post(
                path, #"{"paid_at": "2999-01-01", "bank_reference": "x"}"#, key: "early", as: Token.finance())
            #expect(early.status == 400 && early.json["pointer"] == "/paid_at", "\(early)")
            let paid = try await service.post(path, Self.payment(), key: "pay", as: Token.finance())
            #expect(paid.status == 201 && paid.json["refund"]["status"] == "completed", "\(paid)")
            #expect(paid.json["refund"]["bank_reference"] == "KB 0042" && paid.json["refund"]["paid_at"].text != nil)
            let again = try await service.post(path, Self.payment(), key: "pay", as: Token.finance())
            #expect(again.json == paid.json && again.headers["Idempotent-Replayed"] == "true", "\(again)")
            let twice = try await service.post(path, Self.payment(), key: "twice", as: Token.finance())
            #expect(twice.status == 422 && twice.code == "refund_not_approved", "\(twice)")
            #expect(twice.json["refund_status"] == "completed")
            #expect(try await town.gateway.cancellations(payment).isEmpty, "the gateway was asked")

            let report = try await town.reconcile()
            #expect(report.counts["matched"] == 1 && report.counts["refunded_not_cancelled"] == 0, "\(report.run)")
            let run = sure(report.run["id"].integer)
            let items = try await service.get("/v1/reconciliations/\(run)/items", as: Token.finance())
            #expect(items.json["items"].elements.map { $0["in_books"]["transferred_amount"] } == [400], "\(items)")
            try await town.house.expectSound()
        }
    }

    @Test func `after a part by bank transfer the gateway refunds the rest`() async throws {
        try await Town.with { town in
            let service = try await town.house.serve(at: town.gateway, town.settings)
            let payment = try await town.gateway.pay("1000", #", "version": "V1""#)
            let id = try await service.buy(payment)
            let approved = try await service.refund(id, #", "method": "bank_transfer", "coins": 60"#, key: "transfer")
            #expect(approved.json["refund"]["status"] == "approved", "\(approved)")
            let rest = try await service.refund(id, key: "rest")
            #expect(rest.status == 201 && rest.json["refund"]["status"] == "completed", "\(rest)")
            #expect(try await town.gateway.cancelled(payment) == 400)
            let open = try await service.get("/v1/open-items", as: Token.finance())
            #expect(open.json["refunds_pending"] == 1, "the transfer is not paid: \(open)")
            try await town.house.expectSound()
        }
    }

    @Test func `money that goes back twice is found, and taken once`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1000")
            let id = try await service.buy(payment)
            let approved = try await service.refund(id, #", "method": "bank_transfer", "coins": 60"#)
            let refund = sure(approved.json["refund"]["id"].integer)
            try await gateway.cancel(payment, 1000)
            #expect(try await service.tellV1(Hooks.v1(payment, "cancelled")).status == 200)
            try await eventually("the finding is noted") {
                try await house.books.texts("SELECT unnest(kinds) FROM finding WHERE resolved_at IS NULL") == [
                    "refunded_twice"
                ]
            }
            let ofBuyer = "SELECT count(*) FROM finding JOIN purchase USING (gateway, imp_uid, user_id)"
            #expect(try await house.books.count(ofBuyer) == 1)
            #expect(try await house.books.refunded == 1000)
            #expect(try await service.coins() == 0)
            try await house.expectSound()

            let listed = try await service.get("/v1/refunds/approved", as: Token.finance())
            #expect(
                listed.json["refunds"].elements.map { $0["findings"].elements.map(\.text) } == [["refunded_twice"]],
                "\(listed)")

            // Finance does not pay it, and the gateway's money is what the user gets.
            let reversed = try await service.post(
                "/v1/refunds/\(refund)/reversal", Self.reason, key: "undo", as: Token.finance())
            #expect(reversed.status == 201 && reversed.json["refund"]["status"] == "reversed", "\(reversed)")
            #expect(reversed.json["balance"]["total"] == 60)
            // Nobody tells of the payment again: the reversal has it reviewed.
            try await eventually("the coins are taken back") { try await service.coins() == 0 }
            #expect(try await house.books.refunded == 1000)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `money that went back twice is paid back to the bank, and nothing is left to do`() async throws {
        try await Town.with { town in
            let service = try await town.house.serve(at: town.gateway, town.settings)
            let payment = try await town.gateway.pay("1000", #", "version": "V1""#)
            let id = try await service.buy(payment)
            let approved = try await service.refund(id, #", "method": "bank_transfer", "coins": 60"#)
            let refund = sure(approved.json["refund"]["id"].integer)
            let path = "/v1/refunds/\(refund)/repayment"
            let early = try await service.post(path, Self.payment("KB 0043"), key: "early", as: Token.finance())
            #expect(early.code == "refund_not_paid" && early.json["refund_status"] == "approved", "\(early)")
            _ = try await service.post("/v1/refunds/\(refund)/payment", Self.payment(), key: "pay", as: Token.finance())
            try await town.gateway.cancel(payment, 1000)
            #expect(try await service.tellV1(Hooks.v1(payment, "cancelled")).status == 200)
            func findings() async throws -> [String?] {
                let found = try await service.get("/v1/findings", as: Token.finance())
                return found.json["findings"].elements.map { $0["kind"].text }
            }
            try await eventually("the finding is listed") { try await findings() == ["refunded_twice"] }
            #expect(try await town.reconcile().counts["refunded_twice"] == 1)

            let repaid = try await service.post(path, Self.payment("KB 0043"), key: "back", as: Token.finance())
            #expect(repaid.status == 201 && repaid.json["refund"]["status"] == "reversed", "\(repaid)")
            let references = ["bank_reference", "repayment_reference"].map { repaid.json["refund"][$0] }
            #expect(references == ["KB 0042", "KB 0043"], "\(repaid)")
            let read = try await service.get("/v1/refunds/\(refund)", as: Token.service())
            #expect(read.json == repaid.json["refund"], "\(read)")
            let again = try await service.post(path, Self.payment("KB 0043"), key: "back", as: Token.finance())
            #expect(again.json == repaid.json && again.headers["Idempotent-Replayed"] == "true", "\(again)")
            #expect(try await findings().isEmpty)
            try await eventually("the review takes the coins") { try await service.coins() == 0 }
            let report = try await town.reconcile()
            #expect(report.counts["matched"] == 1 && report.counts["refunded_twice"] == 0, "\(report.run)")
            try await town.house.expectSound()
        }
    }

    @Test func `a bank transfer and a waiver of the fee need a right of their own`() async throws {
        try await House.open { house, gateway, service in
            let id = try await service.buy(try await gateway.pay("1000"))
            for (number, members) in [#", "method": "bank_transfer""#, #", "fee_waiver": "ours""#].enumerated() {
                let refused = try await service.refund(id, members, key: "k-\(number)", as: Token.service())
                #expect(refused.status == 403 && refused.json["required_scope"] == "refunds:approve", "\(refused)")
                // The right alone does not open the route.
                let alone = Token.make(sub: "a-service", scope: "refunds:approve")
                let other = try await service.refund(id, members, key: "k-\(number)", as: alone)
                #expect(other.status == 403 && other.json["required_scope"] == "service:write", "\(other)")
                let done = try await service.refund(id, members + #", "coins": 10"#, key: "k-\(number)")
                #expect(done.status == 201, "\(done)")
            }
            let ordinary = try await service.refund(id, #", "coins": 10"#, key: "ordinary", as: Token.service())
            #expect(ordinary.status == 201, "\(ordinary)")
            try await house.expectSound()
        }
    }

    @Test func `expired coins are refunded for the share that the settings name`() async throws {
        try await House.with { house in
            try await house.books.execute("UPDATE product SET coin_days = 365 WHERE code = 'coins_500'")
            let gateway = try await house.startGateway()
            let service = try await house.serve(
                at: gateway,
                [
                    "LEDGERD_PAID_COIN_LIFETIME": "2s", "LEDGERD_REFUND_EXPIRED_DAYS": "30",
                    "LEDGERD_REFUND_EXPIRED_PERCENT": "95",
                ])
            let payment = try await gateway.pay("1000")
            let id = try await service.buy(payment)
            let living = try await service.buy(try await gateway.pay("5000"), by: "bob")
            #expect(try await service.quote(living).json["expired"] == .null)
            try await eventually("the coins have expired") { try await service.coins() == 0 }
            let quote = try await service.quote(id)
            let expired = quote.json["expired"]
            #expect(expired["refundable_coins"] == 100 && expired["percent"] == 95, "\(quote)")
            #expect(quote.json["fee_rule"] == "expired" && quote.json["amount"] == 950, "\(quote)")
            #expect(quote.json["unused_coins"] == 0)
            let part = try await service.refund(id, #", "method": "bank_transfer", "coins": 40"#, key: "part")
            let taken = part.json["refund"]["expired"]
            #expect(taken["coins"] == 40 && taken["fee"] == 20 && taken["value"] == 400, "\(part)")
            let refund = sure(part.json["refund"]["id"].integer)
            let reversed = try await service.post(
                "/v1/refunds/\(refund)/reversal", Self.reason, key: "undo", as: Token.finance())
            #expect(reversed.json["balance"]["total"] == 0, "\(reversed)")
            let whole = try await service.refund(id, key: "whole")
            #expect(whole.status == 201 && whole.json["refund"]["amount"] == 950, "\(whole)")
            #expect(try await gateway.cancelled(payment) == 950)
            try await eventually("the events are published") {
                let events = try await service.get("/v1/events?types=lot.expiry_reversed", as: Token.events())
                return events.json["events"].elements.map { $0["data"]["refund"]["coins"] } == [40, 100]
            }
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `a debt is paid in won, and the rest written off`() async throws {
        try await House.open { house, gateway, service in
            let payment = try await gateway.pay("1000")
            _ = try await service.buy(payment)
            _ = try await service.post("/v1/users/ann/spends", #"{"coins": 60}"#, key: "spend")
            try await gateway.cancel(payment, 1000)
            _ = try await service.tellV1(Hooks.v1(payment, "cancelled"))
            try await eventually("the coins are owed") {
                try await service.get("/v1/me/balance", as: Token.user("ann")).json["debt"] == 60
            }
            let much = try await service.post(
                "/v1/users/ann/debt/write-offs", #"{"coins": 61, "reason": "x"}"#, key: "much", as: Token.finance())
            #expect(much.status == 422 && much.code == "exceeds_debt" && much.json["available"] == 60, "\(much)")
            let early = try await service.post(
                "/v1/users/ann/debt/payments",
                #"{"amount": 190, "coins": 20, "paid_at": "2026-01-01", "bank_reference": "IBK 7"}"#, key: "pay",
                as: Token.finance())
            #expect(early.status == 422 && early.code == "payment_date_implausible", "\(early)")
            let paid = try await service.post(
                "/v1/users/ann/debt/payments",
                #"{"amount": 190, "coins": 20, "paid_at": "\#(Date().ISO8601Format())", "bank_reference": "IBK 7"}"#,
                key: "pay", as: Token.finance())
            #expect(paid.status == 201 && paid.json["payment"]["amount"] == 190, "\(paid)")
            #expect(paid.json["balance"]["debt"] == 40)
            let written = try await service.post(
                "/v1/users/ann/debt/write-offs", Self.reason, key: "off", as: Token.finance())
            #expect(written.status == 201 && written.json["write_off"]["coins"] == 40, "\(written)")
            #expect(written.json["balance"]["debt"] == 0)
            let statement = try await service.get("/v1/users/ann/statement", as: Token.service())
            #expect(
                statement.json["entries"].elements.prefix(2).map { $0["kind"] } == [
                    "debt_write_off", "debt_bank_payment",
                ],
                "\(statement)")
            try await eventually("the events are published") {
                let events = try await service.get("/v1/events?types=debt.paid_by_bank", as: Token.events())
                return events.json["events"].elements.map { $0["data"]["debt_payment"]["bank_reference"] } == ["IBK 7"]
            }
            try await house.expectSound()
        }
    }

    @Test func `a wrong request is refused and moves nothing`() async throws {
        try await House.open { house, gateway, service in
            let id = try await service.buy(try await gateway.pay())
            let postings = try await house.books.postings
            let unknown = try await service.refund(id, #", "method": "cash""#, key: "a")
            #expect(unknown.status == 400 && unknown.json["pointer"] == "/method", "\(unknown)")
            let account = #", "method": "bank_transfer", "refund_account": {"bank": "1", "number": "2", "holder": "3"}"#
            let stored = try await service.refund(id, account, key: "b")
            #expect(stored.status == 400 && stored.json["pointer"] == "/refund_account", "\(stored)")
            for path in ["/v1/refunds/77/payment", "/v1/refunds/77/reversal"] {
                let body = path.hasSuffix("payment") ? Self.payment() : Self.reason
                let none = try await service.post(path, body, key: "c", as: Token.finance())
                #expect(none.status == 404, "\(none)")
            }
            #expect(try await house.books.postings == postings)
        }
    }
}
