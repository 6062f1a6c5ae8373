import PGVerifier
import TestSupport
import Testing

/// Payments without coins that are given back at V2 from their findings.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FindingRefundTests {
    /// Pays at V2, and returns the payment with the path of its finding.
    private static func found(
        _ house: House, _ gateway: Gateway, _ service: Service, _ members: String = ""
    ) async throws -> (payment: Payment, path: String) {
        let payment = try await gateway.pay("1000", #", "version": "V2""# + members)
        let id = "SELECT coalesce(max(id), 0) FROM finding WHERE merchant_uid = $1"
        try await eventually("it is found") { try await house.books.count(id, [payment.merchantUID]) > 0 }
        return (payment, "/v1/findings/\(try await house.books.count(id, [payment.merchantUID]))")
    }

    private static func refund(_ path: String, because reason: String, _ service: Service) async throws -> Answer {
        try await service.post("\(path)/refund", #"{"reason": "\#(reason)"}"#, as: Token.finance())
    }

    private static func acts(_ path: String, _ service: Service) async throws -> [JSON] {
        try await service.get(path, as: Token.finance()).json["acts"].elements
    }

    @Test func `a payment that its buyer disputes is given back once the dispute is over`() async throws {
        try await House.openNotified { house, gateway, service in
            let (payment, path) = try await Self.found(house, gateway, service)
            let control = "/sandbox/payments/\(payment.impUID)"
            try await gateway.drive(.patch, control, #"{"dispute": "open"}"#)
            let refused = try await Self.refund(path, because: "paid twice", service)
            #expect(refused.status == 409 && refused.code == "purchase_disputed", "\(refused)")
            #expect(try await gateway.cancelled(payment) == 0)
            #expect(try await Self.acts(path, service).isEmpty, "the gateway was not asked")
            try await gateway.drive(.patch, control, #"{"dispute": "win"}"#)
            let done = try await Self.refund(path, because: "paid twice", service)
            #expect(done.status == 200, "\(done)")
            #expect(try await gateway.cancelled(payment) == 1000)
            // A review that read the payment before its cancellation may write last; the gateway's event brings another.
            try await eventually("the finding is over") {
                try await service.get(path, as: Token.finance()).json["status"] == "resolved"
            }
            // The other way: the buyer's bank has the money back, and nothing more goes back.
            let (lost, other) = try await Self.found(house, gateway, service)
            for change in ["open", "lose"] {
                try await gateway.drive(.patch, "/sandbox/payments/\(lost.impUID)", #"{"dispute": "\#(change)"}"#)
            }
            #expect(try await Self.refund(other, because: "paid twice", service).status == 200)
            #expect(try await gateway.cancellations(lost).count == 1)
        }
    }

    @Test func `a refusal is noted, and a repeat for another reason is the same request at the gateway`() async throws {
        try await House.openNotified { house, gateway, service in
            let (payment, path) = try await Self.found(house, gateway, service, #", "cancel_outcome": "refused""#)
            let first = try await Self.refund(path, because: "paid twice", service)
            #expect(first.status == 422 && first.code == "refund_refused", "\(first)")
            // Another reason would be another request under the same key, which the gateway refuses for hours.
            let again = try await Self.refund(path, because: "paid two times", service)
            #expect(again.code == "refund_refused", "\(again)")
            #expect(again.json["gateway_code"] == first.json["gateway_code"], "\(again)")
            #expect(try await gateway.cancelled(payment) == 0)
            let acts = try await Self.acts(path, service)
            #expect(acts.map { $0["act"] } == ["refund", "note", "refund", "note"], "\(acts)")
            let (reason, code) = (first.json["reason"].text ?? "-", first.json["gateway_code"].text ?? "-")
            #expect(acts[1]["reason"].text == "the gateway refused the refund: \(reason), \(code)", "\(first)")
            #expect(acts[1]["by"] == acts[0]["by"], "\(acts)")
        }
    }
}
