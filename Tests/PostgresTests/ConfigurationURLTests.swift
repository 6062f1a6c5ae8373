import Postgres
import Testing

/// A URL made for another role of the same server.
@Suite(.timeLimit(.minutes(20))) struct ConfigurationURLTests {
    @Test(arguments: [
        ("postgresql://postgres:hush@db:5433/postgres", "postgresql://ann:p%40ss@db:5433/shop"),
        (
            "postgresql:///postgres?host=/run/postgresql&user=postgres",
            "postgresql://ann:p%40ss@/shop?host=%2Frun%2Fpostgresql"
        ),
        (
            "postgresql://postgres@a:1,b:2/postgres?sslmode=verify-full&sslcert=admin.pem&sslrootcert=ca.pem",
            "postgresql://ann:p%40ss@a:1,b:2/shop?sslmode=verify-full&sslrootcert=ca.pem"
        ),
        ("host=::1 dbname=postgres user=postgres", "postgresql://ann:p%40ss@[::1]/shop"),
    ])
    func `it says how the server is reached, and nothing of who asked`(given: String, made: String) throws {
        let configuration = try PostgresConfiguration(url: given)
        let url = configuration.url(user: "ann", password: "p@ss", database: "shop")
        #expect(url == made)
        #expect(try !"\(PostgresConfiguration(url: url))".contains("postgres "), "it can be read")
    }

    @Test func `another host replaces the address, and no user keeps who asked`() throws {
        let configuration = try PostgresConfiguration(url: "postgresql://postgres:hush@/postgres?host=/run&port=5433")
        #expect(
            configuration.url(user: "ann", password: "p", database: "shop", host: "db.internal:5434")
                == "postgresql://ann:p@db.internal:5434/shop")
        #expect(configuration.url(database: "shop") == "postgresql://postgres:hush@/shop?host=%2Frun&port=5433")
    }
}
