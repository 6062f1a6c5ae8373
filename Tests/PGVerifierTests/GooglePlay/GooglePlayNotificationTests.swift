import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayNotificationTests {
    private func read(
        _ about: String, message: [String: String?] = [:], data: [String: String?] = [:]
    ) async throws -> GooglePlayNotification {
        let test = try PlayUnderTest(PlayHouse.purchase())
        return try #require(
            try await test.play.push?.notification(
                authorization: try PlayHouse.bearer(), body: PlayHouse.push(about, message: message, data: data)))
    }

    private func event(_ about: String) async throws -> WebhookEvent { WebhookEvent(try await read(about)) }

    private func oneTime(_ type: String) -> String {
        #""oneTimeProductNotification":{"version":"1.0","notificationType":\#(type),"#
            + #""purchaseToken":"\#(PlayHouse.token)","sku":"coins_100"}"#
    }

    @Test func `a purchase is told, and named to the gateway`() async throws {
        let notification = try await read(oneTime("1"))
        #expect(
            notification.subject
                == .purchase(.init(kind: .purchased, token: try PlayUnderTest.token, productID: "coins_100")))
        #expect(notification.occurredAt == ManualTime.noon)
        #expect(notification.publishedAt == ManualTime.noon.addingTimeInterval(1.5))
        let event = WebhookEvent(notification)
        #expect(event.gateway == "google-play" && event.eventID == "136969346945" && event.kind == .paid)
        #expect(event.type == "one_time.1" && event.occurredAt == ManualTime.noon)
        #expect(event.paymentID == PlayHouse.token && event.merchantUID == PlayHouse.orderName)
    }

    @Test func `a pending purchase that was given up is no refund`() async throws {
        let event = try await event(oneTime("2"))
        #expect(event.kind == .failed && event.type == "one_time.2" && event.paymentID == PlayHouse.token)
    }

    @Test(arguments: [
        (2, 1, WebhookEvent.Kind.cancelled), (2, 2, .partiallyCancelled), (2, 9, .cancelled), (9, 1, .cancelled),
    ])
    func `a purchase that was taken back is a refund`(
        product: Int, refund: Int, kind: WebhookEvent.Kind
    ) async throws {
        let event = try await event(voided(product, refund))
        #expect(event.kind == kind && event.type == "voided.\(product).\(refund)")
        #expect(event.paymentID == PlayHouse.token && event.merchantPaymentID == PlayHouse.orderID)
    }

    @Test func `a subscription is not ours`() async throws {
        let taken = try await event(voided(1, 1))
        #expect(taken.kind == .other && taken.paymentID == nil && taken.receipt == nil)
        let other = try await event(#""subscriptionNotification":{"notificationType":4,"purchaseToken":"t"}"#)
        #expect(other.kind == .other && other.type == "subscription.4" && other.paymentID == nil)
    }

    @Test func `a void of before there were parts is whole`() async throws {
        let old = #""voidedPurchaseNotification":{"purchaseToken":"\#(PlayHouse.token)","productType":2}"#
        let event = try await event(old)
        #expect(event.kind == .cancelled && event.merchantPaymentID == nil)
    }

    @Test func `a request for review names the order`() async throws {
        let notification = try await read(
            #""pendingRefundReviewNotification":{"version":"1.0","pendingRefundToken":"refund/token","#
                + #""orderId":"\#(PlayHouse.orderID)","refundReason":7,"obfuscatedAccountId":"a"}"#)
        let order = try GooglePlayOrderID(PlayHouse.orderID)
        #expect(
            notification.subject
                == .refundReview(.init(token: "refund/token", orderID: order, reason: 7, accountID: "a")))
        let event = WebhookEvent(notification)
        #expect(event.kind == .other && event.merchantPaymentID == PlayHouse.orderID && event.receipt == nil)
        #expect(event.questionToken == "refund/token" && event.questionReason == "7")
        #expect(GooglePlay.questions == [event.type])
    }

    @Test func `a void ends a question, whole or in part, and a subscription's does not`() async throws {
        for (product, refund, isEnd) in [(2, 1, true), (2, 2, true), (1, 1, false)] {
            let event = try await event(
                #""voidedPurchaseNotification":{"purchaseToken":"\#(PlayHouse.token)","productType":\#(product),"#
                    + #""refundType":\#(refund)}"#)
            #expect(GooglePlay.questionEnds[event.type] == (isEnd ? true : nil), "\(event.type)")
            #expect(event.questionToken == nil)
        }
    }

    @Test func `a question whose name no index can hold is not asked`() async throws {
        for (length, isAsked) in [(2000, true), (2001, false)] {
            let event = try await event(
                #""pendingRefundReviewNotification":{"pendingRefundToken":"\#(String(repeating: "t", count: length))","#
                    + #""orderId":"\#(PlayHouse.orderID)"}"#)
            #expect((event.questionToken != nil) == isAsked)
        }
    }

    @Test(arguments: ["99", "0", #""7""#, "-1"])
    func `a number that is not known is kept`(type: String) async throws {
        let notification = try await read(oneTime(type))
        let number = Int64(type.filter { $0 != "\"" }) ?? 0
        #expect(
            notification.subject
                == .purchase(
                    .init(kind: .init(rawValue: number), token: try PlayUnderTest.token, productID: "coins_100")))
        let event = WebhookEvent(notification)
        #expect(event.kind == .other && event.type == "one_time.\(number)")
    }

    @Test func `what is not known is kept by its name`() async throws {
        #expect(try await read(#""testNotification":{"version":"1.0"}"#).subject == .test)
        let new = try await read(#""zooNotification":{"a":1},"shopNotification":7"#)
        #expect(new.subject == .other("shopNotification"))
        #expect(WebhookEvent(new).kind == .other && WebhookEvent(new).type == "shopNotification")
        #expect(try await read("").subject == .other(""))
    }

    @Test func `the time of the message counts where the notification has none`() async throws {
        let notification = try await read(PlayHouse.voided, data: ["eventTimeMillis": nil])
        #expect(WebhookEvent(notification).occurredAt == ManualTime.noon.addingTimeInterval(1.5))
        #expect(
            try await read(PlayHouse.voided, data: ["eventTimeMillis": "1794713640000"]).occurredAt == ManualTime.noon)
    }

    @Test(
        arguments: [
            ("messageId", nil), ("messageId", #""""#), ("messageId", "7"), ("data", nil), ("data", #""%""#),
            ("data", #""bm90IEpTT04=""#), ("data", #""W10=""#), ("publishTime", #""yesterday""#), ("publishTime", "7"),
        ] as [(String, String?)])
    func `a message that can't be read is refused`(name: String, value: String?) async throws {
        try await expectMalformed(PlayHouse.push(PlayHouse.voided, message: [name: value]))
    }

    @Test(arguments: [
        #""oneTimeProductNotification":{"purchaseToken":"t"}"#, #""oneTimeProductNotification":{"notificationType":1}"#,
        #""oneTimeProductNotification":{"notificationType":1,"purchaseToken":"a/b"}"#,
        #""oneTimeProductNotification":7"#, #""voidedPurchaseNotification":{"productType":2}"#,
        #""voidedPurchaseNotification":{"purchaseToken":"t"}"#,
        #""voidedPurchaseNotification":{"purchaseToken":"t","productType":2,"orderId":"a b"}"#,
        #""pendingRefundReviewNotification":{"pendingRefundToken":"t"}"#,
        #""pendingRefundReviewNotification":{"orderId":"GPA.1"}"#,
    ])
    func `a notification that can't be used is refused`(about: String) async throws {
        try await expectMalformed(PlayHouse.push(about))
    }

    @Test func `a notification without an app, or with a time that is none, is refused`() async throws {
        let cases: [[String: String?]] = [
            ["packageName": nil], ["eventTimeMillis": #""-1""#], ["eventTimeMillis": #""9223372036854775807""#],
            ["eventTimeMillis": #""soon""#],
        ]
        for data in cases { try await expectMalformed(PlayHouse.push(PlayHouse.voided, data: data)) }
    }

    @Test func `what is no body of Pub/Sub's is refused`() async throws {
        let long = Array(String(repeating: " ", count: 65_537).utf8)
        for body in [[], Array("{".utf8), Array("{}{}".utf8), long + PlayHouse.push(PlayHouse.voided)] {
            try await expectMalformed(body)
        }
    }

    private func voided(_ product: Int, _ refund: Int) -> String {
        PlayHouse.voided.replacing(
            #""productType":2,"refundType":1"#, with: #""productType":\#(product),"refundType":\#(refund)"#)
    }

    private func expectMalformed(_ body: [UInt8]) async throws {
        let test = try PlayUnderTest(PlayHouse.purchase())
        #expect(try await test.refusal(try PlayHouse.bearer(), body)?.code == .malformedBody)
    }
}
