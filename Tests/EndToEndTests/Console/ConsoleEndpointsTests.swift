import Foundation
import StandardWebhooks
import TestSupport
import Testing

/// Endpoints and events in the console: who receives what, and what people do about it.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleEndpointsTests {
    private static let evil = #"<script>alert(1)</script>"'&<img src=x onerror=alert(2)>"#

    private func secret(on answer: Answer) throws -> String {
        try #require(answer.text.firstMatch(of: #/whsec_[A-Za-z0-9+\/=]+/#).map { String($0.0) }, "\(answer)")
    }

    /// Adds an endpoint in the console, and returns its secret.
    private func add(
        _ url: String, _ browser: Browser, _ more: [(String, String)] = []
    ) async throws -> String {
        try await browser.open("/console/endpoints")
        let added = try await browser.submit(
            "/console/endpoints", [("url", url), ("reason", "a new game")] + more)
        #expect(added.status == 200 && added.text.contains("Copy the secret now"), "\(added)")
        return try secret(on: added)
    }

    @Test func `an administrator adds an endpoint, tests it, and sends its events again`() async throws {
        try await HookReceiver.with { receiver in
            try await ConsoleHouse.open(HookReceiver.settings) { console in
                let browser = try await console.browser(as: "administrator-1")
                let text = try await add(
                    receiver.url, browser, [("description", Self.evil), ("type:coins.granted", "yes")])
                let verifier = try WebhookVerifier(secrets: [text])
                try await console.service.give("ann")
                try await eventually("the event is delivered") { receiver.hooks.count == 1 }
                for hook in receiver.hooks { try hook.verify(with: verifier) }

                let path = "/console/endpoints/1"
                try await eventually("the attempt is shown") {
                    try await browser.open(path).text.contains(">delivered<")
                }
                receiver.reply { _ in .status(500, body: Self.evil) }
                let failed = try await Self.press("test", path, browser, reason: nil)
                #expect(failed.text.contains("The test: refused, HTTP 500") && !failed.text.contains("<script>alert"))
                try await console.service.give("bob")
                try await eventually("the failure is shown with the answer") {
                    let page = try await browser.open("\(path)?failed=yes").text
                    return page.contains(">refused<") && page.contains("&lt;script&gt;") && page.contains(">500<")
                }
                #expect(!browser.page.text.contains(">delivered<") && !browser.page.text.contains("<img"))
                try await eventually("the page tells what waits") {
                    try await browser.open(path).text.contains("Customers whose events wait</dt><dd>1<")
                }
                receiver.reply { _ in .ok }
                let tested = try await Self.press("test", path, browser, reason: nil)
                #expect(tested.text.contains("The test: delivered, HTTP 200"), "\(tested)")

                let seq = try #require(receiver.hooks.first?.seq)
                try await browser.open("\(path)?from=\(seq)&until=\(seq)")
                #expect(browser.page.text.contains("name=\"from\" value=\"\(seq)\""))
                let again = try await Self.press(
                    "replay", path, browser, [("from", "\(seq)"), ("until", "\(seq)")])
                #expect(again.text.contains("The events are being sent again"), "\(again)")
                try await eventually("the event comes again") { receiver.hooks.count { $0.seq == seq } == 2 }
                try await eventually("the replay has ended") {
                    try await browser.open(path).text.contains("\(seq) / \(seq)")
                }
            }
        }
    }

    @Test func `each act on an endpoint is recorded with who, why and what was before, and no secret is`() async throws
    {
        try await ConsoleHouse.open(HookReceiver.settings) { console in
            let browser = try await console.browser(as: "administrator-1")
            let first = try await add("https://hooks.example.com/a", browser)
            let path = "/console/endpoints/1"
            try await browser.open(path)
            let missing = try await Self.press("disable", path, browser, reason: nil)
            #expect(missing.status == 400 && missing.text.contains("Reason is required"), "\(missing)")
            try await browser.open(path)
            let disabled = try await Self.press("disable", path, browser)
            #expect(disabled.text.contains("The endpoint is disabled") && disabled.text.contains("by a person"))
            let enabled = try await Self.press("enable", path, browser)
            #expect(enabled.text.contains("The endpoint is enabled"), "\(enabled)")
            let changed = try await Self.press(
                "change", path, browser,
                [("url", "https://hooks.example.com/b"), ("users", "ann, bob"), ("description", Self.evil)])
            #expect(
                changed.text.contains("The endpoint is changed") && changed.text.contains("/b</code>"), "\(changed)")
            #expect(!changed.text.contains("<script>alert"))
            let refused = try await Self.press("change", path, browser, [("url", "https://10.0.0.1/")])
            #expect(refused.status == 422 && refused.text.contains("endpoint_url_refused"), "\(refused)")
            try await browser.open(path)
            let rotated = try await Self.press("rotate-secret", path, browser)
            let second = try secret(on: rotated)
            #expect(second != first && rotated.text.contains("The former secret is valid until"), "\(rotated)")
            #expect(rotated.headers["Cache-Control"] == "no-store")
            #expect(try await !browser.open(path).text.contains("whsec_"))
            let deleted = try await Self.press("delete", path, browser)
            #expect(deleted.text.contains("The endpoint is deleted"), "\(deleted)")
            #expect(try await browser.open(path).status == 404)

            let books = console.house.books
            let records = """
                SELECT concat_ws('|', subject, act, target, reason, seen->>'url', seen->>'status', audit_outcome.outcome)
                FROM audit JOIN audit_outcome ON audit_id = audit.id WHERE act LIKE '%endpoint%' ORDER BY audit.id
                """
            let (a, b) = ("https://hooks.example.com/a", "https://hooks.example.com/b")
            #expect(
                try await books.texts(records) == [
                    "administrator-1|add-endpoint|endpoint:new|a new game|\(a)|done",
                    "administrator-1|disable-endpoint|endpoint:1|on request|\(a)|enabled|done",
                    "administrator-1|enable-endpoint|endpoint:1|on request|\(a)|disabled|done",
                    "administrator-1|change-endpoint|endpoint:1|on request|\(a)|enabled|done",
                    "administrator-1|change-endpoint|endpoint:1|on request|\(b)|enabled|refused",
                    "administrator-1|rotate-endpoint-secret|endpoint:1|on request|\(b)|enabled|done",
                    "administrator-1|delete-endpoint|endpoint:1|on request|\(b)|enabled|done",
                ])
            let kept = try await books.texts("SELECT audit::text || audit_outcome::text FROM audit, audit_outcome")
            let log = console.service.log
            for secret in [first, second] {
                let bytes = secret.dropFirst("whsec_".count)
                #expect(!kept.contains { $0.contains(bytes) } && !log.contains(bytes))
            }
        }
    }

    @Test func `a form that is sent twice adds one endpoint, and shows the same secret`() async throws {
        try await ConsoleHouse.open(HookReceiver.settings) { console in
            let browser = try await console.browser(as: "administrator-1")
            try await browser.open("/console/endpoints")
            let form = browser.fields + [("url", "https://hooks.example.com/"), ("reason", "once")]
            let first = try await browser.post("/console/endpoints", form)
            let second = try await browser.post("/console/endpoints", form)
            #expect(try secret(on: first) == secret(on: second))
            let counts =
                "SELECT (SELECT count(*) FROM endpoint) * 10 + (SELECT count(*) FROM audit WHERE act LIKE 'add%')"
            #expect(try await console.house.books.count(counts) == 11)
        }
    }

    @Test func `everybody sees endpoints and events, and only administrators change them`() async throws {
        try await ConsoleHouse.open(HookReceiver.settings) { console in
            _ = try await console.service.addEndpoint("https://hooks.example.com/")
            for person in ["viewer-1", "support-1", "finance-1"] {
                let browser = try await console.browser(as: person)
                let list = try await browser.open("/console/endpoints")
                #expect(list.text.contains("https://hooks.example.com/") && !list.text.contains("name=\"url\""))
                let page = try await browser.open("/console/endpoints/1")
                #expect(page.status == 200 && !page.text.contains("/console/endpoints/1/"), "\(page)")
                #expect(try await browser.open("/console/events").status == 200)
                let token = try #require(browser.formToken)
                for act in ["test", "change", "enable", "disable", "replay", "rotate-secret", "delete"] {
                    let answer = try await browser.post(
                        "/console/endpoints/1/\(act)", [("token", token), ("reason", "mine")])
                    #expect(answer.status == 403, "\(person) \(act)")
                }
            }
            #expect(try await console.house.books.count("SELECT count(*) FROM endpoint WHERE version = 1") == 1)
        }
    }

    @Test func `without its key, the service shows endpoints and says that nothing is sent`() async throws {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "administrator-1")
            let page = try await browser.open("/console/endpoints")
            #expect(page.text.contains("No webhooks are sent") && !page.text.contains("name=\"url\""), "\(page)")
            let token = try #require(browser.formToken)
            let refused = try await browser.post("/console/endpoints", [("token", token), ("reason", "x")])
            #expect(refused.text.contains("endpoints_off"), "\(refused)")
        }
    }

    @Test func `events are listed newest first, by type and customer, and one is shown as receivers get it`()
        async throws
    {
        try await ConsoleHouse.open { console in
            let evil = "\"><svg onload=alert(3)>'"
            for number in 0..<60 { try await console.service.give("user-\(number % 3)") }
            let name = Browser.encoded(evil)
            let hold = try await console.service.post("/v1/users/user-0/holds", #"{"coins": 1}"#, key: "h")
            #expect(hold.status == 201)
            let granted = try await console.service.post(
                "/v1/users/\(name)/grants", #"{"coins": 1, "reason": "<b>bold</b>"}"#, key: "evil")
            #expect(granted.status == 201, "\(granted)")
            let books = console.house.books
            try await eventually("all have numbers") { try await books.unnumbered == 0 }
            let last = try await books.lastEvent

            let browser = try await console.browser(as: "viewer-1")
            let list = try await browser.open("/console/events")
            let numbers = Self.numbers(list.text)
            #expect(numbers == Array((last - 49...last).reversed()), "\(numbers)")
            #expect(!list.text.contains("<svg onload"))
            let next = try #require(list.text.firstMatch(of: #/href="(/console/events\?cursor=[^"]*)"/#)?.1)
            let rest = try await browser.open(String(next))
            #expect(Self.numbers(rest.text) == Array((1...last - 50).reversed()))

            let held = try await browser.open("/console/events?type=hold.placed")
            #expect(Self.numbers(held.text).count == 1 && held.text.contains("selected>hold.placed"))
            let own = try await browser.open("/console/events?user=user-1&type=coins.granted")
            #expect(Self.numbers(own.text).count == 20)
            #expect(try await Self.numbers(browser.open("/console/events?user=nobody").text) == [])
            #expect(try await browser.open("/console/events?user=%00").status == 400)

            let seq = try await books.count("SELECT max(seq) FROM event WHERE type = 'coins.granted'")
            let page = try await browser.open("/console/events/\(seq)").text
            #expect(page.contains("&quot;seq&quot; : \(seq)") && page.contains("&lt;b&gt;bold"), "\(page)")
            #expect(!page.contains("<svg onload") && !page.contains("<b>"))
            for path in ["/console/events/0", "/console/events/x", "/console/events/\(last + 1)"] {
                #expect(try await browser.open(path).status == 404, "\(path)")
            }
        }
    }

    /// Sends the form of an act on the open page.
    private static func press(
        _ act: String, _ path: String, _ browser: Browser, _ values: [(String, String)] = [],
        reason: String? = "on request"
    ) async throws -> Answer {
        try await browser.submit("\(path)/\(act)", values + (reason.map { [("reason", $0)] } ?? []))
    }

    private static func numbers(_ page: String) -> [Int64] {
        page.matches(of: #/<th scope="row"[^>]*><a class="pick" href="\/console\/events\/(\d+)"/#).compactMap {
            Int64($0.1)
        }
    }
}
