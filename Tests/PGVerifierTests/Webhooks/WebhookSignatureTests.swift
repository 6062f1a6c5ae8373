import Foundation
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct WebhookSignatureTests {
    @Test func `the contract's test vector is valid`() throws {
        try verify()
    }

    @Test func `what the published standardwebhooks package signs is valid`() throws {
        // Signed by standardwebhooks 1.1.0 (PyPI) with the contract's secret, at the vector's time.
        let body = """
            {"type":"Transaction.Paid","timestamp":"2026-11-21T01:00:00.000Z","data":{"paymentId":"pay-sw",\
            "storeId":"store-sandbox","transactionId":"01a07ab6-3bbe-f28f-9452-4e0baa5d1120"}}
            """
        try WebhookSignature(secrets: [Secret(vectorSecret)]).verify(
            id: "msg_standard_0001", timestamp: "1767225600",
            signature: "v1,wn2wGNpq26iB3t+udO7VgiUR9J554FLlrSwba8MrvJg=", body: Array(body.utf8),
            now: Date(timeIntervalSince1970: 1_767_225_600))
    }

    @Test func `a secret may come without its prefix`() throws {
        try verify(secrets: [Secret(String(vectorSecret.dropFirst(6)))])
    }

    @Test func `any valid secret and any of several signatures is enough`() throws {
        try verify(secrets: ["whsec_b3RoZXI=", Secret(vectorSecret)])
        try verify(signature: "v1,AAAA v1a,\(vectorSignature.dropFirst(3)) v2,x \(vectorSignature) nonsense")
    }

    @Test(arguments: [
        "", "v1", "v1,", "v1,AAAA", "v2,c8zb+eUQx9tegSdzLPMkW2VHH3QC1BKiKONWkg38Hiw=",
        "c8zb+eUQx9tegSdzLPMkW2VHH3QC1BKiKONWkg38Hiw=", "v1,c8zb+eUQx9tegSdzLPMkW2VHH3QC1BKiKONWkg38Hi",
        "V1,c8zb+eUQx9tegSdzLPMkW2VHH3QC1BKiKONWkg38Hiw=",
    ])
    func `a signature that isn't ours is refused`(signature: String) {
        #expect(code { try verify(signature: signature) } == .badSignature)
    }

    @Test func `a signature in another spelling of its base64 is refused`() throws {
        // The last character before the padding holds two bits that mean nothing.
        let spelling = String(vectorSignature.dropLast(2)) + "x="
        try #require(vectorSignature.hasSuffix("w=") && spelling != vectorSignature)
        #expect(
            Data(base64Encoded: String(spelling.dropFirst(3)))
                == Data(base64Encoded: String(vectorSignature.dropFirst(3))))
        #expect(code { try verify(signature: spelling) } == .badSignature)
    }

    @Test func `whatever is signed can't be changed`() {
        #expect(code { try verify(id: "msg_sandbox_0002") } == .badSignature)
        #expect(code { try verify(timestamp: "1767225601") } == .badSignature)
        #expect(code { try verify(body: vectorBody + " ") } == .badSignature)
        #expect(code { try verify(body: "") } == .badSignature)
        #expect(code { try verify(secrets: ["whsec_b3RoZXI="]) } == .badSignature)
    }

    @Test func `a message is taken for five minutes either way`() throws {
        for seconds in [-300.0, 0, 300] { try verify(now: vectorTime + seconds) }
        for seconds in [-301.0, 301] { #expect(code { try verify(now: vectorTime + seconds) } == .untimely) }
    }

    @Test(
        arguments: [
            (nil, "1767225600", "v1,x"), ("id", nil, "v1,x"), ("id", "1767225600", nil), ("", "1767225600", "v1,x"),
            ("id", "yesterday", "v1,x"), ("id", "1767225600.5", "v1,x"), ("id", "99999999999999999999", "v1,x"),
        ] as [(String?, String?, String?)])
    func `a header that is missing or can't be read is refused`(id: String?, timestamp: String?, signature: String?) {
        #expect(code { try verify(id: id, timestamp: timestamp, signature: signature) } == .missingHeader)
    }

    @Test(arguments: [[], [""], ["whsec_"], ["whsec_not base64"], ["whsec_AQID", ""]])
    func `with a secret that is empty or unreadable nothing is verified at all`(secrets: [String]) {
        #expect(code { _ = try WebhookSignature(secrets: secrets.map { Secret($0) }) } == .unusableSecret)
    }
}

