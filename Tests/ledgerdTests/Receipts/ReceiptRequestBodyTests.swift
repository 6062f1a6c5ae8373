import Foundation
import PGVerifier
import Testing

@testable import LedgerServer

/// The members of a receipt say which gateway it is for.
@Suite(.timeLimit(.minutes(20))) struct ReceiptRequestBodyTests {
    private let both = #"{"imp_uid": "imp_1", "merchant_uid": "order-1", "payment_id": "order-1"}"#

    @Test func `the ids of both gateways mean the first that is on`() throws {
        #expect(try receipt(both, isOn: { _ in true }).gatewayName == PortOneV1.name)
        #expect(try receipt(both, isOn: { $0.gatewayName == PortOneV2.name }).gatewayName == PortOneV2.name)
    }

    @Test func `the ids of one gateway mean that one, on or off`() throws {
        let v1 = #"{"imp_uid": "imp_1", "merchant_uid": "order-1"}"#
        #expect(try receipt(v1, isOn: { _ in false }).gatewayName == PortOneV1.name)
        #expect(try receipt(#"{"payment_id": "order-1"}"#, isOn: { _ in false }).gatewayName == PortOneV2.name)
        // Half a V1 receipt beside a whole V2 one.
        let half = #"{"imp_uid": "imp_1", "payment_id": "order-1"}"#
        #expect(try receipt(half, isOn: { _ in true }).gatewayName == PortOneV2.name)
    }

    @Test(arguments: [
        (#"{}"#, "/imp_uid"), (#"{"merchant_uid": "order-1"}"#, "/imp_uid"),
        (#"{"imp_uid": "imp_1"}"#, "/merchant_uid"),
    ])
    func `a missing member of a receipt is named`(body: String, pointer: String) throws {
        let problem = #expect(throws: Problem.self) { try receipt(body, isOn: { _ in true }) }
        #expect(problem?.code == .missingMember)
        #expect(problem?.members.contains { $0.name == "pointer" && $0.value == .string(pointer) } == true)
    }

    @Test(arguments: [
        (#"{"imp_uid": "../x", "merchant_uid": "order-1"}"#, "/imp_uid"),
        (#"{"app_store": {"transaction_id": "a/b"}}"#, "/app_store/transaction_id"),
        (#"{"google_play": {"purchase_token": "a/b"}}"#, "/google_play/purchase_token"),
    ])
    func `a malformed member of a receipt is named with its place`(body: String, pointer: String) throws {
        let problem = #expect(throws: Problem.self) { try receipt(body, isOn: { _ in true }) }
        #expect(problem?.code == .invalidRequest)
        #expect(problem?.members.contains { $0.name == "pointer" && $0.value == .string(pointer) } == true)
    }

    private func receipt(_ body: String, isOn: (Receipt) -> Bool) throws -> Receipt {
        try JSONDecoder().decode(ReceiptRequestBody.self, from: Data(body.utf8)).receipt(isOn: isOn)
    }
}
