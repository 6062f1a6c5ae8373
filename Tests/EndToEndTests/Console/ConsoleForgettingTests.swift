import EndToEndSupport
import TestSupport
import Testing

/// A customer who is to be forgotten, in the console.
@Suite(.timeLimit(.minutes(20))) struct ConsoleForgettingTests {
    @Test func `support asks to forget a customer, sees what is open, and cancels it`() async throws {
        try await ConsoleHouse.open(ForgettingServiceTests.settings) { console in
            let given = #"{"coins": 60, "reason": "hello"}"#
            #expect(try await console.service.post("/v1/users/ann/grants", given, key: "g").status == 201)
            let viewer = try await console.browser(as: "viewer-1")
            #expect(try await !viewer.open("/console/customers/ann").text.contains("/forget"), "a viewer does nothing")
            let support = try await console.browser(as: "support-1")
            #expect(try await support.open("/console/customers/ann").text.contains("/console/customers/ann/forget"))
            try await support.open("/console/customers/ann/forget")
            let asked = try await support.submit("/console/customers/ann/forget", [("reason", "closed the account")])
            #expect(asked.status == 200 && asked.text.contains("will be forgotten"), "\(asked)")
            let path = "/console/customers/ann/forget/cancel"
            let page = try await support.open("/console/customers/ann/forget").text
            #expect(page.contains(path) && page.contains("waiting") && page.contains("coins"), "\(page)")
            try await support.open(path)
            let cancelled = try await support.submit(path, [("reason", "changed her mind")])
            #expect(cancelled.status == 200 && cancelled.text.contains("will not be forgotten"), "\(cancelled)")
            let state = try await console.service.get("/v1/users/ann/forgetting", as: Token.service()).json
            #expect(state["status"] == "cancelled", "\(state)")
            let acts = try await console.house.books.texts("SELECT act FROM audit WHERE user_id = 'ann' ORDER BY id")
            #expect(acts == ["ask-to-forget", "cancel-forgetting"])
        }
    }
}
