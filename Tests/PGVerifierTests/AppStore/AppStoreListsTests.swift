import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AppStoreListsTests {
    private let house: AppStoreHouse
    private let period = ManualTime.noon.addingTimeInterval(-86_400)..<ManualTime.noon

    init() throws {
        house = try AppStoreHouse.ours.get()
    }

    @Test func `the notifications of a period are walked page by page, with what became of them`() async throws {
        let test = try StoreUnderTest(
            history([try notification("1", "SUCCESS")], next: "token/1"),
            history([try notification("2", "A_NEW_RESULT"), try notification("1", "SUCCESS")]), house: house)
        var deliveries: [AppStoreDelivery] = []
        for try await delivery in test.store.notifications(in: period, of: .production, .kind(.refund)) {
            deliveries.append(delivery)
        }
        #expect(deliveries.map(\.notification.id) == ["1", "2"])
        #expect(deliveries.map { $0.attempts.map(\.result) } == [["SUCCESS"], ["A_NEW_RESULT"]])
        #expect(deliveries[0].attempts[0].at == ManualTime.noon)
        #expect(
            test.production.requests.map(\.line) == [
                "POST /inApps/v1/notifications/history",
                "POST /inApps/v1/notifications/history?paginationToken=token%2F1",
            ])
        let body = #"{"endDate":1794713640000,"notificationType":"REFUND","startDate":1794627240000}"#
        #expect(test.production.requests.map(\.text) == [body, body])
    }

    @Test(arguments: [
        (AppStoreNotificationFilter.all, false, ""), (.all, true, #","onlyFailures":true"#),
        (.kind(.test), false, #","notificationType":"TEST""#),
    ]) func `a list is of a kind, of a purchase, or of all`(
        filter: AppStoreNotificationFilter, onlyFailures: Bool, members: String
    ) async throws {
        let test = try StoreUnderTest(history([]), house: house)
        let walk = test.store.notifications(in: period, of: .production, filter, onlyFailures: onlyFailures)
        #expect(try await walk.page(at: nil).elements.isEmpty)
        #expect(
            test.production.requests[0].text
                == #"{"endDate":1794713640000\#(members),"startDate":1794627240000}"#)
    }

    @Test func `the notifications of a purchase are asked for by its id`() async throws {
        let test = try StoreUnderTest(sandbox: [history([])], house: house)
        let walk = test.store.notifications(in: period, of: .sandbox, .transaction(try StoreUnderTest.id))
        #expect(try await walk.page(at: nil).next == nil)
        #expect(
            test.sandbox.requests[0].text
                == #"{"endDate":1794713640000,"startDate":1794627240000,"transactionId":"2000000123456789"}"#)
    }

    @Test func `a notification that can't be read hides no other`() async throws {
        let stranger = try AppStoreHouse().sign(AppStoreHouse.notification())
        let bad = [
            "{}", #"{"signedPayload":"x"}"#, #"{"signedPayload":"\#(stranger)"}"#,
            #"{"signedPayload":"\#(try house.sign(AppStoreHouse.notification(data: ["bundleId": "7"])))"}"#,
        ]
        let test = try StoreUnderTest(history(bad + [try notification("1", "SUCCESS")]), house: house)
        let page = try await test.store.notifications(in: period, of: .production).page(at: nil)
        #expect(page.elements.map(\.notification.id) == ["1"] && page.unreadable.count == bad.count)
        #expect(page.unreadable.allSatisfy { $0.gateway == "app-store" && !$0.error.isDefinite })
    }

    @Test(arguments: ["[]", #"{"notificationHistory":{}}"#]) func `what is no page ends the walk`(
        body: String
    ) async throws {
        let test = try StoreUnderTest(.answer(200, body), house: house)
        let error = await failure { try await test.store.notifications(in: period, of: .production).page(at: nil) }
        #expect(error?.code == .malformedAnswer)
    }

    @Test func `refunds are walked by revision, and a further part is another refund`() async throws {
        let (some, more) = (try refund("33333"), try refund("66667"))
        let test = try StoreUnderTest(
            .answer(200, #"{"signedTransactions":["\#(some)"],"revision":"r1","hasMore":true}"#),
            .answer(200, #"{"signedTransactions":["\#(some)","\#(more)"],"revision":"r2","hasMore":false}"#),
            house: house)
        var refunds: [Int64?] = []
        for try await transaction in test.store.refunds(ofCustomerOf: try StoreUnderTest.id, in: .production) {
            refunds.append(transaction.revocation?.percentage)
        }
        #expect(refunds == [33_333, 66_667])
        #expect(
            test.production.requests.map(\.line) == [
                "GET /inApps/v2/refund/lookup/2000000123456789",
                "GET /inApps/v2/refund/lookup/2000000123456789?revision=r1",
            ])
    }

    @Test func `an order of a customer's mail is looked up`() async throws {
        let test = try StoreUnderTest(
            .answer(200, #"{"status":0,"signedTransactions":["\#(try house.sign(AppStoreHouse.transaction()))"]}"#),
            .answer(200, #"{"status":1}"#), .answer(200, #"{"status":7,"signedTransactions":["x"]}"#),
            .answer(200, #"{"status":0,"signedTransactions":["x"]}"#), house: house)
        let order = try AppStoreOrderID("MK5TTTVWJH")
        #expect(try await test.store.transactions(ofOrder: order).map(\.productID) == ["coins_100"])
        #expect(test.production.requests[0].line == "GET /inApps/v1/lookup/MK5TTTVWJH")
        for _ in 0..<2 { #expect(try await test.store.transactions(ofOrder: order).isEmpty) }
        #expect(await failure { try await test.store.transactions(ofOrder: order) }?.code == .unreadablePayment)
    }

    @Test func `the payments of an order are those of its transactions, and no other text is asked for`()
        async throws
    {
        let test = try StoreUnderTest(
            .answer(200, #"{"status":0,"signedTransactions":["\#(try house.sign(AppStoreHouse.transaction()))"]}"#),
            .answer(200, #"{"status":1}"#), house: house)
        #expect(
            try await test.store.payments(ofMailedOrder: "MK5TTTVWJH").map(\.merchantUID)
                == ["app-store:2000000123456789"])
        #expect(try await test.store.payments(ofMailedOrder: "MK5TTTVWJJ").isEmpty)
        #expect(try await test.store.payments(ofMailedOrder: "MK5/../x").isEmpty)
        #expect(test.production.requests.count == 2)
        #expect(AppStoreOrderID.isLikely("MK5TTTVWJH"))
        for text in ["2000000123456789", "GPA.3345-1234", "mk5tttvwjh", "M1", ""] {
            #expect(!AppStoreOrderID.isLikely(text))
        }
    }

    @Test func `a test notification is asked for once, and its fate as often as one likes`() async throws {
        let test = try StoreUnderTest(.refusal(500, 5_000_000), house: house)
        #expect(await failure { try await test.store.requestTestNotification(in: .production) }?.code == .serverError)
        #expect(test.production.requests.count == 1)
        let sent = try StoreUnderTest(
            .answer(200, #"{"testNotificationToken":"a/b_1"}"#), .answer(200, #"{"testNotificationToken":"ab_1"}"#),
            .refusal(500, 5_000_000), .answer(200, try notification("1", "TIMED_OUT")), house: house)
        let slashed = try await sent.store.requestTestNotification(in: .production)
        #expect(
            await failure { try await sent.store.delivery(ofTest: slashed, in: .production) }?.code == .invalidRequest)
        let token = try await sent.store.requestTestNotification(in: .production)
        #expect(try await sent.store.delivery(ofTest: token, in: .production).attempts.map(\.result) == ["TIMED_OUT"])
        #expect(
            sent.production.requests.map(\.line).suffix(2) == [
                "GET /inApps/v1/notifications/test/ab_1", "GET /inApps/v1/notifications/test/ab_1",
            ])
    }

    // MARK: - For a comparison with the books

    /// The elements of a page, as what they are asked for by.
    private func names(_ page: ListedPage) -> [String] {
        page.elements.map { element in
            if case .named(let receipt) = element { receipt.paymentID ?? "" } else { "another element" }
        }
    }

    @Test func `the history names purchases, refunds and what was taken back, by a place with its period`()
        async throws
    {
        func told(_ kind: String, of id: String) throws -> String {
            let transaction = try house.sign(AppStoreHouse.transaction(["transactionId": "\"\(id)\""]))
            let signed = try house.sign(
                AppStoreHouse.notification(
                    ["notificationType": "\"\(kind)\"", "notificationUUID": "\"\(kind)\""],
                    transaction: transaction))
            return #"{"signedPayload":"\#(signed)"}"#
        }
        let test = try StoreUnderTest(
            history(
                [
                    try told("ONE_TIME_CHARGE", of: "1"), try told("CONSUMPTION_REQUEST", of: "2"),
                    try told("DID_RENEW", of: "3"), try notification("4", "SUCCESS"),
                ], next: "a b"),
            history([try told("REFUND", of: "5"), try told("REFUND_REVERSED", of: "6")]), house: house)
        // It ends later than now, and is asked for until now.
        let days = period.lowerBound..<period.upperBound.addingTimeInterval(86_400)
        let first = try await test.store.page(of: "notifications", in: days, at: nil)
        #expect(names(first) == ["1"])
        let place = try #require(first.next)
        let second = try await test.store.page(of: "notifications", in: days, at: place)
        #expect(names(second) == ["5", "6"] && second.next == nil)
        #expect(
            test.production.requests.map(\.line) == [
                "POST /inApps/v1/notifications/history",
                "POST /inApps/v1/notifications/history?paginationToken=a%20b",
            ])
        let body = #"{"endDate":1794713640000,"startDate":1794627240000}"#
        #expect(test.production.requests.map(\.text) == [body, body])
    }

    @Test func `what is older than the history has nothing in it`() async throws {
        let test = try StoreUnderTest(.unauthorized, house: house)
        let longAgo = period.lowerBound.addingTimeInterval(-181 * 86_400)
        let days = longAgo..<longAgo.addingTimeInterval(86_400)
        let old = try await test.store.page(of: "notifications", in: days, at: nil)
        #expect(old.elements.isEmpty && old.next == nil && test.production.requests.isEmpty)
    }

    @Test func `an app that was never released has sold nothing, unless the sandbox refuses its key`() async throws {
        func listed(_ test: StoreUnderTest) async throws -> ListedPage {
            var page = try await test.store.page(of: "notifications", in: period, at: nil)
            while let next = page.next { page = try await test.store.page(of: "notifications", in: period, at: next) }
            return page
        }
        let unreleased = try StoreUnderTest(.unauthorized, sandbox: [.unknown], house: house)
        #expect(try await listed(unreleased).elements.isEmpty)
        #expect(!unreleased.production.requests.isEmpty && !unreleased.sandbox.requests.isEmpty)
        let alone = try StoreUnderTest(.unauthorized, sandbox: [.unknown], house: house, environments: [.production])
        #expect(try await listed(alone).elements.isEmpty && alone.sandbox.requests.isEmpty)
        for test in [
            // A wrong key; a sandbox that can't be asked; a key that was revoked meanwhile; a 403.
            try StoreUnderTest(.unauthorized, sandbox: [.unauthorized], house: house),
            try StoreUnderTest(.unauthorized, house: house),
            try StoreUnderTest(history([], next: "a b"), .unauthorized, sandbox: [.unknown], house: house),
            try StoreUnderTest(.answer(403, ""), sandbox: [.unknown], house: house),
        ] {
            #expect(await failure { try await listed(test) }?.code == .unauthorized)
        }
    }

    private func history(_ items: [String], next: String? = nil) -> ScriptedGateway.Step {
        let place = next.map { #""hasMore":true,"paginationToken":"\#($0)","# } ?? #""hasMore":false,"#
        return .answer(200, #"{\#(place)"notificationHistory":[\#(items.joined(separator: ","))]}"#)
    }

    /// An element of the history.
    private func notification(_ id: String, _ result: String) throws -> String {
        let signed = try house.sign(AppStoreHouse.notification(["notificationUUID": "\"\(id)\""]))
        return
            #"{"signedPayload":"\#(signed)","sendAttempts":[{"attemptDate":1794713640000,"sendAttemptResult":"\#(result)"}]}"#
    }

    private func refund(_ percentage: String) throws -> String {
        try house.sign(
            AppStoreHouse.transaction(["revocationDate": "1794713640000", "revocationPercentage": percentage]))
    }
}
