import Foundation
import LedgerWire
import Testing

@Suite(.timeLimit(.minutes(20))) struct BodiesTests {
    private static let moment = Date(timeIntervalSince1970: 1_709_256_000.25)
    private static let purchase = PurchaseBody(
        id: 4097, status: "credited", gateway: "portone-v1", impUID: "imp_1", merchantUID: "order/1", paymentID: nil,
        product: "coins_100", amount: 1000, currency: "KRW", coins: 100, bonusCoins: 10, paidAt: moment,
        creditedAt: moment, refundedAmount: 0)

    private func text(_ body: some Encodable) throws -> String {
        String(decoding: try WireJSON.makeEncoder().encode(body), as: UTF8.self)
    }

    private func body<Body: Decodable>(_ text: String, as: Body.Type = Body.self) throws -> Body {
        try WireJSON.makeDecoder().decode(Body.self, from: Data(text.utf8))
    }

    @Test func `a purchase is written with every member, and read as it was`() throws {
        let written = try text(Self.purchase)
        #expect(
            written == """
                {"amount":1000,"bonus_coins":10,"coins":100,"credited_at":"2024-03-01T01:20:00.250Z","currency":"KRW",\
                "gateway":"portone-v1","id":4097,"imp_uid":"imp_1","merchant_uid":"order/1",\
                "paid_at":"2024-03-01T01:20:00.250Z","payment_id":null,"product":"coins_100","refunded_amount":0,\
                "status":"credited"}
                """)
        #expect(try body(written) == Self.purchase)
    }

    @Test func `a list is written under its own name, and read as it was`() throws {
        let last = ListBody(name: PurchaseBody.listName, items: [Self.purchase], nextCursor: nil)
        let written = try text(last)
        #expect(written.hasPrefix(#"{"has_more":false,"purchases":["#) && !written.contains("next_cursor"))
        #expect(try body(written) == last)
        let more = ListBody(name: PurchaseBody.listName, items: [Self.purchase], nextCursor: "abc")
        #expect(try text(more).contains(#""has_more":true,"next_cursor":"abc""#))
        #expect(try body(try text(more)) == more)
    }

    @Test func `a list of something else is not read`() {
        #expect(throws: DecodingError.self) {
            try body(#"{"lots": [], "has_more": false}"#, as: ListBody<PurchaseBody>.self)
        }
    }

    @Test func `members that are not known yet are passed over`() throws {
        let earnings = try body(#"{"provider": "p", "coins": 3, "since": "2024-01-01"}"#, as: EarningsBody.self)
        #expect(earnings == EarningsBody(provider: "p", coins: 3))
    }

    @Test func `a problem keeps what it says beside what every problem says`() throws {
        let problem: ProblemBody = try body(
            """
            {"type": "urn:ledgerd:problem:insufficient_coins", "title": "t", "status": 402, "code": "insufficient_coins",
             "request_id": "r", "retryable": false, "required": 30, "available": 0, "pointer": "/coins", "yes": true,
             "allow": ["GET"], "prices_then": [1000, 5000], "problems": [], "later": {"a": 1}, "none": null,
             "unknown": [null]}
            """)
        #expect(problem.code == "insufficient_coins" && problem.detail == nil && !problem.retryable)
        #expect(
            problem.members == [
                "required": 30, "available": 0, "pointer": "/coins", "yes": true, "allow": ["GET"],
                "prices_then": [1000, 5000], "problems": [],
            ])
        #expect(try body(try text(problem)) == problem)
    }

    @Test func `an empty list is a list of texts and of whole numbers`() throws {
        let empty: ProblemMember = try body("[]")
        #expect(empty == .integers([]) && empty == .strings([]) && empty == [])
        #expect(try text(empty) == "[]")
    }

    @Test func `a receipt names either what V1 calls a payment or what V2 does`() throws {
        #expect(
            try text(ReceiptRequest.v1(impUID: "imp_1", merchantUID: "m")) == #"{"imp_uid":"imp_1","merchant_uid":"m"}"#
        )
        #expect(try text(ReceiptRequest.v2(paymentID: "p")) == #"{"payment_id":"p"}"#)
    }

    @Test func `what a request leaves out is not written`() throws {
        #expect(try text(SpendRequest(coins: 5)) == #"{"coins":5}"#)
        #expect(try text(CaptureRequest(provider: "p", isFinal: true)) == #"{"final":true,"provider":"p"}"#)
        #expect(try text(HoldRequest(coins: 5, timeout: 60)) == #"{"coins":5,"timeout_seconds":60}"#)
        let grant = GrantRequest(coins: 5, reason: "sorry", expiresAt: Self.moment)
        #expect(try text(grant) == #"{"coins":5,"expires_at":"2024-03-01T01:20:00.250Z","reason":"sorry"}"#)
    }
}
