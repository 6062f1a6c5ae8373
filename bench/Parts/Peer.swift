import Foundation

/// A ledger that somebody fetched, with its accounts and its purchase of 100 coins for 1,000 won.
struct Peer: Sendable {
    let name: String
    /// Its own schema and functions: scripts of psql in the order in which they run.
    let schema: [String]
    /// A script of psql that makes the accounts; its variable `users` is their number.
    private let accounts: String
    /// A script of pgbench for one purchase; its variable `user` is the number of the buyer.
    private let purchase: String
    /// The numbers of clients that are measured.
    let clients: [Int]

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The peers in a directory, by name.
    ///
    /// - Throws: ``Unreadable`` if a folder lacks something, with what it must contain.
    static func all(in directory: URL) throws -> [Peer] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        let folders = names.filter { !$0.hasPrefix(".") }.sorted().map { directory.appending(path: $0) }.filter {
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: $0.path, isDirectory: &isDirectory) && isDirectory.boolValue
        }
        guard !folders.isEmpty else {
            throw Unreadable(description: "\(directory.path) of LEDGERD_BENCH_PEERS contains no folders")
        }
        return try folders.map { try Peer(folder: $0) }
    }

    private init(folder: URL) throws {
        name = folder.lastPathComponent
        switch name {
        case "pgledger":
            schema =
                try Self.scripts(in: folder.appending(path: "vendor/scoville-pgsql-ulid")) + [
                    Self.text(of: folder.appending(path: "pgledger.sql"))
                ]
            (accounts, purchase) = (Self.pgledgerAccounts, Self.pgledgerPurchase)
            clients = [1, 16]
        case "formance":
            let file = "internal/storage/bucket/migrations/0-init-schema/up.sql"
            let text = try Self.text(of: folder.appending(path: file))
            schema = ["CREATE SCHEMA formance;\n" + text.replacing("{{.Bucket}}", with: "formance")]
            (accounts, purchase) = (Self.formanceAccounts, Self.formancePurchase)
            // Its service writes a ledger's log one after the other; without it, nothing in the database does.
            clients = [1]
        default:
            schema = try Self.scripts(in: folder.appending(path: "schema"))
            accounts = try Self.text(of: folder.appending(path: "accounts.sql"))
            purchase = try Self.text(of: folder.appending(path: "purchase.sql"))
            clients = [1, 16]
        }
    }

    private static func scripts(in folder: URL) throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let scripts = names.filter { $0.hasSuffix(".sql") }.sorted()
        guard !scripts.isEmpty else { throw Unreadable(description: "\(folder.path) contains no *.sql") }
        return try scripts.map { try text(of: folder.appending(path: $0)) }
    }

    private static func text(of file: URL) throws -> String {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw Unreadable(description: "\(file.path) is missing or is not text")
        }
        return text
    }

    /// A script of psql that makes the accounts.
    func setUp(users: Int) -> String { "\\set users \(users)\n\(accounts)\nANALYZE;\nCHECKPOINT;\n" }

    /// A script of pgbench for a purchase of a random user.
    func purchase(users: Int) -> String { "\\set user random(1, \(users))\n\(purchase)\n" }

    // MARK: - pgledger

    /// As its README does it: accounts have ids of its own, and applications keep them.
    private static let pgledgerAccounts = """
        CREATE TABLE bench_account (number bigint PRIMARY KEY, id text NOT NULL);
        INSERT INTO bench_account
        SELECT n, (SELECT id FROM pgledger_create_account('system ' || n, CASE n WHEN -1 THEN 'COIN' ELSE 'KRW' END))
        FROM generate_series(-3, -1) AS n;
        INSERT INTO bench_account
        SELECT n, (SELECT id FROM pgledger_create_account('user ' || n, 'COIN'))
        FROM generate_series(1, :users) AS n;
        """

    /// The four postings: two transfers in one call.
    private static let pgledgerPurchase = """
        SELECT count(*) FROM pgledger_create_transfers(
            ((SELECT id FROM bench_account WHERE number = -1), (SELECT id FROM bench_account WHERE number = :user),
                100)::transfer_request,
            ((SELECT id FROM bench_account WHERE number = -2), (SELECT id FROM bench_account WHERE number = -3),
                1000)::transfer_request);
        """

    // MARK: - Formance

    /// Its service numbers the log; an account begins with its first posting.
    private static let formanceAccounts = "CREATE SEQUENCE formance.bench_log;"

    /// The row of the log that its service writes; the trigger on the log does all else.
    ///
    /// pgbench takes a colon before letters for a variable, also in a literal.
    private static let formancePurchase = """
        INSERT INTO formance.logs (ledger, id, type, hash, date, data)
        SELECT 'bench', number, 'NEW_TRANSACTION', sha256(convert_to(number::text, 'UTF8')), moment, jsonb_build_object(
            'accountMetadata', '{}'::jsonb,
            'transaction', jsonb_build_object('id', number, 'timestamp', moment, 'metadata', '{}'::jsonb,
                'postings', jsonb_build_array(
                    jsonb_build_object('source', 'coins', 'destination', 'users' || chr(58) || :user,
                        'asset', 'COIN', 'amount', 100),
                    jsonb_build_object('source', 'world', 'destination', 'deferred', 'asset', 'KRW', 'amount', 1000))))
        FROM (SELECT nextval('formance.bench_log') AS number, now() AT TIME ZONE 'UTC' AS moment) AS next;
        """
}
