import Foundation
import Ledger
import LedgerWire
import Testing

@testable import LedgerServer

/// What the API document and the page tell of events, against the types and bodies of the code.
@Suite(.timeLimit(.minutes(20))) struct EventDocumentTests {
    @Test func `the list of types is what is declared`() throws {
        let page = "Sources/Ledger/Events/EventType.swift"
        let list = try ConstantList(page: page, type: "EventType", name: "all").compared()
        #expect(list.committed == list.declared)
        #expect(Set(EventType.all).count == EventType.all.count && EventType.all.count > 40)
    }

    @Test func `each type has a webhook with an example that is a body`() throws {
        let root = try JSONSerialization.jsonObject(with: Data(APIDocument.json)) as? [String: Any]
        let webhooks = try #require(root?["webhooks"] as? [String: Any])
        #expect(Set(webhooks.keys) == Set(EventType.all.map(\.rawValue)))
        for (type, webhook) in webhooks {
            let example = try #require(Self.example(in: webhook), "\(type)")
            let body = try WireJSON.makeDecoder().decode(
                EventBody.self, from: JSONSerialization.data(withJSONObject: example))
            #expect(body.type == type)
            let written = try JSONSerialization.jsonObject(with: WireJSON.makeEncoder().encode(body)) as? NSDictionary
            #expect(written == example as NSDictionary, "\(type): the example has members that no body has")
        }
    }

    private static func example(in webhook: Any) -> [String: Any]? {
        var value: Any? = webhook
        for name in ["post", "requestBody", "content", "application/json", "examples", "event", "value"] {
            value = (value as? [String: Any])?[name]
        }
        return value as? [String: Any]
    }

    @Test func `the page lists every type`() throws {
        let page = URL(fileURLWithPath: #filePath).appending(path: "../../../../docs/events.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let listed = text.matches(of: #/(?m)^\| `([a-z_]+\.[a-z_]+)` \|/#).map { String($0.1) }
        #expect(Set(listed) == Set(EventType.all.map(\.rawValue)))
        #expect(listed.count == EventType.all.count)
    }
}
