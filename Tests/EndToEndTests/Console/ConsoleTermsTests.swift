import TestSupport
import Testing

/// Finance sets the terms of providers in the console.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleTermsTests {
    @Test func `terms are set, changed and kept, and a share that is none is refused`() async throws {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "finance-1")
            try await browser.open("/console/providers")
            let first = [
                ("provider", "zoe"), ("product", ""), ("share", "66.67"), ("role", "agent"), ("withholding", ""),
            ]
            let set = try await browser.submit("/console/providers", first)
            #expect(set.text.contains("The terms are set") && set.text.contains("66.67 %"), "\(set)")
            let changed = try await browser.submit(
                "/console/providers", [("share", "70"), ("role", "principal"), ("withholding", "business_income")])
            #expect(changed.text.contains("70 %") && changed.text.contains("3.3 %") && changed.text.contains("66.67 %"))
            for share in ["100.01", "-1", "1.234", "1e2", ".", "70%", ""] {
                try await browser.open("/console/providers/zoe")
                let refused = try await browser.submit("/console/providers", [("share", share), ("role", "agent")])
                #expect(refused.status == 400, "\(share): \(refused)")
            }
            let versions = try await console.house.books.texts(
                "SELECT share::text FROM provider_terms WHERE provider = 'zoe' ORDER BY id")
            #expect(versions == ["6667", "7000"])
        }
    }
}
