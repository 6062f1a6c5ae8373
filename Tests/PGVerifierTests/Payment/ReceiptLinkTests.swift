import Testing

@testable import PGVerifier

/// The gateway's receipt is shown to people as a link.
@Suite(.timeLimit(.minutes(20))) struct ReceiptLinkTests {
    @Test(arguments: ["https://pg.example/receipt?a=1&b=%20#x", "https://" + String(repeating: "a", count: 1992)])
    func `an https address is a link`(text: String) { #expect(GatewayPayment.shownLink(text) == text) }

    @Test(arguments: [
        nil, "", "http://pg.example", "javascript:alert(1)", "HTTPS://pg.example", " https://pg.example",
        "https://pg.example/\"onclick=", "https://pg.example/<b>", "https://pg.example/a b", "https://pg.example/한",
        "https://" + String(repeating: "a", count: 1993),
    ])
    func `anything else is none`(text: String?) { #expect(GatewayPayment.shownLink(text) == nil) }
}
