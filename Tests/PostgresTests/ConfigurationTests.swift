import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(20))) struct ConfigurationTests {
    @Test(arguments: [
        ("postgresql://db.example/ledgerd", ["db.example"]),
        ("postgresql://user:secret@10.0.0.7:5432/ledgerd?sslmode=require", ["10.0.0.7"]),
        ("postgresql://a.example:5432,b.example:5433/ledgerd?sslmode=verify-ca", ["a.example", "b.example"]),
        ("postgresql://127.0.0.1,b.example/ledgerd", ["b.example"]),
        ("postgresql:///ledgerd?host=db.example", ["db.example"]),
        // The address says where it goes, whatever the name is.
        ("postgresql:///ledgerd?host=localhost&hostaddr=192.0.2.1", ["192.0.2.1"]),
        ("postgresql:///ledgerd?hostaddr=192.0.2.1,127.0.0.1", ["192.0.2.1"]),
        ("postgresql://localhost.example,127.0.0.1.example/ledgerd", ["localhost.example", "127.0.0.1.example"]),
        ("postgresql://[2001:db8::1]/ledgerd", ["2001:db8::1"]),
        ("host=db.example dbname=ledgerd sslmode=prefer", ["db.example"]),
    ])
    func `a host over a network is unverified unless sslmode is verify-full`(url: String, hosts: [String]) throws {
        #expect(try PostgresConfiguration(url: url).unverifiedHosts == hosts)
    }

    @Test(arguments: [
        "postgresql://a.example,b.example/ledgerd?sslmode=verify-full", "postgresql:///ledgerd",
        "postgresql://%2Fvar%2Frun%2Fpostgresql/ledgerd", "postgresql:///ledgerd?host=/tmp,@abstract",
        "postgresql://localhost,127.0.0.2,[::1]/ledgerd", "postgresql://LOCALHOST/ledgerd",
        "postgresql:///ledgerd?host=db.example&hostaddr=127.0.0.1", "postgresql://[::ffff:127.0.0.1]/ledgerd",
    ])
    func `sockets, loopback and verified hosts are not`(url: String) throws {
        #expect(try PostgresConfiguration(url: url).unverifiedHosts.isEmpty)
    }
}
