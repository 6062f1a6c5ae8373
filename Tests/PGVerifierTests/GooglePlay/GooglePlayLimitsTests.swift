import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayLimitsTests {
    private static let pending = PlayHouse.purchase([
        "purchaseStateContext": #"{"purchaseState":"PENDING"}"#, "purchaseCompletionTime": nil,
    ])

    @Test func `look-ups are as many a second as Google allows`() async throws {
        let test = try PlayUnderTest(Self.pending)
        for _ in 0..<50 { _ = try await test.payment() }
        #expect(test.timing.pauses == [])
        _ = try await test.payment()
        let pause = try #require(test.timing.pauses.first)
        #expect(abs(pause / .seconds(1) - 0.02) < 0.001)
    }

    @Test func `voided purchases are thirty pages at once, and then one a second`() async throws {
        let test = try PlayUnderTest(.answer(200, "{}"))
        let walk = test.play.voidedPurchases(in: ManualTime.noon.addingTimeInterval(-60)..<ManualTime.noon)
        for _ in 0..<30 { _ = try await walk.page(at: nil) }
        #expect(test.timing.pauses == [])
        _ = try await walk.page(at: nil)
        let pause = try #require(test.timing.pauses.first)
        #expect(abs(pause / .seconds(1) - 1) < 0.001)
    }

    @Test func `during a pause nothing is sent of those calls, and of others it is`() async throws {
        let test = try PlayUnderTest(
            PlayHouse.refusal(429, "rateLimitExceeded", headers: "Retry-After: 60\r\n"), .answer(200, "{}"),
            Self.pending)
        #expect(await failure { try await test.payment() }?.retryAfter == .seconds(60))
        #expect(await failure { try await test.payment() }?.code == .rateLimited)
        #expect(test.lines.count == 1)
        let walk = test.play.voidedPurchases(in: ManualTime.noon.addingTimeInterval(-60)..<ManualTime.noon)
        #expect(try await walk.page(at: nil).elements.isEmpty)
        test.timing.advance(by: .seconds(60))
        #expect(try await test.payment().status == .ready)
    }

    @Test func `what Google counts together has one limit`() {
        let counted = Dictionary(grouping: GooglePlayCall.allCases, by: \.quota).mapValues { Set($0.map(\.rawValue)) }
        #expect(
            counted == [
                .purchases: ["payment", "product", "consume", "acknowledge"],
                .orders: ["order", "orders", "refund", "review"], .voided: ["voided"],
            ])
    }
}
