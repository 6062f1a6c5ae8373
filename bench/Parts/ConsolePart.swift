import LedgerTestSupport
import TestSupport

/// The console's pages in books with many users and payments that are not settled, read by one person.
struct ConsolePart: MeasuredPart {
    static let name = "console"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        let port = TestPort.next()
        var scale = scale
        scale.settings.merge(Self.settings(port: port)) { $1 }
        let users = scale.consoleUsers
        try await ServiceUnderLoad.with(scale, users: users, purchases: 2 * users) { service in
            let filled = try await ConsoleFill.run(in: service.books, users: users)
            let session = try await Self.signIn(service.books)
            try await Self.waitForSums(service.books, port: port, session)
            for page in Page.allCases {
                let requests = (0..<1000).map { page.request(of: $0 * 7919 % users, in: filled, session) }
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

    /// Waits until the sums of days have all entries that were filled in: a page of the books adds some of what is missing.
    private static func waitForSums(_ books: TestLedger, port: Int, _ session: String) async throws {
        let missing = """
            SELECT count(*) FROM (
                SELECT transaction_id, id FROM journal_entry ORDER BY transaction_id DESC, id DESC LIMIT 1
            ) AS last
            WHERE NOT EXISTS (
                SELECT FROM account_day_progress AS done
                WHERE (done.transaction_id, done.entry_id) >= (last.transaction_id, last.id))
            """
        let deadline = ContinuousClock.now + .seconds(1800)
        while try await books.number(missing) > 0 {
            guard .now < deadline else {
                throw Program.Failed(description: "the sums of days do not follow the journal")
            }
            _ = try HTTPConnection(port: port).ask(HTTPRequest("GET", "/console/ledger", cookie: session))
        }
    }
}

extension ConsolePart {
    /// The pages of each group, and those of what the fill has.
    enum Page: String, CaseIterable, Sendable {
        case home, live
        case search, customer, grant, refund, receipts, refunds, disputes
        case takeBack = "take back"
        case searchForAmount = "search for an amount"
        case searchForBeginning = "search for the beginning of a user"
        case findings, finding, approvals
        case finance, reports, ledger, accounts, entry, reconciliations, settlements, transfers, providers, payouts
        case adjustments, revaluations, closing, audit
        case financeOfYear = "finance of a year"
        case ledgerOfQuarter = "ledger of a quarter"
        case settlementFile = "a settlement file"
        case settlementLine = "a settlement line"
        case products, endpoints, events, event, about

        /// Its path below `/console`, as the console's routes have it.
        var pattern: String {
            switch self {
            case .home: ""
            case .search, .searchForAmount, .searchForBeginning: "search"
            case .customer: "customers/{user}"
            case .grant: "customers/{user}/grant"
            case .refund: "customers/{user}/refund/{id}"
            case .takeBack: "customers/{user}/take-back/{id}"
            case .finding: "findings/{id}"
            case .entry: "entries/{id}"
            case .financeOfYear: "finance"
            case .ledgerOfQuarter: "ledger"
            case .settlementFile: "settlements/{id}"
            case .settlementLine: "settlements/{id}/lines/{line}/dismiss"
            case .event: "events/{id}"
            default: rawValue
            }
        }

        /// The pages that are not measured: files, and what the fill does not have.
        static let unmeasured: Set<String> = [
            // Files, and what computes one: as long as the file.
            "audit/export", "closing/seals/{id}", "customers/{user}/export", "payouts/{id}/file",
            "reports/{report}/checksum", "reports/{report}/file",
            // What would be booked for a month is worked out from all its purchases.
            "adjustments/preview",
            // One of what a list above has, found by its id.
            "adjustments/{id}", "approvals/{id}", "endpoints/{id}", "payouts/{id}", "providers/{provider}",
            "reconciliations/{id}", "reconciliations/{id}/items/{line}",
            // The books of the bench have no campaigns.
            "campaigns", "campaigns/{id}",
        ]

        /// A request for the page; for each customer another one, if it is a customer's.
        func request(of user: Int, in filled: ConsoleFill, _ session: String) -> HTTPRequest {
            let path = pattern.replacing("{user}", with: "user-\(user)").replacing("{id}", with: "\(id(user, filled))")
                .replacing("{line}", with: "1")
            // The only match is shown at once, by a redirect.
            return HTTPRequest(
                "GET", path.isEmpty ? "/console" : "/console/" + path + query(user), cookie: session,
                expecting: self == .search ? 303 : 200)
        }

        private func id(_ user: Int, _ filled: ConsoleFill) -> Int64 {
            switch self {
            case .refund, .takeBack: filled.purchase(user)
            case .entry: filled.purchase(user) - 1
            case .finding: filled.firstFinding
            case .settlementFile, .settlementLine: filled.firstFile
            default: 1
            }
        }

        private func query(_ user: Int) -> String {
            switch self {
            case .search: "?q=filled_\(user)"
            // Of nobody, so that all payments of the last three days are looked through.
            case .searchForAmount: "?q=1%2C234%EC%9B%90"
            case .searchForBeginning: "?q=user-1*"
            case .accounts: "?account=gateway:receivable"
            case .financeOfYear: "?days=365"
            case .ledgerOfQuarter: "?period=2026-Q1"
            default: ""
            }
        }
    }
}
