import EndToEndSupport
import TestSupport
import Testing

/// What a store asks about a refund, on the customer's page.
@Suite(.timeLimit(.minutes(20))) struct ConsoleRefundQuestionTests {
    @Test func `support sees what a store asks and is told, and chooses another answer, which the audit has`()
        async throws
    {
        try await House.with { house in
            let store = try await house.startAppStore()
            let console = try await ConsoleHouse(in: house, store.settings)
            let service = console.service
            let json = [("Content-Type", "application/json")]
            let named = try await service.send(
                .put, "/v1/store-products/app-store/com.example.coins/com.example.coins.100", as: Token.finance(),
                headers: json, body: #"{"product": "coins_100"}"#)
            #expect(named.status == 200, "\(named)")
            let consented = try await service.send(
                .put, "/v1/users/ann/store-consent", as: Token.service(), headers: json, body: #"{"consents": true}"#)
            #expect(consented.status == 200, "\(consented)")
            let url = "http://127.0.0.1:\(service.port)/webhooks/app-store"
            let told = try await store.send(
                .put, "/sandbox/apple/app", #"{"notification_url": "\#(url)", "sandbox_notification_url": "\#(url)"}"#)
            #expect(told.status == 200, "\(told)")

            let bought = try await store.buy()
            #expect(try await service.post("/v1/receipts", bought.receipt, as: Token.user("ann")).status == 201)
            let spent = try await service.post("/v1/users/ann/spends", #"{"coins": 30}"#, key: "spend")
            #expect(spent.status == 201, "\(spent)")
            try await store.change(bought, #""act": "ask_consumption""#)
            try await eventually("the question is there") {
                try await house.books.count("SELECT count(*) FROM refund_question") == 1
            }
            let id = try await house.books.count("SELECT id FROM refund_question")
            let path = "/console/customers/ann/refund-questions/\(id)"

            let viewer = try await console.browser(as: "viewer-1")
            let seen = try await viewer.open("/console/customers/ann").text
            for part in ["A store asks about a refund", "30 / 100", "refund the unused part", "30 %", "to be answered"]
            {
                #expect(seen.contains(part), "\(part)")
            }
            #expect(!seen.contains(path), "a viewer chooses nothing")

            let support = try await console.browser(as: "support-1")
            #expect(try await support.open("/console/customers/ann").text.contains(path))
            let sent = try await support.submit(path, [("reason", "asks each month"), ("preference", "decline")])
            #expect(sent.status == 200, "\(sent)")
            try await eventually("Apple is told so") {
                try await house.books.count("SELECT count(*) FROM refund_question WHERE status = 'answered'") == 1
            }
            let after = try await support.open("/console/customers/ann").text
            for part in ["refund nothing", "asks each month", "answered"] { #expect(after.contains(part), "\(part)") }
            #expect(!after.contains(path), "it is answered")
            let audited = """
                SELECT count(*) FROM audit
                WHERE act = 'overrule-refund-question' AND target = 'refund_question:\(id)'
                    AND reason = 'decline: asks each month'
                """
            #expect(try await house.books.count(audited) == 1)
        }
    }
}
