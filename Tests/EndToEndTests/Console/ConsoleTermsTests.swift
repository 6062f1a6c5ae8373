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

    @Test func `first terms that name no withholding have the one that is set, and later ones keep theirs`()
        async throws
    {
        try await ConsoleHouse.open(["LEDGERD_PROVIDER_WITHHOLDING": "business_income"]) { console in
            let browser = try await console.browser(as: "finance-1")
            for (provider, tax) in [("zoe", ""), ("yan", "none"), ("yan", "")] {
                try await browser.open("/console/providers")
                let share = tax == "" ? "70" : "60"
                let terms = [("provider", provider), ("share", share), ("role", "agent"), ("withholding", tax)]
                let set = try await browser.submit("/console/providers", [("product", "")] + terms)
                #expect(set.text.contains("The terms are set"), "\(set)")
            }
            let withheld = try await console.house.books.texts(
                "SELECT provider || ' ' || withholding FROM provider_terms ORDER BY id")
            #expect(withheld == ["zoe business_income", "yan none", "yan none"])
        }
    }

    @Test func `an account is proposed by one person and approved by another with its number, and stands nowhere else`()
        async throws
    {
        try await ConsoleHouse.open { console in
            let (finance, other) = (
                try await console.browser(as: "finance-1"), try await console.browser(as: "administrator-1")
            )
            try await finance.open("/console/providers")
            try await finance.submit(
                "/console/providers",
                [("provider", "zoe"), ("product", ""), ("share", "70"), ("role", "agent"), ("withholding", "")])
            let account = [("bank", "신한"), ("number", "110-12-3456"), ("holder", "홍길동")]
            let proposed = try await finance.submit("/console/providers/zoe/account", account)
            #expect(proposed.text.contains("The account is proposed") && proposed.text.contains("…3456"), "\(proposed)")
            #expect(!proposed.text.contains("110-12-3456") && !proposed.text.contains("/approve\""), "\(proposed)")
            #expect(try await other.open("/console").text.contains("Bank account: zoe"))
            #expect(try await other.open("/console/approvals").text.contains("/console/providers/zoe"))
            try await other.open("/console/providers/zoe")
            let wrong = try await other.submit("/console/providers/zoe/accounts/1/approve", [("number", "110123457")])
            #expect(wrong.status == 400 && !wrong.text.contains("…3456"), "\(wrong)")
            try await other.open("/console/providers/zoe")
            let approved = try await other.submit(
                "/console/providers/zoe/accounts/1/approve", [("number", "110123456")])
            #expect(approved.text.contains("The account is in force"), "\(approved)")
            let erased = try await other.submit("/console/providers/zoe/account/erase")
            #expect(erased.text.contains("Nothing is kept") && !erased.text.contains("…3456"), "\(erased)")
            let told = try await console.house.books.texts(
                "SELECT audit::text || coalesce(detail::text, '') FROM audit LEFT JOIN audit_outcome ON audit_id = id")
            for secret in ["110-12-3456", "110123456", "홍길동"] {
                #expect(told.allSatisfy { !$0.contains(secret) }, "\(told)")
            }
        }
    }
}
