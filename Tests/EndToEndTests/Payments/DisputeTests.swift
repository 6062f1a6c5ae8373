import Foundation
import TestSupport
import Testing

/// Disputes of V2's payments, from the gateway's webhook to the books.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DisputeTests {
    private static let frozen = ["LEDGERD_FREEZE_DISPUTED": "true"]

    @Test func `a dispute freezes the coins, is a finding, and releases them when it is won`() async throws {
        try await House.openNotified(Self.frozen) { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
            try await gateway.dispute(payment, "open")
            try await eventually("the coins are frozen") { try await service.balance("held") == 100 }
            #expect(try await service.balance("available") == 0)
            #expect(try await service.balance("total") == 100)
            #expect(try await service.findings().map { $0["kind"] } == ["payment_disputed"])
            let open = try await service.get("/v1/disputes?status=open", as: Token.finance()).json["disputes"].elements
            #expect(open.count == 1 && open.first?["reason"] == "본인 사용 아님", "\(open)")
            try await gateway.dispute(payment, "win")
            try await eventually("the coins are back") { try await service.balance("available") == 100 }
            #expect(try await service.findings().isEmpty)
            let types = "purchase.disputed,purchase.dispute_resolved,coins.frozen,coins.released"
            var received: [JSON] = []
            try await eventually("the events are numbered") {
                received = try await service.get(
                    "/v1/events?types=\(types)", as: Token.make(sub: "a-reader", scope: "events")
                ).json["events"].elements
                return received.count == 4
            }
            let disputes = received.filter { $0["data"]["dispute"] != .null }
            #expect(disputes.map { $0["type"] } == ["purchase.disputed", "purchase.dispute_resolved"])
            #expect(disputes.map { $0["data"]["dispute"]["outcome"] } == [.null, "won"])
            #expect(disputes.allSatisfy { $0["data"]["dispute"]["merchant_uid"].text == payment.merchantUID })
            let coins = received.filter { $0["data"]["dispute"] == .null }
            #expect(coins.map { $0["data"]["change"]["held"] } == [100, -100])
            #expect(coins.allSatisfy { $0["data"]["purchase"]["merchant_uid"].text == payment.merchantUID })
            try await house.expectSound()
        }
    }

    @Test func `a lost dispute is the charge-back that the gateway cancels`() async throws {
        try await House.openNotified(Self.frozen) { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
            try await gateway.dispute(payment, "open")
            try await eventually("the coins are frozen") { try await service.balance("held") == 100 }
            try await gateway.dispute(payment, "lose")
            try await eventually("they are taken") { try await service.balance("total") == 0 }
            #expect(try await service.balance("debt") == 0)
            #expect(try await house.books.texts("SELECT status FROM purchase") == ["refunded"])
            #expect(try await house.books.texts("SELECT status FROM dispute") == ["lost"])
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `nothing is believed that the gateway does not confirm`() async throws {
        try await House.openNotified(Self.frozen) { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
            let hook = SignedHook("Transaction.DisputeCreated", paymentID: payment.merchantUID, id: "msg-forged")
            #expect(try await service.tellV2(hook).status == 200)
            try await eventually("it is worked off") {
                try await house.books.count(
                    "SELECT count(*) FROM webhook_event WHERE event_id = 'msg-forged' AND decided_at IS NOT NULL") == 1
            }
            #expect(try await house.books.count("SELECT count(*) FROM dispute") == 0)
            #expect(try await service.balance("available") == 100)
        }
    }

    @Test func `a dispute whose webhooks are lost is found by a reconciliation, and so is its end`() async throws {
        try await House.openNotified { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
            try await gateway.drive(
                .put, "/sandbox/webhooks/plan",
                #"[{"act": "drop", "api": "V2", "type": "Transaction.DisputeCreated", "times": 1}, "#
                    + #"{"act": "drop", "api": "V2", "type": "Transaction.DisputeResolved", "times": 1}]"#)
            try await gateway.dispute(payment, "open")
            try await service.reconcileToday(key: "1")
            #expect(try await house.books.texts("SELECT status FROM dispute") == ["open"])
            #expect(try await service.balance("available") == 100, "freezing is off")
            try await gateway.dispute(payment, "win")
            try await service.reconcileToday(key: "2")
            #expect(try await house.books.texts("SELECT status FROM dispute") == ["won"])
            try await house.expectSound()
        }
    }

    @Test func `finance books a lost dispute, again under its key, and a reconciliation takes it for explained`()
        async throws
    {
        try await House.openNotified(Self.frozen) { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
            try await gateway.dispute(payment, "open")
            try await eventually("the coins are frozen") { try await service.balance("held") == 100 }
            let id = try await house.books.count("SELECT id FROM dispute")
            let lost = #"{"outcome": "lost", "reason": "the acquirer's letter of 2 December"}"#
            let path = "/v1/disputes/\(id)/decisions"
            let first = try await service.post(path, lost, key: "lost-1", as: Token.finance())
            #expect(first.status == 201 && first.json["amount"] == 1000 && first.json["status"] == "lost", "\(first)")
            let again = try await service.post(path, lost, key: "lost-1", as: Token.finance())
            #expect(again.status == 201 && again.json == first.json && again.headers["Idempotent-Replayed"] == "true")
            let other = try await service.post(path, lost, key: "lost-2", as: Token.finance())
            #expect(other.code == "dispute_decided" && other.json["dispute_status"] == "lost", "\(other)")
            #expect(
                try await service.post("/v1/disputes/999/decisions", lost, key: "x", as: Token.finance()).status == 404)
            #expect(try await service.post(path, lost, key: "y", as: Token.service()).status == 403)
            try await service.reconcileToday(key: "1")
            #expect(
                try await house.books.count("SELECT count(*) FROM reconciliation_item WHERE kind <> 'matched'") == 0)
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `a dispute booked as lost that the gateway decides for the shop is listed until it is settled`()
        async throws
    {
        try await House.openNotified { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
            try await gateway.dispute(payment, "open")
            try await eventually("it is recorded") { try await house.books.count("SELECT count(*) FROM dispute") == 1 }
            let id = try await house.books.count("SELECT id FROM dispute")
            let lost = #"{"outcome": "lost", "reason": "the acquirer's letter"}"#
            let booked = try await service.post("/v1/disputes/\(id)/decisions", lost, key: "lost", as: Token.finance())
            #expect(booked.status == 201 && booked.json["amount"] == 1000, "\(booked)")
            // The webhook is lost: the reconciliation of the day finds it, and lists it.
            try await gateway.drive(
                .put, "/sandbox/webhooks/plan",
                #"[{"act": "drop", "api": "V2", "type": "Transaction.DisputeResolved", "times": 1}]"#)
            try await gateway.dispute(payment, "win")
            func listed() async throws -> Int64 {
                try await house.books.count(
                    "SELECT count(*) FROM reconciliation_item WHERE kind = 'won_not_given_back'")
            }
            for run in 1...2 {
                try await service.reconcileToday(key: "\(run)")
                #expect(try await listed() == Int64(run))
            }
            let findings = try await service.findings()
            #expect(findings.map { $0["kind"] } == ["dispute_won_after_loss"], "\(findings)")
            let resolved = try await service.post(
                "/v1/findings/\(sure(findings.first?["id"].integer))/resolve", #"{"reason": "given back"}"#,
                key: "resolve", as: Token.finance())
            #expect(resolved.status == 200, "\(resolved)")
            try await service.reconcileToday(key: "3")
            #expect(try await listed() == 2)
            #expect(try await service.findings().isEmpty)
            try await house.expectSound()
        }
    }

    @Test func `a dispute that was booked as lost is won over HTTP, and settlement and reconciliation agree again`()
        async throws
    {
        try await House.openNotified { house, gateway, service in
            let (payment, dispute) = try await Self.disputed(house, gateway, service)
            func decide(_ outcome: String, key: String) async throws -> Answer {
                try await service.decide(dispute, outcome, key: key)
            }
            #expect(try await decide("lost", key: "lost").status == 201)
            try await gateway.dispute(payment, "win")
            try await eventually("it is listed") { try await service.findings().count == 1 }
            let won = try await decide("won", key: "won")
            #expect(won.status == 201 && won.json["status"] == "won" && won.json["amount"] == 1000, "\(won)")
            #expect(won.json["coins"] == 100 && won.json["journal_entry_id"].integer != nil, "\(won)")
            let again = try await decide("won", key: "won")
            #expect(again.json == won.json && again.headers["Idempotent-Replayed"] == "true")
            #expect(try await decide("won", key: "other").code == "dispute_decided")
            #expect(try await service.balance("available") == 100)
            #expect(try await service.findings().isEmpty)
            try await eventually("the event is published") {
                let events = try await service.get(
                    "/v1/events?types=purchase.claw_back_reversed", as: Token.events())
                return events.json["events"].elements.map { $0["data"]["claw_back"]["amount"] } == [1000]
            }
            try await service.reconcileToday(key: "1")
            #expect(
                try await house.books.count("SELECT count(*) FROM reconciliation_item WHERE kind <> 'matched'") == 0)
            let third = try await decide("lost", key: "lost again")
            #expect(third.status == 201 && third.json["coins"] == 100, "\(third)")
            try await house.expectSound()
        }
    }

    @Test func `what a won dispute gives back is taken again if the gateway has cancelled the payment meanwhile`()
        async throws
    {
        try await House.openNotified { house, gateway, service in
            let (payment, dispute) = try await Self.disputed(house, gateway, service)
            func decide(_ outcome: String) async throws -> Answer {
                try await service.decide(dispute, outcome, key: outcome)
            }
            #expect(try await decide("lost").status == 201)
            let events = try await house.books.count("SELECT count(*) FROM webhook_event")
            try await gateway.cancel(payment, 1000)
            // It takes nothing more of what was booked as lost.
            try await eventually("the cancellation is looked at") {
                try await house.books.count("SELECT count(*) FROM webhook_event WHERE status <> 'waiting'") > events
            }
            let won = try await decide("won")
            #expect(won.status == 201 && won.json["balance"]["total"] == 100, "\(won)")
            #expect(try await decide("won").json == won.json)
            // Nobody tells of the payment again: the win has it reviewed.
            try await eventually("the coins are taken") { try await service.balance("total") == 0 }
            #expect(try await service.balance("debt") == 0)
            #expect(try await house.books.texts("SELECT status FROM purchase") == ["refunded"])
            let wishes = "SELECT count(*) FROM webhook_event WHERE type = 'ledgerd.dispute_won'"
            #expect(try await house.books.count(wishes) == 1, "a repeat wishes for the same review")
            try await house.expectSound()
        }
    }

    @Test func `a killed service finishes a dispute that a webhook reported`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = Hooks.v2Settings(at: gateway).merging(Self.frozen) { $1 }
            var service = try await house.serveProcess(at: gateway, settings)
            let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
            try await gateway.dispute(payment, "open")
            for attempt in 1...4 {
                let hook = SignedHook(
                    "Transaction.DisputeCreated", paymentID: payment.merchantUID, id: "msg-\(attempt)")
                #expect(try await service.tellV2(hook).status == 200)
                try await house.kill(service.process)
                service = try await house.serveProcess(at: gateway, settings)
            }
            try await eventually("the coins are frozen") {
                try await house.books.makeAllDue()
                return try await service.balance("held") == 100
            }
            #expect(try await house.books.count("SELECT count(*) FROM dispute") == 1)
            #expect(try await house.books.count("SELECT count(*) FROM coin_freeze") == 1)
            try await house.expectSound()
        }
    }
}

