import Foundation
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AppStoreActsTests {
    private let house: AppStoreHouse

    init() throws {
        house = try AppStoreHouse.ours.get()
    }

    @Test func `a purchase is finished where it was made, again if the answer was lost`() async throws {
        let test = try StoreUnderTest(sandbox: [.fail(.connectionLost), .answer(202, "")], house: house)
        try await test.store.finish(try StoreUnderTest.id, in: .sandbox)
        let line = "POST /inApps/v1/transactions/2000000123456789/finish"
        #expect(test.sandbox.requests.map(\.line) == [line, line])
        #expect(test.sandbox.requests[0].body.isEmpty && test.production.requests.isEmpty)
    }

    @Test func `whether a purchase may be finished is told by the error`() async throws {
        let cases: [(ScriptedGateway.Step, Bool)] = [
            (.fail(.timeout), true), (.fail(.unreachable), false), (.unauthorized, false),
            (.refusal(500, 5_000_001), true),
        ]
        for (step, mayBe) in cases {
            let test = try StoreUnderTest(step, house: house)
            let error = await failure { try await test.store.finish(try StoreUnderTest.id, in: .production) }
            #expect(error?.mayHaveBeenCarriedOut == mayBe)
        }
    }

    @Test func `a consumption request is answered with consent, and with what is known`() async throws {
        let test = try StoreUnderTest(.answer(202, ""), house: house)
        let id = try StoreUnderTest.id
        let least = AppStoreConsumption(delivery: .delivered, isSampleProvided: false)
        let most = AppStoreConsumption(
            delivery: .serverOutage, isSampleProvided: true, percentage: 33_333, preference: .grantProrated)
        for consumption in [least, most] { try await test.store.send(consumption, about: id, in: .production) }
        #expect(test.production.requests[0].line == "PUT /inApps/v2/transactions/consumption/2000000123456789")
        #expect(
            test.production.requests.map(\.text) == [
                #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#,
                #"{"consumptionPercentage":33333,"customerConsented":true,"#
                    + #""deliveryStatus":"UNDELIVERED_SERVER_OUTAGE","refundPreference":"GRANT_PRORATED","#
                    + #""sampleContentProvided":true}"#,
            ])
    }

    @Test(
        arguments: [
            (-1, nil), (100_001, nil), (nil, .grantProrated), (0, .grantProrated),
        ] as [(Int64?, AppStoreConsumption.Preference?)])
    func `what the store would refuse is not sent`(
        percentage: Int64?, preference: AppStoreConsumption.Preference?
    ) async throws {
        let test = try StoreUnderTest(.answer(202, ""), house: house)
        let consumption = AppStoreConsumption(
            delivery: .delivered, isSampleProvided: false, percentage: percentage, preference: preference)
        let error = await failure {
            try await test.store.send(consumption, about: try StoreUnderTest.id, in: .production)
        }
        #expect(error?.code == .invalidRequest)
        #expect(test.production.requests.isEmpty)
    }

    @Test func `a purchase gets the user's token`() async throws {
        let test = try StoreUnderTest(.answer(200, ""), .refusal(400, 4_000_187), house: house)
        let token = try #require(UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"))
        try await test.store.setAccountToken(token, of: try StoreUnderTest.id, in: .production)
        #expect(
            test.production.requests[0].line == "PUT /inApps/v1/transactions/2000000123456789/appAccountToken")
        #expect(test.production.requests[0].text == #"{"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138"}"#)
        let error = await failure {
            try await test.store.setAccountToken(token, of: try StoreUnderTest.id, in: .production)
        }
        #expect(error?.code == .refused && error?.gatewayCode == 4_000_187)
    }
}
