import FoundationEssentials
import TestSupport
import Testing
import WireFormats

@testable import PGVerifier

/// Whatever a gateway answers is read or refused: no number of it ends the process.
@Suite(.timeLimit(.minutes(20))) struct HostileAnswerTests {
    private static let edges = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e-9223372036854775808",
        "1e9223372036854775807", "-0", "0e0", "1e308", "-1", "0.5", "99999999999999999999999999999999", "null",
        #""""#, #""9999-12-31T23:59:60+23:59""#, #""0000-01-01T00:00:00-23:59""#, "[]", "{}", "true",
    ]

    private static let v1 = """
        {"imp_uid":"imp_1","merchant_uid":"o","status":"paid","amount":1000,"cancel_amount":100,"currency":"KRW",\
        "paid_at":1700000000,"started_at":1700000000,"failed_at":0,"cancelled_at":1700000001,"vbank_date":1,\
        "cancel_history":[{"pg_tid":"t","amount":100,"cancelled_at":1700000001,"reason":"r"}]}
        """
    private static let v2 = """
        {"storeId":"store","version":"V2","id":"p","transactionId":"t","status":"PAID","currency":"KRW",\
        "amount":{"total":1000,"cancelled":100},"channel":{"type":"LIVE"},"requestedAt":"2024-01-01T00:00:00Z",\
        "paidAt":"2024-01-01T00:00:00Z","cancellations":[{"id":"c","status":"SUCCEEDED","totalAmount":100,\
        "requestedAt":"2024-01-01T00:00:00Z","cancelledAt":"2024-01-01T00:00:00Z"}]}
        """

    private static let purchase = PlayHouse.purchaseText()
    private static let order = PlayHouse.orderText(
        history: """
            ,"partialRefundEvents":[{"createTime":"2024-01-01T00:00:00Z","state":"PROCESSED_SUCCESSFULLY",\
            "refundDetails":{"total":{"currencyCode":"KRW","units":"1000","nanos":0}}}]
            """)

    @Test func `an answer whose every number is at an edge is read or refused`() throws {
        #expect(throws: Never.self) { try PortOneV1Payment.read(try JSONParser.parse(Array(Self.v1.utf8))) }
        #expect(throws: Never.self) {
            try PortOneV2Payment.read(try JSONParser.parse(Array(Self.v2.utf8)), storeID: "store")
        }
        #expect(throws: Never.self) { _ = try Self.readPurchase(try JSONParser.parse(Array(Self.purchase.utf8))) }
        #expect(try Self.readOrder(try JSONParser.parse(Array(Self.order.utf8))).payment().cancelledAmount == 1000)
        let values = [
            "1700000000", "1700000001", "1000", "100", "3", #""3600""#, #""1000""#, #""2024-01-01T00:00:00Z""#,
        ]
        for value in values {
            for edge in Self.edges {
                for text in [Self.v1, Self.v2, Self.purchase, Self.order] {
                    read(text.replacing(":" + value, with: ":" + edge))
                }
            }
        }
        for edge in Self.edges { read(Self.order.replacing(#""nanos":0"#, with: #""nanos":"# + edge)) }
    }

    @Test func `an answer mangled anywhere is read or refused`() {
        var random = SplitMix64(seed: Effort.seed)
        for whole in [Self.v1, Self.v2, Self.purchase, Self.order] {
            for _ in 0..<Effort.count(500, upTo: 5_000) {
                var bytes = Array(whole.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert(contentsOf: (Self.edges.randomElement(using: &random) ?? "").utf8, at: place)
                    default: bytes.insert(UInt8.random(in: 0x2D...0x39, using: &random), at: place)
                    }
                }
                read(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    @Test(arguments: ["paid_at", "cancelled_at", "started_at"])
    func `a time that nobody could write down makes the payment unreadable, not a day in the year 292277026596`(
        name: String
    ) throws {
        let text = Self.v1.replacing(#""\#(name)":1700000000"#, with: #""\#(name)":9223372036854775807"#)
            .replacing(#""\#(name)":1700000001"#, with: #""\#(name)":9223372036854775807"#)
        let error = #expect(throws: GatewayError.self) {
            try PortOneV1Payment.read(try JSONParser.parse(Array(text.utf8)))
        }
        #expect(error?.code == .unreadablePayment && error?.isDefinite == false)
    }

    @Test func `a page's total at an edge moves no page out of range`() throws {
        for total in Self.edges {
            for next in Self.edges {
                let text = #"{"list":[{}],"next":\#(next),"total":\#(total)}"#
                guard let json = try? JSONParser.parse(Array(text.utf8)), let page = try? PortOneV1Page(json) else {
                    continue
                }
                for place in [nil, "0,1", "0,9223372036854775807,9223372036854775807", "-1,-1,-9223372036854775808"] {
                    _ = PortOneV1Place(place).next(after: page, pageSize: 100).text
                }
            }
        }
    }

    /// The receipt is shown to people as a link.
    @Test(arguments: ["https://pg.example/receipt?a=1&b=%20#x", "https://" + String(repeating: "a", count: 1992)])
    func `a receipt at an https address is a link`(text: String) { #expect(GatewayPayment.shownLink(text) == text) }

    @Test(arguments: [
        nil, "", "http://pg.example", "javascript:alert(1)", "HTTPS://pg.example", " https://pg.example",
        "https://pg.example/\"onclick=", "https://pg.example/<b>", "https://pg.example/a b", "https://pg.example/한",
        "https://" + String(repeating: "a", count: 1993),
    ])
    func `a receipt at anything else is no link`(text: String?) { #expect(GatewayPayment.shownLink(text) == nil) }

    /// Reads it as whatever it may be, and computes with it.
    private func read(_ text: String) {
        guard let json = try? JSONParser.parse(Array(text.utf8)) else { return }
        let order = try? Self.readOrder(json)
        let purchase = try? Self.readPurchase(json)
        for payment in [
            try? PortOneV1Payment.read(json), try? PortOneV2Payment.read(json, storeID: "store"),
            try? order?.payment(), purchase?.payment(),
        ] {
            guard let payment else { continue }
            _ = payment.balance
            _ = payment.cancellations.reduce(0) { $0 + $1.amount }
        }
        _ = try? GooglePlayVoid(PlayMembers(json))
        _ = try? WebhookFields(Array(text.utf8))
        _ = try? AccessToken(json, sent: .now)
    }

    private static func readOrder(_ json: JSON) throws -> GooglePlayOrder {
        try GooglePlayOrder(PlayMembers(json), app: "app", toldAt: ManualTime.noon)
    }

    private static func readPurchase(_ json: JSON) throws -> GooglePlayPurchase {
        try GooglePlayPurchase(PlayMembers(json), token: try PurchaseToken("t"), app: "app", toldAt: ManualTime.noon)
    }
}