extension DisputeTests {
    /// A credited payment that the buyer disputes, and the id of the dispute.
    private static func disputed(
        _ house: House, _ gateway: Gateway, _ service: Service
    ) async throws -> (payment: Payment, dispute: Int64) {
        let payment = try await service.credited(try await gateway.pay("1000", #", "version": "V2""#), at: .v2)
        try await gateway.dispute(payment, "open")
        try await eventually("it is recorded") { try await house.books.count("SELECT count(*) FROM dispute") == 1 }
        return (payment, try await house.books.count("SELECT id FROM dispute"))
    }
}

extension Gateway {
    /// The buyer disputes a payment, or the dispute ends: `open`, `win`, `lose`.
    fileprivate func dispute(_ payment: Payment, _ change: String) async throws {
        try await drive(.patch, "/sandbox/payments/\(payment.impUID)", #"{"dispute": "\#(change)"}"#)
    }
}

extension Service {
    /// Finance books how a dispute ended.
    fileprivate func decide(_ dispute: Int64, _ outcome: String, key: String) async throws -> Answer {
        try await post(
            "/v1/disputes/\(dispute)/decisions", #"{"outcome": "\#(outcome)", "reason": "the acquirer's letter"}"#,
            key: key, as: Token.finance())
    }

    /// A member of Ann's balance.
    fileprivate func balance(_ member: String) async throws -> Int64? {
        try await get("/v1/me/balance", as: Token.user("ann")).json[member].integer
    }

    /// Compares the payments of these days, and waits for the result.
    fileprivate func reconcileToday(key: String) async throws {
        let now = Date()
        let (from, to) = ((now - 86_400).formatted(.iso8601), (now + 3600).formatted(.iso8601))
        let run = try await post(
            "/v1/reconciliations", #"{"from": "\#(from)", "to": "\#(to)"}"#, key: key, as: Token.finance())
        let id = try #require(run.json["id"].integer, "\(run)")
        try await eventually("the run ends") {
            try await get("/v1/reconciliations/\(id)", as: Token.finance()).json["status"] == "completed"
        }
    }
}
