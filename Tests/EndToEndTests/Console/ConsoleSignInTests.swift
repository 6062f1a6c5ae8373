import EndToEndSupport
import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// People sign in to the console through a provider, and what nobody is signed in for is not shown.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleSignInTests {
    @Test func `a person signs in, is known by name and role, and gets the page that was requested`() async throws {
        try await ConsoleHouse.open { console in
            let browser = Browser(at: console)
            let refused = try await browser.open("/console?q=ann")
            #expect(refused.text.contains("Sign in"), "\(refused)")
            #expect(browser.path.hasPrefix("/console/sign-in?to="))
            try await browser.open("/")
            #expect(browser.path.hasPrefix("/console/sign-in"), "the bare address leads to the console")
            let page = try await browser.signIn(as: "support-1", to: "/console?q=nobody")
            #expect(page.status == 200 && page.text.contains("Suho Park, support"), "\(page)")
            #expect(browser.path == "/console/search?q=nobody")
            #expect(browser.cookies.keys.contains("__Host-ledgerd_console"))
            // The database knows the token by its hash alone.
            let token = try #require(browser.cookies["__Host-ledgerd_console"])
            #expect(token.utf8.count == 43)
            let stored = try await console.house.books.texts(
                "SELECT encode(token_sha256, 'hex') || subject || name || role FROM console_session")
            #expect(stored.count == 1 && !stored[0].contains(token))
            #expect(try await console.house.books.texts("SELECT act FROM audit") == ["sign-in"])
        }
    }

    @Test func `cookies and headers of pages let browsers do nothing but show them`() async throws {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "viewer-1")
            let page = try await browser.open("/console")
            #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'self'") == true)
            #expect(page.headers["Referrer-Policy"] == "same-origin" && page.headers["Cache-Control"] == "no-store")
            #expect(page.headers["X-Content-Type-Options"] == "nosniff" && page.headers["X-Frame-Options"] == "DENY")
            let start = Answer(
                try await console.service.transport.send(
                    HTTPRequest(.get, HTTPURL(console.origin + "/console/sign-in/start"))))
            let cookie = try #require(start.headers["Set-Cookie"])
            #expect(cookie.hasPrefix("__Host-ledgerd_sign_in="))
            #expect(cookie.contains("; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600"))
            let style = try await browser.open("/console/console.css")
            let tag = try #require(style.headers["ETag"])
            #expect(style.headers["Content-Type"] == "text/css; charset=utf-8")
            #expect(try await browser.open("/console/console.css", headers: [("If-None-Match", tag)]).status == 304)
        }
    }

    @Test func `the log has the subject of who is signed in, no name, and no line of a style sheet that is unchanged`()
        async throws
    {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "viewer-1")
            let style = try await browser.open("/console/console.css")
            let tag = try #require(style.headers["ETag"])
            let unchanged = try await browser.open("/console/console.css", headers: [("If-None-Match", tag)])
            let page = try await browser.open("/console")
            func line(_ answer: Answer) throws -> String? {
                console.service.logLine(of: try #require(answer.headers["X-Request-Id"]))
            }
            try await eventually("the page is logged") { try line(page) != nil }
            #expect(try line(page)?.contains(" person=viewer-1 principal=person ") == true)
            #expect(try line(style)?.contains("person") == false)
            #expect(try line(unchanged) == nil)
            #expect(!console.service.log.contains("Vera"))
        }
    }

    @Test func `a session ends by signing out, here or everywhere, without use, and after its time`() async throws {
        try await ConsoleHouse.open { console in
            let books = console.house.books
            let browser = try await console.browser(as: "finance-1")
            try await browser.submit("/console/sign-out")
            #expect(browser.page.text.contains("You are signed out"))
            #expect(try await browser.open("/console").text.contains("sign-in/start"))

            let (one, other) = (
                try await console.browser(as: "finance-1"), try await console.browser(as: "finance-1")
            )
            let stranger = try await console.browser(as: "support-1")
            try await one.open("/console")
            try await one.post(
                "/console/sign-out-everywhere", [("token", try #require(one.formToken))])
            #expect(try await other.open("/console").text.contains("sign-in/start"))
            #expect(try await stranger.open("/console").text.contains("Suho Park"))

            try await books.execute("UPDATE console_session SET seen_at = now() - interval '29 minutes'")
            #expect(try await stranger.open("/console").text.contains("Suho Park"))
            try await books.execute("UPDATE console_session SET seen_at = now() - interval '31 minutes'")
            #expect(try await stranger.open("/console").text.contains("sign-in/start"))
            try await books.execute("UPDATE console_session SET seen_at = now(), ends_at = now()")
            #expect(try await stranger.open("/console").text.contains("sign-in/start"))
        }
    }

    @Test func `a redirect that this browser did not ask for signs nobody in`() async throws {
        try await ConsoleHouse.open { console in
            let browser = Browser(at: console)
            for path in [
                "/console/callback", "/console/callback?code=x", "/console/callback?code=x&state=y",
                "/console/callback?error=access_denied",
            ] {
                #expect(try await browser.open(path).status == 400, "\(path)")
            }
            // The page of the provider, opened in one browser, is finished in another one.
            try await browser.open("/console/sign-in/start")
            let victim = Browser(at: console)
            try await victim.open("/console/sign-in/start")
            let state = try #require(browser.page.text.firstMatch(of: #/name="state" value="([^"]*)"/#)?.1)
            #expect(try await victim.open("/console/callback?code=x&state=\(state)").status == 400)
            #expect(try await console.house.books.count("SELECT count(*) FROM console_session") == 0)
        }
    }

    @Test func `a person who cancels, or has no role, gets a page that says so`() async throws {
        try await ConsoleHouse.open { console in
            let browser = Browser(at: console)
            let cancelled = try await browser.signIn(as: "")
            #expect(cancelled.status == 403 && cancelled.text.contains("cancelled or refused"))
            let guest = try await browser.signIn(as: "guest-1")
            #expect(guest.status == 403)
            #expect(browser.page.text.contains("no role in this console"))
            #expect(try await console.house.books.count("SELECT count(*) FROM console_session") == 0)
        }
    }

    @Test func `a provider that can't be reached is reported, and the API goes on`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_ISSUER": "http://127.0.0.1:9/oidc"]) { console in
            let browser = Browser(at: console)
            let page = try await browser.open("/console/sign-in/start")
            #expect(page.status == 502 && page.text.contains("can&#39;t be used now"), "\(page)")
            #expect(try await console.service.get("/v1/products").status == 200)
        }
    }

    @Test func `a form of another site, or of another session, does nothing`() async throws {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "support-1")
            let other = try await console.browser(as: "support-1")
            let tokens = (own: try #require(browser.formToken), other: try #require(other.formToken))
            #expect(tokens.own != tokens.other)
            let refusals: [(token: String, origin: String?)] = [
                (tokens.own, "https://evil.example"), (tokens.own, "null"), (tokens.own, nil),
                (tokens.other, console.origin), ("", console.origin),
            ]
            for refusal in refusals {
                let answer = try await browser.post(
                    "/console/sign-out", [("token", refusal.token)], origin: .some(refusal.origin))
                #expect(answer.status == 403, "\(refusal)")
            }
            #expect(try await browser.open("/console").text.contains("Suho Park"))
        }
    }

    @Test func `pages are in the browser's language until another one is chosen`() async throws {
        try await ConsoleHouse.open { console in
            let browser = Browser(at: console)
            let korean = try await browser.open("/console/sign-in", headers: [("Accept-Language", "ko-KR,en;q=0.5")])
            #expect(korean.text.contains("<html lang=\"ko\">") && korean.text.contains("로그인"))
            let link = try #require(korean.text.firstMatch(of: #/href="(/console/language/en[^"]*)"/#)?.1)
            let english = try await browser.open(String(link), headers: [("Accept-Language", "ko-KR")])
            #expect(english.text.contains("<html lang=\"en\">"))
            #expect(browser.path == "/console/sign-in")
        }
    }

    @Test func `without an issuer there is no console, and with one it needs its other settings`() async throws {
        try await House.with { house in
            let service = try await house.serve(at: nil, ["LEDGERD_ADMIN_LISTEN": "127.0.0.1:0"])
            #expect(try await #require(service.admin).get("/console").status == 404)
            let incomplete = house.settings().merging(["LEDGERD_CONSOLE_ISSUER": "https://id.example.com"]) { $1 }
            let ended = try await house.run("serve", with: incomplete)
            #expect(ended.exit == .code(1) && ended.errors.contains("console_client_id is not set"), "\(ended)")
        }
    }
}
