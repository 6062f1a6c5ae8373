import EndToEndSupport
import Hummingbird
import PGVerifier
import TestSupport
import Testing

@testable import Console
@testable import Ledger
@testable import LedgerServer

/// Each page and act of the console, as each role and as nobody: only those who may are let in.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConsoleRightsTests {
    @Test func `each page and act is open to the roles that may use it, and to nobody else`() async throws {
        try await ConsoleHouse.open { console in
            let entries = try await Self.entries(console)
            #expect(entries.count > 15)
            // Whoever adds an act declares it; the preview of a settlement file changes nothing.
            #expect(
                Set(entries.filter { $0.method == .post }.map(\.path))
                    == Set(ConsoleAct.all.flatMap(\.paths) + ["settlements/preview"]))
            let roles = Person.Role.allCases.map { role in
                "\(role.rawValue): " + role.rights.map { "\($0)" }.sorted().joined(separator: ", ")
            }
            try Golden.expect(
                roles
                    + entries.map { "\($0.path) \($0.method.rawValue): \($0.right.map { "\($0)" } ?? "everybody")" }
                    .sorted(),
                in: "console.txt")
            for role in Person.Role.allCases {
                let browser = try await console.browser(as: "\(role.rawValue)-1")
                // The form token is that of the session, so that the right alone decides.
                let token = try #require(browser.formToken)
                for entry in entries where !entry.path.hasPrefix("sign-out") {
                    let answer = try await Self.ask(entry, browser, token)
                    let may = entry.right.map { role.rights.contains($0) } ?? true
                    #expect(
                        (answer.status == 403) == !may && answer.status != 500,
                        "\(entry.method) /console/\(entry.path) as \(role): \(answer.status)")
                }
            }
            let nobody = Browser(at: console)
            for entry in entries {
                let answer = try await Self.ask(entry, nobody, "")
                #expect(answer.text.contains("/console/sign-in/start"), "\(entry.method) \(entry.path): \(answer)")
            }
            let nothing = """
                SELECT (SELECT count(*) FROM journal_entry) + (SELECT count(*) FROM approval)
                    + (SELECT count(*) FROM customer_note)
                """
            #expect(try await console.house.books.count(nothing) == 0)
        }
    }

    @Test func `paths that the console does not have are not found, for whoever asks`() async throws {
        try await ConsoleHouse.open { console in
            let browser = try await console.browser(as: "administrator-1")
            for path in [
                "/console/nothing", "/console/customers", "/console/customers/ann/refund/x", "/console/approvals/0",
                "/console/customers/ann/refund/7", "/console/customers/ann/void/7",
                "/console/customers/ann/reverse/7",
            ] {
                let answer = try await browser.open(path)
                #expect(answer.status == 404 && answer.text.contains("<h1>Not found</h1>"), "\(path): \(answer)")
            }
            for path in ["/console/customers/%00", "/console/customers/a%FF", "/console/audit?cursor=x"] {
                #expect(try await browser.open(path).status == 400, "\(path)")
            }
            #expect(try await console.service.get("/console").status == 404)
        }
    }

    private static func ask(
        _ entry: ConsoleRoutes.Entry, _ browser: Browser, _ token: String
    ) async throws -> EndToEndSupport.Answer {
        let path =
            "/console/"
            + entry.path.replacing("{user}", with: "ann").replacing("{id}", with: "7")
            .replacing("{report}", with: "nothing").replacing("{provider}", with: "zoe")
            .replacing("{line}", with: "2")
        if entry.method == .get { return try await browser.open(path) }
        return try await browser.post(path, [("token", token)])
    }

    /// The console's routes, as a service with the same settings has them.
    private static func entries(_ console: ConsoleHouse) async throws -> [ConsoleRoutes.Entry] {
        let settings = console.house.settings().merging([
            "LEDGERD_ADMIN_LISTEN": "127.0.0.1:0", "LEDGERD_CONSOLE_ISSUER": "http://127.0.0.1:9",
            "LEDGERD_CONSOLE_CLIENT_ID": "x", "LEDGERD_CONSOLE_URL": "http://127.0.0.1:9",
        ]) { $1 }
        let pages = try #require(try await App.unserved(settings).console as? Console)
        return pages.addRoutes(to: Router(context: LedgerdRequestContext.self))
    }
}
