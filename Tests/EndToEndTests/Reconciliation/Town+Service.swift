import Ledger
import Postgres
import TestSupport

extension Town {
    func serve(_ changes: [String: String] = [:]) async throws -> Service {
        try await house.serve(settings.merging(changes) { $1 })
    }

    /// Has a run store pages of so many payments, and wait with the next.
    func holdPages(after count: Int) async throws {
        try await house.ledger.execute(
            """
            CREATE FUNCTION hold_pages() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF (SELECT count(*) FROM reconciliation_item) >= \(count) THEN PERFORM pg_sleep(3600); END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER hold_pages BEFORE INSERT ON reconciliation_item
                FOR EACH STATEMENT EXECUTE FUNCTION hold_pages()
            """)
    }

    static let waiting = """
        FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'
        """

    func waitUntilAPageWaits() async throws {
        let connection = try await house.ledger.database.connect()
        let waiting = PostgresQuery<Int64>.one("SELECT count(*) \(Self.waiting)") { row in try row[0] }
        try await eventually("a page waits") { try await connection.run(waiting) == 1 }
        await connection.close()
    }

    /// Has runs store all pages again, after the process that waited was killed; the page that waited is lost with it.
    func letPages() async throws {
        try await house.ledger.execute("SELECT pg_terminate_backend(pid, 60000) \(Self.waiting)")
        try await house.ledger.execute("DROP FUNCTION hold_pages CASCADE")
    }

    /// The pages of V1's payments that were asked for, in order; 0 for another list's.
    func pagesAsked() async throws -> [Int] {
        try await gateway.listings().map { request in
            guard request["path"].text?.hasSuffix("/all") ?? false else { return 0 }
            return (request["query"].text ?? "").firstMatch(of: /page=(\d+)/).flatMap { Int($0.1) } ?? -1
        }
    }
}
