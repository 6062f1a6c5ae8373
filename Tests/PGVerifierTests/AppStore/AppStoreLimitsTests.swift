import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AppStoreLimitsTests {
    private let house: AppStoreHouse

    init() throws {
        house = try AppStoreHouse.ours.get()
    }

    @Test func `Retry-After is a time in milliseconds`() async throws {
        let test = try StoreUnderTest(limited(seconds: 120.5), try house.found(), house: house)
        let error = await failure { try await look(test) }
        #expect(error?.code == .rateLimited && error?.retryAfter == .seconds(120.5))
        // It is longer than anybody waits.
        #expect(test.timing.pauses == [])
    }

    @Test func `a short pause is waited for`() async throws {
        let test = try StoreUnderTest(limited(seconds: 2), try house.found(), house: house)
        try await look(test)
        #expect(test.timing.pauses == [.seconds(2)])
    }

    @Test(
        arguments: [
            ("3", Duration.seconds(3)), ("soon", nil), ("-5", nil), ("9223372036854775808", nil), ("1e300", nil),
            ("1000000000000", .zero),
        ] as [(String, Duration?)])
    func `what is no time in milliseconds is an intermediary's, or nothing`(
        text: String, pause: Duration?
    ) async throws {
        let test = try StoreUnderTest(.refusal(429, 4_290_000, headers: "Retry-After: \(text)\r\n"), house: house)
        let error = await failure { try await look(test) }
        #expect(error?.code == .rateLimited && error?.retryAfter == pause)
    }

    @Test func `after an hour the store is asked again, whatever it said`() async throws {
        let test = try StoreUnderTest(
            .refusal(429, 4_290_000, headers: "Retry-After: 999999999999999999\r\n"), try house.found(), house: house)
        let first = await failure { try await look(test) }
        #expect(first?.code == .rateLimited && first?.retryAfter != nil, "\(String(describing: first))")
        // What is left is longer than anybody waits.
        test.timing.advance(by: .seconds(3500))
        let early = await failure { try await look(test) }
        #expect(early?.code == .rateLimited, "\(String(describing: early))")
        test.timing.advance(by: .seconds(100))
        try await look(test)
    }

    @Test func `during a pause nothing is sent of that call, and of others it is`() async throws {
        let test = try StoreUnderTest(limited(seconds: 60), .refusal(400, 4_000_047), try house.found(), house: house)
        _ = await failure { try await look(test) }
        #expect(await failure { try await look(test) }?.code == .rateLimited)
        #expect(test.production.requests.count == 1)
        let other = await failure { try await test.store.finish(try StoreUnderTest.id, in: .production) }
        #expect(other?.code == .refused)
        test.timing.advance(by: .seconds(60))
        try await look(test)
        #expect(test.production.requests.count == 3)
    }

    @Test func `a pause in production is none in the sandbox`() async throws {
        let test = try StoreUnderTest(
            limited(seconds: 60), sandbox: [try house.found(["environment": #""Sandbox""#])], house: house)
        _ = await failure { try await look(test) }
        _ = try await test.store.transaction(try StoreUnderTest.id, in: .sandbox)
    }

    @Test(arguments: [(AppStoreEnvironment.production, 50), (.sandbox, 5)])
    func `look-ups are as many a second as the store allows`(environment: AppStoreEnvironment, rate: Int) async throws {
        let found = try house.found(["environment": "\"\(environment.rawValue)\""])
        let test = try StoreUnderTest(found, sandbox: [found], house: house)
        for _ in 0..<rate { _ = try await test.store.transaction(try StoreUnderTest.id, in: environment) }
        #expect(test.timing.pauses == [])
        _ = try await test.store.transaction(try StoreUnderTest.id, in: environment)
        let pause = try #require(test.timing.pauses.first)
        #expect(abs(pause / .seconds(1) - 1 / Double(rate)) < 0.001)
    }

    @Test func `each call has a limit of its own`() {
        let limits = AppStoreCall.allCases.map { ($0.rawValue, $0.perSecond) }
        #expect(
            Dictionary(uniqueKeysWithValues: limits) == [
                "payment": 50, "refunds": 10, "notifications": 50, "order": 10, "finish": 50, "consumption": 50,
                "account_token": 20, "test": 1,
            ])
    }

    @discardableResult
    private func look(_ test: StoreUnderTest) async throws -> AppStoreTransaction {
        try await test.store.transaction(try StoreUnderTest.id, in: .production)
    }

    private func limited(seconds: Double) -> ScriptedGateway.Step {
        let time = Int64((ManualTime.noon.timeIntervalSince1970 + seconds) * 1000)
        return .refusal(429, 4_290_000, headers: "HTTP/1.1 429 x\r\nRetry-After: \(time)\r\n")
    }
}
