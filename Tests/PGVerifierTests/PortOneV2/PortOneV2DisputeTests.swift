import Foundation
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct PortOneV2DisputeTests {
    @Test func `a payment's disputes are read`() async throws {
        let payment = try await Self.payment(
            #"{"status":"UNRESOLVED","reason":"","createdAt":"2026-01-02T00:00:00.5Z"},"#
                + #"{"status":"RESOLVED","reason":"not mine","createdAt":"2026-01-03T00:00:00Z","#
                + #""resolvedAt":"2026-01-04T00:00:00Z","pgDisputeId":"d-1","more":{}}"#)
        let first = Date(timeIntervalSince1970: 1_767_312_000.5)
        let second = Date(timeIntervalSince1970: 1_767_398_400)
        #expect(
            payment.disputes == [
                GatewayDispute(isResolved: false, reason: "", openedAt: first),
                GatewayDispute(
                    id: "d-1", isResolved: true, reason: "not mine", openedAt: second,
                    resolvedAt: second.addingTimeInterval(86_400)),
            ])
        #expect(payment.unreadableDispute == nil)
    }

    @Test(arguments: [
        (#"{"status":"WON","reason":"x","createdAt":"2026-01-02T00:00:00Z"}"#, "disputes.status"),
        (#"{"reason":"x","createdAt":"2026-01-02T00:00:00Z"}"#, "disputes.status"),
        (#"{"status":"RESOLVED","createdAt":"2026-01-02T00:00:00Z"}"#, "disputes.reason"),
        (#"{"status":"RESOLVED","reason":7,"createdAt":"2026-01-02T00:00:00Z"}"#, "disputes.reason"),
        (#"{"status":"RESOLVED","reason":"\u0000","createdAt":"2026-01-02T00:00:00Z"}"#, "disputes.reason"),
        (#"{"status":"RESOLVED","reason":"x","createdAt":"yesterday"}"#, "disputes.createdAt"),
        (
            #"{"status":"RESOLVED","reason":"x","createdAt":"2026-01-02T00:00:00Z","resolvedAt":"soon"}"#,
            "disputes.resolvedAt"
        ),
        (#""UNRESOLVED""#, "disputes.status"),
        (
            String(repeating: #"{"status":"RESOLVED","reason":"x","createdAt":"2026-01-02T00:00:00Z"},"#, count: 20)
                + "{}", "disputes"
        ),
    ])
    func `a dispute that breaks the contract is reported, and the payment stays usable`(
        _ dispute: String, _ member: String
    ) async throws {
        let payment = try await Self.payment(dispute)
        #expect(payment.disputes.isEmpty && payment.status == .paid && payment.amount == 1000)
        #expect(payment.unreadableDispute == "the payment's \(member) can't be used")
    }

    @Test(arguments: ["null", #"{"a": 1}"#]) func `disputes are a list or missing`(_ disputes: String) async throws {
        let gateway = ScriptedGateway(
            .answer(200, V2.paid.replacing(#""disputes":[]"#, with: #""disputes":\#(disputes)"#)))
        let payment = try await V2.client(gateway).payment(for: V2.receipt)
        #expect((payment.unreadableDispute == nil) == (disputes == "null"))
    }

    private static func payment(_ disputes: String) async throws -> GatewayPayment {
        let gateway = ScriptedGateway(
            .answer(200, V2.paid.replacing(#""disputes":[]"#, with: #""disputes":[\#(disputes)]"#)))
        return try await V2.client(gateway).payment(for: V2.receipt)
    }
}
