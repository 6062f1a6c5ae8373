import Foundation
import TestSupport
import Testing

/// `ledgerd check` names what is wrong with a configuration, and goes on.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CheckTests {
    @Test func `a good configuration passes, as a table and as JSON`() async throws {
        try await House.with { house in
            let settings = try await Self.goodSettings(house)
            let (exit, output, errors) = try await house.run("check", with: settings)
            #expect(exit == .code(0) && errors.isEmpty, "\(output)\(errors)")
            let lines = output.split(separator: "\n").map(String.init)
            let header = try #require(lines.first)
            #expect(header.hasPrefix("CHECK"))
            // Every column begins where its header does.
            let found = header.distance(from: header.startIndex, to: try #require(header.range(of: "FOUND")).lowerBound)
            for line in lines.dropLast() {
                let cells = Array(line)
                #expect(cells[found - 1] == " " && cells[found] != " ", "\(line)")
            }
            #expect(lines.last?.hasPrefix("ready: ") == true)
            #expect(!output.contains("\u{1B}"), "colours are for terminals")

            let report = try await Self.check(house, settings)
            #expect(report.exit == .code(0) && report.body["failed"] == 0)
            let checks = report.body["checks"].elements
            #expect(checks.count > 15, "\(checks)")
            for check in checks where check["result"].text != "ok" {
                // The tests' server does not wait for its disk.
                #expect(check["check"].text == "durability", "\(check)")
            }
        }
    }

    @Test func `a gateway whose certificate is not trusted gets nothing`() async throws {
        try await House.with { house in
            let server = try await HourAhead(in: house.directory, isSecure: true)
            let settings = try await Self.goodSettings(house).merging(
                ["LEDGERD_PORTONE_V1_URL": "https://localhost:\(server.port)"]
            ) { $1 }
            let report = try await Self.check(house, settings)
            let results = Self.results(report.body)
            #expect(
                results["PortOne V1 TLS"] == "failed" && results["PortOne V1 keys"] == "skipped", "\(report.output)")
            #expect(report.exit == .code(1))
        }
    }

    @Test func `a silent database or gateway is waited for no longer than is said`() async throws {
        try await House.with { house in
            // Both take connections and say nothing.
            let silent = try await HourAhead(in: house.directory, isSilent: true)
            let settings = try await Self.goodSettings(house).merging([
                "LEDGERD_DATABASE_URL": "postgresql://ledgerd:secret-word@127.0.0.1:\(silent.port)/ledgerd",
                "LEDGERD_PORTONE_V1_URL": "http://127.0.0.1:\(silent.port)",
            ]) { $1 }
            let report = try await Self.check(house, settings, "--timeout", "2s")
            let results = Self.results(report.body)
            #expect(results["database"] == "failed" && results["PortOne V1 keys"] == "failed", "\(report.output)")
            #expect(results["PortOne V2 keys"] == "ok" && results["listen"] == "ok", "\(report.output)")
        }
    }

    @Test func `a file that can't be read, and a service that runs already`() async throws {
        try await House.with { house in
            let broken = try await house.run("check", "--config", "/nowhere.json")
            #expect(broken.exit == .code(1) && broken.output.contains("/nowhere.json"), "\(broken)")
            let empty = try await house.run("check")
            #expect(empty.exit == .code(1) && empty.output.contains("database_url is not set"), "\(empty)")
            #expect(empty.output.contains("gateways") && empty.output.contains("none is configured"), "\(empty)")

            let service = try await house.serve()
            let settings = try await Self.goodSettings(house)
                .merging(["LEDGERD_LISTEN": "127.0.0.1:\(service.port)"]) { $1 }
            let report = try await Self.check(house, settings)
            #expect(report.exit == .code(0) && report.output.contains("a ledgerd serves at"), "\(report.output)")
        }
    }

    @Test func `it is said how days of lots are counted: as is set, or as the ledger began`() async throws {
        try await House.with { house in
            func days(_ start: String?) async throws -> String? {
                var settings = house.settings()
                settings["LEDGERD_WHOLE_DAYS_FROM"] = start
                return try await Self.check(house, settings).body["checks"].elements
                    .first { $0["check"].text == "days of lots" && $0["result"].text == "ok" }?["detail"].text
            }
            #expect(try await days(nil) == "end with the day, in Asia/Seoul")
            #expect(try await days("2027-01-01") == "end with the day, in Asia/Seoul, from 2027-01-01 on")
            #expect(try await days("never") == "exact: 24 hours each")
            try await house.ledger.database.connect().execute("UPDATE ledger SET counts_whole_days = false")
            #expect(
                try await days(nil) == "exact: 24 hours each, because the ledger began before version 0.3.0")
        }
    }

    /// Settings that leave nothing to be desired, and a database of which that is true too.
    static func goodSettings(_ house: House) async throws -> [String: String] {
        let database = house.ledger.database
        // A database made from a template has not its rights, and the books keep the migrations for when they are undone.
        try await database.server.execute("REVOKE TEMPORARY ON DATABASE \"\(database.name)\" FROM PUBLIC")
        try await house.ledger.database.connect().execute(
            "CREATE TABLE IF NOT EXISTS migration_before AS SELECT * FROM migration")
        let gateway = try await house.startGateway()
        var settings = house.settings(gateway: gateway.url)
        settings["LEDGERD_PORTONE_V2_URL"] = gateway.url
        settings["LEDGERD_PORTONE_V2_SECRET"] = "sandbox-v2-secret"
        settings["LEDGERD_PORTONE_V2_STORE_ID"] = "store-sandbox"
        settings["LEDGERD_PORTONE_V2_WEBHOOK_SECRET"] = "whsec_" + Data(count: 24).base64EncodedString()
        settings["LEDGERD_WEBHOOK_SOURCES"] = "52.78.100.19,52.78.48.223"
        settings["LEDGERD_TRUSTED_PROXIES"] = "127.0.0.1"
        settings["LEDGERD_RECONCILE_AT"] = "04:30"
        settings["LEDGERD_SWEEP_INTERVAL"] = "10m"
        settings["LEDGERD_SEAL_KEY"] = Data((0..<32).map { UInt8($0) }).base64EncodedString()
        return settings
    }

    static func check(
        _ house: House, _ settings: [String: String], _ arguments: String...
    ) async throws -> (exit: ChildProcess.Exit, body: JSON, output: String) {
        let child = try house.start(["check", "--json"] + arguments, settings)
        let exit = try await child.exit()
        return (exit, JSON(Array(child.standardOutput.utf8)), child.standardOutput + child.standardError)
    }

    /// The worst result of each check.
    static func results(_ body: JSON) -> [String: String] {
        let order = ["ok", "skipped", "warning", "failed"]
        return Dictionary(
            body["checks"].elements.map { ($0["check"].text ?? "", $0["result"].text ?? "") },
            uniquingKeysWith: { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) ? $1 : $0 })
    }
}

