import Foundation
import LedgerWire
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerServer

/// What the database stores of occurrences is read as what events say, for ever.
///
/// The objects are as the database's triggers write them. They never change: they are listed again whenever
/// somebody reads the events.
@Suite(.timeLimit(.minutes(20))) struct StoredOccurrenceTests {
    struct Stored: Sendable, CustomTestStringConvertible {
        let type: EventType
        /// As it is stored.
        let detail: String
        /// As events say it.
        let data: String
        /// The members that every such occurrence has.
        let required: [String]

        var testDescription: String { type.rawValue }
    }

    private static let payment = #"""
        "gateway": "portone-v1", "imp_uid": "imp_1", "merchant_uid": "order_1"
        """#

    static let all = [
        Stored(
            type: .purchaseDisputed,
            detail: #"""
                {"id": 7, "purchase_id": 5, \#(payment), "amount": 1000, "currency": "KRW", "reason": "본인 사용 아님",
                "opened_at": 1709256000250000}
                """#,
            data: #"""
                {"dispute":{"amount":1000,"currency":"KRW","gateway":"portone-v1","id":7,"imp_uid":"imp_1",\#
                "merchant_uid":"order_1","opened_at":"2024-03-01T01:20:00.250Z","purchase_id":5,"reason":"본인 사용 아님"}}
                """#,
            required: [
                "id", "purchase_id", "gateway", "imp_uid", "merchant_uid", "amount", "currency", "reason", "opened_at",
            ]),
        Stored(
            type: .orderExpired,
            detail: #"""
                {"id": 7, "gateway": "portone-v1", "merchant_uid": "order_1", "product": "coins_100", "amount": 1000,
                "currency": "KRW", "expires_at": 1709256000250000}
                """#,
            data: #"""
                {"order":{"amount":1000,"currency":"KRW","expired_at":"2024-03-01T01:20:00.250Z",\#
                "gateway":"portone-v1","id":7,"merchant_uid":"order_1","product":"coins_100"}}
                """#,
            required: ["id", "gateway", "merchant_uid", "product", "amount", "currency", "expires_at"]),
        Stored(
            type: .balanceFellBelow,
            detail: #"{"threshold": 50, "before": 60, "available": 30, "journal_entry_id": 4099}"#,
            data: #"{"crossing":{"available":30,"before":60,"journal_entry_id":4099,"threshold":50}}"#,
            required: ["threshold", "before", "available", "journal_entry_id"]),
        Stored(
            type: .topUpFailed,
            detail: #"""
                {"id": 3, "gateway": "portone-v2", "product": "coins_100", "threshold": 50, "monthly_limit": 30000,
                "reason": "declined", "charge_id": 9, "merchant_uid": "order_1", "amount": 1000}
                """#,
            data: #"""
                {"top_up":{"amount":1000,"charge_id":9,"gateway":"portone-v2","id":3,"merchant_uid":"order_1",\#
                "monthly_limit":30000,"product":"coins_100","reason":"declined","threshold":50}}
                """#,
            required: ["id", "gateway", "product", "threshold", "monthly_limit"]),
        Stored(
            type: .campaignPaused,
            detail: #"""
                {"id": 3, "name": "spring", "status": "paused", "reason": "budget_met", "coins": 10, "budget": 500,
                "users": 50, "given": 500, "voided": 0}
                """#,
            data: #"""
                {"campaign":{"budget":500,"coins":10,"given":500,"id":3,"name":"spring","reason":"budget_met",\#
                "status":"paused","users":50,"voided":0}}
                """#,
            required: ["id", "name", "status", "coins", "budget", "users", "given", "voided"]),
        Stored(
            type: .userForgotten, detail: #"{"id": 4}"#, data: #"{"forgetting":{"id":4}}"#, required: ["id"]),
        Stored(
            type: .findingOpened,
            detail: #"""
                {"id": 8, "kinds": ["bonus_above_limit"], "hour": 1709254800000000, "measured": 70, "limit": 69}
                """#,
            data: #"""
                {"finding":{"hour":"2024-03-01T01:00:00.000Z","id":8,"kinds":["bonus_above_limit"],"limit":69,\#
                "measured":70}}
                """#,
            required: ["id", "kinds"]),
        Stored(
            type: .receiptRefused, detail: #"{\#(payment), "payment_id": "order_1", "reason": "payment_failed"}"#,
            data: #"""
                {"receipt":{"gateway":"portone-v1","imp_uid":"imp_1","merchant_uid":"order_1",\#
                "payment_id":"order_1","reason":"payment_failed"}}
                """#,
            required: ["gateway", "imp_uid", "merchant_uid", "reason"]),
        Stored(
            type: .findingClosed, detail: #"{"id": 7, "kinds": ["endpoint_failing"], "endpoint_id": 3}"#,
            data: #"{"finding":{"endpoint_id":3,"id":7,"kinds":["endpoint_failing"]}}"#, required: ["id", "kinds"]),
        Stored(
            type: .payoutApproved,
            detail: #"""
                {"id": 12, "providers": 1, "amount": 100000, "withheld": 3300, "cut_off": 1709256000250000, "by": "kim"}
                """#,
            data: #"""
                {"payout":{"amount":100000,"by":"kim","cut_off":"2024-03-01T01:20:00.250Z","id":12,"providers":1,\#
                "withheld":3300}}
                """#,
            required: ["id", "amount", "withheld"]),
        Stored(
            type: .reconciliationCompleted,
            detail: #"""
                {"id": 12, "from": 1709251200000000, "to": 1709337600000000,
                "counts": {"kinds": {"matched": 120}, "unexamined": 0, "healed": 0, "differences": 0}}
                """#,
            data: #"""
                {"reconciliation":{"counts":{"matched":120},"from":"2024-03-01T00:00:00.000Z","id":12,\#
                "to":"2024-03-02T00:00:00.000Z"}}
                """#,
            required: ["id", "from", "to"]),
        Stored(
            type: .periodClosed, detail: #"{"until": 1709251200000000, "closed_by": "kim"}"#,
            data: #"{"period":{"closed_by":"kim","until":"2024-03-01T00:00:00.000Z"}}"#,
            required: ["until", "closed_by"]),
        Stored(
            type: .sealMade,
            detail: #"""
                {"id": 3, "statement": "ledgerd-seal 1\nsealed-at 2024-03-01T01:20:00Z\nentries 0\nhead 0f\n"}
                """#,
            data: #"{"seal":{"entries":0,"head":"0f","id":3,"sealed_at":"2024-03-01T01:20:00.000Z"}}"#,
            required: ["id", "statement"]),
        Stored(
            type: .endpointDisabled, detail: #"{"id": 1, "url": "https://hooks.example.com", "reason": "failing"}"#,
            data: #"{"endpoint":{"id":1,"reason":"failing","url":"https://hooks.example.com"}}"#,
            required: ["id", "url"]),
    ]

    private static func body(_ type: EventType, _ detail: String) throws -> EventBody {
        try EventBody(
            Event(
                seq: 1, type: type, user: nil, recordedAt: Sampler.moment,
                content: .occurrence(Occurrence(subject: "thing:7", detail: detail))))
    }

    @Test(arguments: all) func `what is stored is what the event says`(stored: Stored) throws {
        let data = try Self.body(stored.type, stored.detail).data
        #expect(String(decoding: try WireJSON.makeEncoder().encode(data), as: UTF8.self) == stored.data)
    }

    @Test(arguments: all) func `an occurrence without what it always has is an error that names it`(
        stored: Stored
    ) throws {
        let whole = try #require(
            try JSONSerialization.jsonObject(with: Data(stored.detail.utf8)) as? [String: Any])
        for name in stored.required {
            var members = whole
            #expect(members.removeValue(forKey: name) != nil, "\(name)")
            let detail = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
            let error = #expect(throws: LedgerError.self, "\(name)") { try Self.body(stored.type, detail) }
            #expect(error?.code == .fault && error?.message.contains("thing:7") == true, "\(name)")
        }
    }

    @Test(arguments: ["", "[]", #"{"id": 3, "statement": "ledgerd-seal 2\n"}"#])
    func `an occurrence that is something else is an error`(detail: String) {
        #expect(throws: LedgerError.self) { try Self.body(.sealMade, detail) }
    }

    @Test func `the occurrence of a newer version has no members`() throws {
        let data = try Self.body(EventType(rawValue: "moon.full"), "{}").data
        #expect(data == EventDataBody())
    }
}
