import LedgerTestSupport
import TestSupport

/// The console's pages in books with many users, read by one person.
struct ConsolePart: MeasuredPart {
    static let name = "console"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        let port = TestPort.next()
        var scale = scale
        scale.settings.merge(Self.settings(port: port)) { $1 }
        let users = scale.consoleUsers
        try await ServiceUnderLoad.with(scale, users: users, purchases: 2 * users) { service in
            let session = try await Self.signIn(service.books)
            for page in Page.allCases {
                let requests = (0..<1000).map { page.request(of: $0 * 7919 % users, session) }
                let start = ContinuousClock.now
                let first = try HTTPConnection(port: port).ask(requests[0])
                let took = (ContinuousClock.now - start) / .milliseconds(1)
                let result = try await Clients(port: port, count: 1).run(scale, against: service.ledgerd.process.pid) {
                    requests[($1 + 1) % requests.count]
                }
                report.record(
                    Figures.console(page), result.latency(99), .milliseconds, problems: result.problems,
                    note: "the first \(took.text) ms, p50 \(result.latency(50).text) ms, "
                        + "\(first.body.utf8.count / 1024) KiB")
            }
        }
    }

    /// The pages with the data that grows.
    enum Page: String, CaseIterable, Sendable {
        case home, search, customer, findings, refunds, receipts, approvals, finance, accounts, reconciliations
        case settlements, live, products, endpoints, events, audit
        case financeOfYear = "finance of a year"

        /// A request for the page; for each customer another one, if it is a customer's.
        func request(of user: Int, _ session: String) -> HTTPRequest {
            switch self {
            case .home: HTTPRequest("GET", "/console", cookie: session)
            // The only match is shown at once, by a redirect.
            case .search: HTTPRequest("GET", "/console/search?q=filled_\(user)", cookie: session, expecting: 303)
            case .customer: HTTPRequest("GET", "/console/customers/user-\(user)", cookie: session)
            case .accounts: HTTPRequest("GET", "/console/accounts?account=gateway:receivable/0", cookie: session)
            case .financeOfYear: HTTPRequest("GET", "/console/finance?days=365", cookie: session)
            default: HTTPRequest("GET", "/console/\(rawValue)", cookie: session)
            }
        }
    }

    private static func settings(port: Int) -> [String: String] {
        let address = "http://127.0.0.1:\(port)"
        return [
            "LEDGERD_ADMIN_LISTEN": "127.0.0.1:\(port)", "LEDGERD_CONSOLE_URL": address,
            // Nobody signs in there: the session is made below.
            "LEDGERD_CONSOLE_ISSUER": address, "LEDGERD_CONSOLE_CLIENT_ID": "bench",
        ]
    }

    /// Begins a session of an administrator.
    ///
    /// - Returns: its cookie.
    private static func signIn(_ books: TestLedger) async throws -> String {
        let token = String(repeating: "b", count: 43)
        try await books.execute(
            """
            INSERT INTO console_session (token_sha256, subject, name, role, ends_at)
            VALUES (sha256('\(token)'), 'bench', 'Bench', 'administrator', now() + interval '3 h')
            """)
        return "__Host-ledgerd_console=\(token)"
    }
}
