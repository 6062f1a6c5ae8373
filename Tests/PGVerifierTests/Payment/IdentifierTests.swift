import Foundation
import OutboundHTTP
import PGVerifier
import Testing

@Suite(.timeLimit(.minutes(20))) struct IdentifierTests {
    @Test(arguments: ["imp_448280090638", "imps_448280090638", "a", "01a07ab6-3bbe-f28f-9452-4e0baa5d", "A-_9"])
    func `an imp_uid that PortOne could have made is taken`(text: String) throws {
        #expect(try ImpUID(text).text == text)
    }

    @Test(arguments: [
        "", "imp_1/../../users", "imp_1?x", "imp 1", "imp_1\n", "imp_é", "%2e%2e", "..", "imp_1#", "imp_\u{0}",
        String(repeating: "1", count: 33),
    ])
    func `an imp_uid that could lead elsewhere is refused`(text: String) {
        #expect(throws: MalformedIdentifier.self) { try ImpUID(text) }
    }

    @Test(arguments: [
        "ios_app.key_1709256000", "주문-1", "order 1", String(repeating: "가", count: 40), "a+b=c&d?e#f%", "a/b", ".",
        "..",
        "2026/11/20-1", "👩\u{200d}💻", "주문\u{3000}1", "a\u{a0}b",
    ])
    func `a printable merchant_uid is taken`(text: String) throws {
        #expect(try MerchantUID(text).text == text)
    }

    @Test(arguments: [
        "", "a\nb", "a\u{7f}", "a\u{202e}b", "a\u{2028}b", "\u{0}",
        String(repeating: "가", count: 41),
    ])
    func `a merchant_uid that can't be printed on one line is refused`(text: String) {
        #expect(throws: MalformedIdentifier.self) { try MerchantUID(text) }
    }

    @Test(arguments: ["order-1", "주문 1?&#%", "...", "👩\u{200d}💻\u{3000}", String(repeating: "가", count: 64)])
    func `a printable payment_id is taken`(text: String) throws {
        #expect(try PaymentID(text).text == text)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\nb", "a\u{202e}b", String(repeating: "가", count: 65)])
    func `a payment_id that could lead elsewhere is refused`(text: String) {
        let error = #expect(throws: MalformedIdentifier.self) { try PaymentID(text) }
        #expect(error?.field == "payment_id")
    }

    @Test func `a fresh order's name is of 26 characters of 32, and never comes again`() throws {
        let names = (0..<1000).map { _ in MerchantUID.fresh() }
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(try MerchantUID(name.text) == name)
            #expect(name.text.wholeMatch(of: /order-[a-z2-7]{26}/) != nil)
        }
        // Each of the 32 comes at each place behind the time: 1000 draws miss one with a chance of 1 in 10^11.
        for place in 15..<32 {
            let drawn = Set(names.map { Array($0.text.utf8)[place] })
            #expect(drawn.count == 32, "place \(place)")
        }
    }

    @Test func `names of orders rise with time`() {
        let times: [TimeInterval] = [-1, 0, 0.0015, 0.0025, 0.0335, 1, 31, 1_800_000_000, 1_800_000_000.5, 4e9, 3e10]
        let names = times.map { Array(MerchantUID.fresh(at: Date(timeIntervalSince1970: $0)).text.utf8.prefix(15)) }
        for (earlier, later) in zip(names.dropFirst(), names.dropFirst(2)) {
            #expect(earlier.lexicographicallyPrecedes(later))
        }
        #expect(names[0] == names[1], "a clock before 1970 is no reason to fail")
    }

    @Test func `an idempotency key is printable ASCII that fits into quotes and brackets`() throws {
        #expect(try CancellationKey("8b0e4c52-6f0e-4f2e-9c51-3d5a0a6b7c11").text.count == 36)
        for text in [
            "too-short", String(repeating: "x", count: 129), "has a space in it...", "has\"quotes\"in-it",
            "has[brackets]in",
            "has\\backslash-in", "한글한글한글한글한글", "has-a-newline\n---",
        ] {
            #expect(throws: MalformedIdentifier.self) { try CancellationKey(text) }
        }
    }

    @Test func `the refusal names the member and the rule, never the value`() {
        let error = #expect(throws: MalformedIdentifier.self) { try ImpUID("<script>") }
        #expect(error?.field == "imp_uid")
        #expect(error?.description.contains("script") == false)
    }

    @Test func `a secret never shows`() throws {
        let configuration = PortOneV1Configuration(
            url: try HTTPURL("https://api.iamport.kr"), key: "the-key", secret: "the-secret")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("the-key") && !text.contains("the-secret"))
        }
    }
}