/// A V1 gateway that accepts every key, and whose clock is an hour ahead.
struct HourAhead {
    let port: Int
    private let process: ChildProcess

    init(in directory: URL, isSecure: Bool = false, isSilent: Bool = false) async throws {
        process = try ChildProcess(
            "/usr/bin/python3", ["-u", "-c", Self.program, isSecure ? "secure" : isSilent ? "silent" : "plain"],
            environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path], in: directory)
        let child = process
        try await eventually("the server says its port") { child.standardOutput.hasSuffix("\n") }
        port = try #require(Int(process.standardOutput.dropLast()))
    }

    private static let program = """
        import http.server, os, socket, ssl, subprocess, sys, time, email.utils
        class Gateway(http.server.BaseHTTPRequestHandler):
            def date_time_string(self, timestamp=None): return email.utils.formatdate(time.time() + 3600, usegmt=True)
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                body = b'{"code":0,"message":null,"response":{"access_token":"t","now":100,"expired_at":1900}}'
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
        if sys.argv[1] == "silent":
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1])
            time.sleep(600)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
        if sys.argv[1] == "secure":
            folder = os.path.join(os.environ["HOME"], "tls-" + str(os.getpid()))
            os.mkdir(folder)
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-subj", "/CN=localhost", "-keyout", folder + "/key", "-out", folder + "/cert"],
                check=True, stderr=subprocess.DEVNULL)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(folder + "/cert", folder + "/key")
            server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1])
        server.serve_forever()
        """
}
