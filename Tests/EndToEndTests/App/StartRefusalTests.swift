import Foundation
import TestSupport
import Testing

/// What can't be right is reported at once, without codes that only programs know.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StartRefusalTests {
    @Test func `a database without the required TLS is reported at once`() async throws {
        try await House.with { house in
            let (_, port) = house.ledger.database.server.address
            let place = "127.0.0.1:\(port)/\(house.ledger.database.name)"
            for (url, says) in [
                ("postgresql://ledgerd_test_service:word@\(place)?sslmode=require", "does not support SSL"),
                ("postgresql://ledgerd_test_service@\(place)", "no password supplied"),
            ] {
                let (exit, _, errors) = try await serve(house, url)
                #expect(exit == .code(1))
                #expect(!errors.contains("waiting for the database"), "\(errors)")
                StartTests.expectOneLine(errors, [says])
            }
        }
    }

    @Test func `a database whose certificate is not trusted is reported at once`() async throws {
        try await House.with { house in
            try await TestCluster.with { cluster in
                let other = try await Self.certificate(in: house.directory)
                for (host, authority, says) in [
                    ("127.0.0.1", cluster.certificate, "does not match host name"), ("localhost", other, "SSL error"),
                    ("localhost", "/nowhere.pem", "/nowhere.pem"),
                ] {
                    let url = "postgresql://nobody:word@\(host):\(cluster.port)/postgres"
                    let (exit, _, errors) = try await serve(
                        house, "\(url)?sslmode=verify-full&sslrootcert=\(authority)")
                    #expect(exit == .code(1) && !errors.contains("waiting for the database"), "\(errors)")
                    StartTests.expectOneLine(errors, ["no TLS connection", "sslrootcert", says])
                }
            }
        }
    }

    @Test func `a service that can't listen does no work`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let payment = try await gateway.pay("1000", #", "status": "ready""#)
            let service = try await house.serve(at: gateway)
            #expect(try await service.present(payment).status == 202)
            try await service.end()
            try await gateway.change(payment, to: "paid")
            try await house.books.makeReceiptsDue()
            let asked = try await gateway.journal("/").count
            // The gateway itself listens there.
            for address in ["LEDGERD_LISTEN", "LEDGERD_ADMIN_LISTEN"] {
                let settings = house.settings(gateway: gateway.url)
                    .merging([address: "127.0.0.1:\(gateway.port)"]) { $1 }
                let (exit, _, errors) = try await house.run("serve", with: settings)
                #expect(exit == .code(1))
                StartTests.expectOneLine(errors, ["127.0.0.1:\(gateway.port)", "in use"])
            }
            #expect(try await gateway.journal("/").count == asked)
            #expect(try await house.books.receipts("waiting") == 1)
        }
    }

    @Test func `no error code of the database is in the log or in an answer`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.present(try await gateway.pay()).status == 201)
            try await house.books.execute("DROP TABLE product CASCADE; DROP TABLE lot CASCADE")
            var answers = [
                try await service.get("/v1/me/lots", as: Token.user("ann")),
                try await service.post("/v1/users/ann/grants", #"{"coins": 1, "reason": "r"}"#, key: "key-1"),
            ]
            #expect(answers.allSatisfy { $0.status == 500 }, "\(answers)")
            try await house.books.execute("DROP TABLE migration")
            answers.append(try await service.get("/health/ready"))
            try await eventually("the failures are logged") {
                service.log.split(separator: "\n").count { $0.contains("request failed") } >= 3
            }
            let log = service.log
            #expect(log.contains("undefined_table"), "the name of the condition stands there instead: \(log)")
            for text in answers.map(\.text) + [log] { expectNoCode(text) }

            let wrong = house.ledger.database.server.url(database: "there_is_none", ["user": "ledgerd_test_service"])
            expectNoCode(try await serve(house, wrong).errors)
        }
    }

    /// Of an authority that signed nothing.
    private static func certificate(in directory: URL) async throws -> String {
        let path = directory.appending(path: "other.pem").path
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                "/CN=other",
            ]
                + ["-keyout", "/dev/null", "-out", path], environment: [:], in: directory)
        try #require(try await openssl.exit() == .code(0), "\(openssl.standardError)")
        return path
    }

    private func serve(
        _ house: House, _ url: String
    ) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
        let settings = house.settings().merging(
            ["LEDGERD_DATABASE_URL": url, "LEDGERD_DATABASE_PATIENCE": "600s"]
        ) { $1 }
        return try await house.run("serve", with: settings)
    }

    /// Expects neither the word nor one of the codes of these failures.
    private func expectNoCode(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!text.lowercased().contains("sqlstate"), "\(text)", sourceLocation: sourceLocation)
        #expect(
            !text.contains(/\b(42P01|42703|42883|3D000|28P01|28000|XX000)\b/), "\(text)", sourceLocation: sourceLocation
        )
    }
}
