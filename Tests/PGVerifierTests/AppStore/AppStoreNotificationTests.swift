import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AppStoreNotificationTests {
    private let house: AppStoreHouse

    init() throws {
        house = try AppStoreHouse.ours.get()
    }

    @Test func `a notification and its transaction are read, and name the payment`() async throws {
        let refunded = try house.sign(
            AppStoreHouse.transaction(["revocationDate": "1794713640000", "revocationReason": "1"]))
        let notification = try await read(AppStoreHouse.notification(transaction: refunded))
        #expect(notification.id == "002e14d5-51f5-4503-b5a8-c3a1af68eb20" && notification.kind == .refund)
        #expect(notification.subtype == nil && notification.environment == .production)
        #expect(notification.signedAt == ManualTime.noon)
        #expect(notification.transaction?.revocation?.percentage == 100_000)
        let event = WebhookEvent(notification)
        #expect(event.gateway == "app-store" && event.eventID == notification.id && event.type == "REFUND")
        #expect(event.paymentID == "2000000123456789" && event.merchantUID == "app-store:2000000123456789")
        #expect(event.kind == .cancelled && event.occurredAt == ManualTime.noon)
    }

    @Test(arguments: [
        ("ONE_TIME_CHARGE", WebhookEvent.Kind.paid), ("REFUND", .cancelled), ("REFUND_DECLINED", .other),
        ("REFUND_REVERSED", .other), ("CONSUMPTION_REQUEST", .other), ("REVOKE", .other), ("TEST", .other),
        ("SOMETHING_NEW", .other),
    ]) func `every kind comes through, one of the future too`(word: String, kind: WebhookEvent.Kind) async throws {
        let notification = try await read(
            AppStoreHouse.notification(
                ["notificationType": "\"\(word)\"", "subtype": #""NEW""#],
                data: ["consumptionRequestReason": #""ANOTHER_ONE""#]))
        #expect(notification.kind.rawValue == word && notification.subtype == "NEW")
        #expect(notification.consumptionReason == "ANOTHER_ONE" && notification.transaction == nil)
        let event = WebhookEvent(notification)
        #expect(event.kind == kind && event.type == word + ".NEW" && event.receipt == nil)
        let asks = word == "CONSUMPTION_REQUEST"
        #expect(event.questionToken == (asks ? notification.id : nil))
        #expect(event.questionReason == (asks ? "ANOTHER_ONE" : nil))
    }

    @Test func `a transaction with words of the future is read`() async throws {
        let signed = try house.sign(
            AppStoreHouse.transaction([
                "type": #""Something New""#, "inAppOwnershipType": #""LENT""#, "revocationDate": "1794713640000",
                "revocationType": #""REFUND_NEW""#, "revocationReason": "9", "offerType": "77", "newMember": "[1e300]",
            ]))
        let transaction = try #require(
            try await read(AppStoreHouse.notification(transaction: signed)).transaction)
        #expect(transaction.kind.rawValue == "Something New" && transaction.ownership == "LENT")
        #expect(!transaction.isPurchased && transaction.revocation?.type == "REFUND_NEW")
    }

    @Test(arguments: ["summary", "externalPurchaseToken", "appData"])
    func `what is not about a transaction names its app all the same`(member: String) async throws {
        let ours = AppStoreHouse.notification(["data": nil, member: #"{"bundleId":"com.example.shop"}"#])
        #expect(try await read(ours).environment == nil)
        let others = AppStoreHouse.notification(["data": nil, member: #"{"bundleId":"com.example.other"}"#])
        #expect(await refusal(others) == .anotherApp)
    }

    @Test(
        arguments: [
            (["bundleId": #""com.example.other""#], SignedDataError.Code.anotherApp), (["bundleId": nil], .malformed),
            (["appAppleId": "7"], .anotherApp), (["appAppleId": nil], .anotherApp),
            (["appAppleId": #""1234567890""#], .malformed), (["environment": #""Xcode""#], .anotherEnvironment),
            (["environment": #""LocalTesting""#], .anotherEnvironment),
        ] as [([String: String?], SignedDataError.Code)])
    func `a notification of another app or environment is refused`(
        changes: [String: String?], code: SignedDataError.Code
    ) async throws {
        #expect(await refusal(AppStoreHouse.notification(data: changes)) == code)
    }

    @Test func `in the sandbox the app's id in App Store Connect is not compared`() async throws {
        let changes: [String: String?] = ["environment": #""Sandbox""#, "appAppleId": nil]
        #expect(try await read(AppStoreHouse.notification(data: changes)).environment == .sandbox)
    }

    @Test(arguments: ["notificationUUID", "notificationType", "signedDate", "data"])
    func `a notification without what it needs is malformed`(member: String) async throws {
        #expect(await refusal(AppStoreHouse.notification([member: nil])) == .malformed)
    }

    @Test func `a transaction in it has a signature of its own, and is of the same app and environment`() async throws {
        let stranger = try AppStoreHouse().sign(AppStoreHouse.transaction())
        #expect(await refusal(AppStoreHouse.notification(transaction: stranger)) == .badSignature)
        let other = try house.sign(AppStoreHouse.transaction(["bundleId": #""com.example.other""#]))
        #expect(await refusal(AppStoreHouse.notification(transaction: other)) == .anotherApp)
        let sandbox = try house.sign(AppStoreHouse.transaction(["environment": #""Sandbox""#]))
        #expect(await refusal(AppStoreHouse.notification(transaction: sandbox)) == .anotherEnvironment)
    }

    @Test func `only a chain that signs for the store notifies`() async throws {
        let flawed = try AppStoreHouse(.noLeafMarker)
        let body = Self.body(try flawed.sign(AppStoreHouse.notification()))
        let error = await #expect(throws: SignedDataError.self) { try await flawed.verifier().notification(body: body) }
        #expect(error?.code == .badSignature)
        #expect(await refusal(token: try AppStoreHouse().sign(AppStoreHouse.notification())) == .badSignature)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"signedPayload":7}"#, #"{"signedPayload":"x"}"#, "\u{feff}{}"])
    func `a body without a signed payload is malformed`(body: String) async throws {
        let error = await #expect(throws: SignedDataError.self) {
            try await house.verifier().notification(body: Array(body.utf8))
        }
        #expect(error?.code == .malformed)
    }

    @Test func `a body is read up to 64 KiB`() async throws {
        let token = try house.sign(AppStoreHouse.notification())
        let blanks = [UInt8](repeating: 0x20, count: (64 << 10) - Self.body(token).count)
        _ = try await house.verifier().notification(body: Self.body(token) + blanks)
        let error = await #expect(throws: SignedDataError.self) {
            try await house.verifier().notification(body: Self.body(token) + blanks + [0x20])
        }
        #expect(error?.code == .malformed)
    }

    @Test func `whether the chain of a notification is revoked is asked, once for both signatures`() async throws {
        let responder = OCSPResponder(house)
        let signed = try house.sign(AppStoreHouse.transaction())
        let body = Self.body(try house.sign(AppStoreHouse.notification(transaction: signed)))
        _ = try await house.verifier(revocation: .hard, transport: responder).notification(body: body)
        #expect(responder.asked == [AppStoreHouse.leafAddress, AppStoreHouse.intermediateAddress])
        let down = OCSPResponder(house, leaf: .down)
        let error = await #expect(throws: SignedDataError.self) {
            try await house.verifier(revocation: .hard, transport: down).notification(body: body)
        }
        #expect(error?.isRetryable == true)
    }

    private func read(_ payload: String) async throws -> AppStoreNotification {
        try await house.verifier().notification(body: Self.body(try house.sign(payload)))
    }

    private func refusal(_ payload: String) async -> SignedDataError.Code? {
        guard let token = try? house.sign(payload) else { return nil }
        return await refusal(token: token)
    }

    private func refusal(token: String) async -> SignedDataError.Code? {
        do {
            _ = try await house.verifier().notification(body: Self.body(token))
            return nil
        } catch {
            return (error as? SignedDataError)?.code
        }
    }

    private static func body(_ token: String) -> [UInt8] { Array(#"{"signedPayload":"\#(token)"}"#.utf8) }
}
