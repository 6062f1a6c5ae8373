import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct PostgresErrorTests {
    private static let schema = """
        CREATE TEMP TABLE parent (id bigint CONSTRAINT parent_pkey PRIMARY KEY);
        CREATE TEMP TABLE wallet (
            id bigint CONSTRAINT wallet_pkey PRIMARY KEY,
            parent bigint CONSTRAINT wallet_has_parent REFERENCES parent,
            balance bigint NOT NULL CONSTRAINT balance_never_negative CHECK (balance >= 0));
        INSERT INTO parent VALUES (1);
        INSERT INTO wallet VALUES (1, 1, 5);
        """

    private func refusal(of sql: String, _ parameters: PostgresParameters = []) async throws -> PostgresError? {
        let connection = try await connect()
        try await connection.execute(Self.schema)
        let error = await postgresError { _ = try await connection.run(.affected(sql, parameters)) }
        #expect(try await connection.run(.fortyTwo) == 42)
        return error
    }

    @Test func `a second row with the same key names the constraint`() async throws {
        let sql = "INSERT INTO wallet VALUES ($1, 1, 0)"
        let error = try #require(try await refusal(of: sql, [Int64(1)]))
        #expect(error.code == .server)
        #expect(!error.isOutcomeUnknown)
        #expect(error.sqlState == .uniqueViolation)
        #expect(error.sqlState?.classCode == "23")
        #expect(error.constraint == "wallet_pkey")
        #expect(error.table == "wallet")
        #expect(error.detail == "Key (id)=(1) already exists.")
        #expect(error.statement == sql)
        #expect(error.message.contains("wallet_pkey"))
    }

    @Test func `a broken CHECK names the constraint`() async throws {
        let error = try await refusal(of: "UPDATE wallet SET balance = balance - 6")
        #expect(error?.sqlState == .checkViolation)
        #expect(error?.constraint == "balance_never_negative")
    }

    @Test func `a broken foreign key names the constraint`() async throws {
        let error = try await refusal(of: "INSERT INTO wallet VALUES (2, 99, 0)")
        #expect(error?.sqlState == .foreignKeyViolation)
        #expect(error?.constraint == "wallet_has_parent")
    }

    @Test func `a missing value names the column`() async throws {
        let error = try await refusal(of: "INSERT INTO wallet VALUES (2, 1, NULL)")
        #expect(error?.sqlState == .notNullViolation)
        #expect(error?.column == "balance")
    }

    @Test func `a statement that does not parse, or names no table, is refused with its hint`() async throws {
        #expect(try await refusal(of: "SELEC 1")?.sqlState == .syntaxError)
        #expect(try await refusal(of: "SELECT * FROM nowhere")?.sqlState == .undefinedTable)
        let error = try await refusal(of: "SELECT wallet.balanc FROM wallet")
        #expect(error?.sqlState == .undefinedColumn)
        #expect(error?.hint?.contains("balance") == true)
    }

    @Test func `a log line holds no values, a developer's view does`() async throws {
        let error = try #require(
            try await refusal(of: "INSERT INTO wallet SELECT id, parent, $1::text::bigint FROM wallet", ["secret"]))
        #expect(error.sqlState == .invalidTextRepresentation)
        #expect(error.description == "postgres server, invalid_text_representation")
        #expect(String(describing: error) == error.description)
        #expect("\(error)" == error.description)
        #expect(error.debugDescription.contains("secret"))
        #expect(error.debugDescription.contains("INSERT INTO wallet"))
        let unique = try #require(try await refusal(of: "INSERT INTO wallet VALUES ($1, 1, 0)", [Int64(1)]))
        #expect(unique.description == "postgres server, unique_violation, constraint wallet_pkey, table wallet")
        #expect(unique.debugDescription.contains("Key (id)=(1)") && unique.debugDescription.contains("23505"))
    }

    @Test func `a condition that is not listed has the name of its class`() {
        #expect(SQLState(rawValue: "23505").name == "unique_violation")
        #expect(SQLState(rawValue: "23001").name == "integrity_constraint_violation")
        #expect(SQLState(rawValue: "QQ999").name == "unknown_condition")
    }

    @Test func `a session that the server ends leaves the outcome unknown`() async throws {
        let connection = try await connect()
        let error = await postgresError {
            _ = try await connection.run(.affected("SELECT pg_terminate_backend(pg_backend_pid())"))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.isOutcomeUnknown == true)
        #expect(error?.sqlState == .adminShutdown)
        #expect(!connection.isUsable)
        #expect(await postgresError { _ = try await connection.run(.fortyTwo) }?.code == .closed)
    }

    @Test(arguments: [
        "postgresql://user:hunter2@host:port/db", "postgresql://user:hunter2@ho st/%zz",
        "host=h password='hunter2", "postgresql://u:hunter2@h/db?nonsense=1", "postgres://u:hunter2@h/d?service=x",
        "nonsense=hunter2", "", " ",
    ])
    func `a URL that is not valid is refused without repeating the password`(url: String) async throws {
        let error = await postgresError {
            let configuration = try PostgresConfiguration(url: url)
            // Ports are looked at only when connecting.
            _ = try await PostgresConnection.connect(configuration)
        }
        #expect(error?.code == .configuration || error?.code == .connectionFailed)
        #expect(error?.debugDescription.contains("hunter2") == false)
    }

    @Test func `a configuration shows no password`() throws {
        let configuration = try PostgresConfiguration(url: "postgresql://user:hunter2@a,b:1/db?sslmode=require")
        #expect("\(configuration)" == "PostgresConfiguration(host=a,b port=,1 dbname=db user=user)")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!String(reflecting: configuration).contains("hunter2"))
    }
}
