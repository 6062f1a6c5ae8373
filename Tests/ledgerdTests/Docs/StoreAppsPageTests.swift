import Foundation
import LedgerWire
import Testing

@testable import LedgerServer

/// The samples of docs/store-apps.md: the one in Swift is compiled and run by LedgerClientTests, beside a stand-in for StoreKit.
@Suite(.timeLimit(.minutes(20))) struct StoreAppsPageTests {
    private static func sample(_ language: String, of page: String = "docs/store-apps.md") throws -> String {
        let page = try DocPage(page).text
        let start = try #require(page.range(of: "\n```\(language)\n")).upperBound
        return String(page[start...].prefix(upTo: try #require(page[start...].range(of: "\n```")).lowerBound))
    }

    private static func code(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("// ") }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }

    @Test func `the sample in Swift is the code that is tested`() throws {
        let tested = try DocPage("Tests/LedgerClientTests/Stores/CoinStore.swift").text
        #expect(Self.code(try Self.sample("swift")) == Self.code(tested))
    }

    @Test func `the sample in Kotlin calls what there is, and leaves it to the service to consume`() throws {
        let sample = try Self.sample("kotlin")
        let calls = sample.matches(of: #/call\("([A-Z]+)", "([^"]+)"/#).map { "\($0.1) \($0.2)" }
        let operations = Set(LedgerServer.Operation.all.map { "\($0.method.rawValue) \($0.path)" })
        #expect(calls.count == 2 && operations.isSuperset(of: calls), "\(calls)")
        for body in [
            try JSONEncoder().encode(StoreAccountBody(appAccountToken: "a", obfuscatedAccountID: "a")),
            try JSONEncoder().encode(WaitingReceiptBody(code: "awaiting_payment", detail: "")),
        ] {
            let members = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any]).keys
            #expect(members.contains { sample.contains(#"getString("\#($0)")"#) }, "\(members)")
        }
        // An answer of a proxy, or none at all, ends neither the app nor what it does next.
        let present = try #require(sample.range(of: "private fun present("))
        let call = try #require(sample.range(of: "private suspend fun call("))
        let handled = sample[present.upperBound..<call.lowerBound]
        for error in ["IOException", "JSONException"] { #expect(handled.contains("catch (error: \(error))")) }
        for timeout in ["connectTimeout = ", "readTimeout = "] { #expect(sample.contains(timeout)) }
        for call in ["consumeAsync", "consumePurchase", "acknowledgePurchase"] { #expect(!sample.contains(call)) }
    }

    @Test(arguments: ["docs/store-apps.md", "docs/stores.md"])
    func `the samples in Kotlin present a receipt of Google Play`(page: String) throws {
        let bodies = try Self.sample("kotlin", of: page).matches(
            of: #/JSONObject\(\)\.put\("(\w+)", JSONObject\(\)\.put\("(\w+)", purchase\.purchaseToken\)\)/#)
        let body = try #require(bodies.first)
        let json = #"{"\#(body.1)": {"\#(body.2)": "token"}}"#
        let receipt = try JSONDecoder().decode(ReceiptRequest.self, from: Data(json.utf8))
        #expect(bodies.count == 1 && receipt == .googlePlay(purchaseToken: "token"), "\(json)")
    }
}