@Suite(.timeLimit(.minutes(20))) struct WebhookEventTests {
    @Test func `V1 posts JSON or a form, and both say the same`() throws {
        let json = try v1(#"{"imp_uid":"imp_1","merchant_uid":"주문 1","status":"cancelled","cancellation_id":"c1"}"#)
        let form = try v1(
            "imp_uid=imp_1&merchant_uid=%EC%A3%BC%EB%AC%B8+1&status=cancelled&cancellation_id=c1&empty=")
        #expect(json == form)
        #expect(json.gateway == "portone-v1" && json.kind == .cancelled && json.cancellationID == "c1")
        #expect(json.receipt == .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("주문 1")))
        #expect(json.eventID == nil && json.occurredAt == nil)
    }

    @Test(arguments: [
        ("ready", WebhookEvent.Kind.ready), ("paid", .paid), ("failed", .failed), ("cancelled", .cancelled),
        ("pending", .other), ("", .other),
    ])
    func `a V1 status of the future is taken`(status: String, kind: WebhookEvent.Kind) throws {
        #expect(try v1(#"{"imp_uid":"i","merchant_uid":"m","status":"\#(status)"}"#).kind == kind)
        #expect(try v1(#"{"imp_uid":"i","merchant_uid":"m"}"#).kind == .other)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "{", #"{"imp_uid":"i"}"#, #"{"merchant_uid":"m"}"#,
        #"{"imp_uid":1,"merchant_uid":"m"}"#,
        #"{"imp_uid":"","merchant_uid":"m"}"#, #"{"imp_uid":"a","imp_uid":"b","merchant_uid":"m"}"#, "imp_uid=i",
        "imp_uid=i&merchant_uid=%zz", "imp_uid=i&merchant_uid=%f", "imp_uid=i&merchant_uid=%ff", "imp_uid",
        "imp_uid=a&imp_uid=b&merchant_uid=m", "\u{0}",
    ])
    func `what isn't a V1 webhook is refused as such`(body: String) {
        #expect(code { _ = try v1(body) } == .malformedBody)
    }

    @Test func `a webhook larger than any is refused unread`() {
        let body = #"{"imp_uid":"i","merchant_uid":"m","x":"\#(String(repeating: "x", count: 70_000))"}"#
        #expect(code { _ = try v1(body) } == .malformedBody)
        #expect(code { _ = try v2(body.replacing("imp_uid", with: "type")) } == .malformedBody)
    }

    @Test func `ids that no gateway could have name no receipt`() throws {
        #expect(try v1(#"{"imp_uid":"../x","merchant_uid":"m","status":"paid"}"#).receipt == nil)
        #expect(try v1(#"{"imp_uid":"imp_1","merchant_uid":"a\nb","status":"paid"}"#).receipt == nil)
        #expect(try v1(#"{"imp_uid":"imp_1","merchant_uid":"a/b","status":"paid"}"#).receipt != nil)
    }

    @Test func `V2 posts what happened, to which payment, and when`() throws {
        let event = try v2(vectorBody)
        #expect(event.gateway == "portone-v2" && event.kind == .paid && event.type == "Transaction.Paid")
        #expect(event.eventID == "msg_1" && event.occurredAt == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(event.storeID == "store-04f7a059-9b5d-4bb8-ac93-f35434438216")
        #expect(event.paymentID == "01a07ab6-3bbe-f28f-9452-4e0baa5d1120")
        #expect(event.receipt == .v2(paymentID: try PaymentID("order-20260101-0001")))
    }

    @Test(arguments: [
        ("Transaction.Ready", WebhookEvent.Kind.ready), ("Transaction.VirtualAccountIssued", .ready),
        ("Transaction.PayPending", .ready), ("Transaction.Paid", .paid), ("Transaction.Failed", .failed),
        ("Transaction.Cancelled", .cancelled), ("Transaction.PartialCancelled", .partiallyCancelled),
        ("Transaction.CancelPending", .cancelPending), ("Transaction.DisputeCreated", .other),
        ("Transaction.Confirm", .other), ("Transaction.New", .other), ("BillingKey.Ready", .other), ("New", .other),
    ])
    func `every type is taken, one of the future too`(type: String, kind: WebhookEvent.Kind) throws {
        let event = try v2(
            #"{"type":"\#(type)","timestamp":"x","data":{"paymentId":"p","cancellationId":"c"},"new":1}"#)
        #expect(event.kind == kind && event.type == type)
        #expect(event.cancellationID == "c" && event.occurredAt == nil)
    }

    @Test func `a type that is about no payment names none`() throws {
        let event = try v2(#"{"type":"BillingKey.Issued","timestamp":"x","data":{"storeId":"s","billingKey":"b"}}"#)
        #expect(event.receipt == nil && event.storeID == "s")
        #expect(try v2(#"{"type":"New"}"#).receipt == nil)
    }

    @Test(arguments: [
        #"{"payment_id":"p","tx_id":"t","status":"PartialCancelled"}"#, "payment_id=p&tx_id=t&status=PartialCancelled",
    ])
    func `V2's older version is read too`(body: String) throws {
        let event = try v2(body)
        #expect(event.kind == .partiallyCancelled && event.paymentID == "t")
        #expect(event.receipt == .v2(paymentID: try PaymentID("p")))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"type":"Transaction.Paid"}"#, #"{"type":"Transaction.Paid","data":{"paymentId":1}}"#,
        #"{"type":1}"#, #"{"payment_id":"p"}"#, "status=Paid", "<xml/>",
    ])
    func `what isn't a V2 webhook is refused as such`(body: String) {
        #expect(code { _ = try v2(body) } == .malformedBody)
    }
}

private let vectorSecret = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="
private let vectorSignature = "v1,c8zb+eUQx9tegSdzLPMkW2VHH3QC1BKiKONWkg38Hiw="
private let vectorTime = Date(timeIntervalSince1970: 1_767_225_600)
private let vectorBody =
    #"{"type":"Transaction.Paid","timestamp":"2026-01-01T00:00:00.000Z","data":{"paymentId":"order-20260101-0001","#
    + #""storeId":"store-04f7a059-9b5d-4bb8-ac93-f35434438216","#
    + #""transactionId":"01a07ab6-3bbe-f28f-9452-4e0baa5d1120"}}"#

private func verify(
    secrets: [Secret] = [Secret(vectorSecret)], id: String? = "msg_sandbox_0001", timestamp: String? = "1767225600",
    signature: String? = vectorSignature, body: String = vectorBody, now: Date = vectorTime
) throws(WebhookError) {
    try WebhookSignature(secrets: secrets)
        .verify(id: id, timestamp: timestamp, signature: signature, body: Array(body.utf8), now: now)
}

private func v1(_ body: String) throws(WebhookError) -> WebhookEvent {
    try WebhookEvent.portOneV1(body: Array(body.utf8))
}

private func v2(_ body: String) throws(WebhookError) -> WebhookEvent {
    try WebhookEvent.portOneV2(body: Array(body.utf8), id: "msg_1")
}

private func code(_ body: () throws -> Void) -> WebhookError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? WebhookError)?.code
    }
}
