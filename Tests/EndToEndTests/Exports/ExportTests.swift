import Crypto
import Foundation
import OutboundHTTP
import TestSupport
import Testing

/// Finance takes reports out of the books over HTTP.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ExportTests {
    private static let reports = ["journal", "purchases", "lots", "trial-balance", "liability"]

    @Test func `exports are for finance only`() async throws {
        try await House.open { _, _, service in
            for report in Self.reports {
                let path = "/v1/exports/\(report)"
                #expect(try await service.get(path).code == "token_missing")
                for token in [Token.user("ann"), Token.service()] {
                    let answer = try await service.get(path, as: token)
                    #expect(answer.status == 403 && answer.code == "forbidden" && answer.isProblem, "\(answer)")
                }
                #expect(try await service.get(path, as: Token.finance()).status == 200)
            }
            let unknown = try await service.get("/v1/exports/everything", as: Token.finance())
            #expect(unknown.status == 404 && unknown.isProblem && unknown.text.contains("trial-balance"))
        }
    }

    @Test func `a wrong parameter is refused by name`() async throws {
        try await House.open { _, _, service in
            for (query, member) in [
                ("journal?format=xls", "format"), ("journal?from=monday", "from"), ("journal?tz=Seoul", "tz"),
                ("journal?from=2026-02-01&to=2026-01-01", "to"), ("lots?format=beancount", "format"),
                ("liability?from=2026-01-01", "from"), ("vat?quarter=2026-4", "quarter"),
                ("vat?quarter=2026-Q4&to=2027-01-01", "quarter"), ("liability?quarter=2026-Q4", "quarter"),
                ("liability?as_of=9999-12-31T23:59:59-23:59", "as_of"), ("trial-balance?as_of=2026-13-01", "as_of"),
                ("journal?form=2026-01-01", "form"), ("journal?from=2026-01-01&from=2026-01-02", "from"),
                ("journal?bom=yes", "bom"), ("lots?detail=accounts", "detail"), ("journal?to=", "to"),
            ] {
                let answer = try await service.get("/v1/exports/\(query)", as: Token.finance())
                #expect(
                    answer.status == 400 && answer.code == "invalid_request" && answer.isProblem, "\(query): \(answer)")
                #expect(answer.json["member"].text == member, "\(query): \(answer)")
            }
        }
    }

    /// One zone for days and times, wherever they are given: by default and as set.
    @Test(arguments: [([:], "+09:00"), (["LEDGERD_TIME_ZONE": "America/Bogota"], "-05:00")])
    func `days are in the service's time zone`(_ zone: [String: String], _ offset: String) async throws {
        try await House.open(zone) { house, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let answer = try await service.get("/v1/exports/purchases?from=2020-01-01", as: Token.finance())
            #expect(answer.text.split(separator: ",").contains { $0.hasPrefix("20") && $0.hasSuffix(offset) })
            let environment = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL].merging(zone) { $1 }
            let command = try await house.run("export", "purchases", "--from", "2020-01-01", with: environment)
            #expect(command.exit == .code(0) && command.output == answer.text, "\(command)")
        }
    }

    @Test func `an export is a file that proves itself`() async throws {
        try await House.open { _, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let query = "from=2020-01-01&to=2100-01-01&tz=Asia%2FSeoul"
            for (format, type, name) in [
                ("csv", "text/csv; charset=utf-8; header=present", "journal_2020-01-01_2100-01-01.csv"),
                ("jsonl", "application/x-ndjson", "journal_2020-01-01_2100-01-01.jsonl"),
                ("hledger", "text/plain; charset=utf-8", "journal_2020-01-01_2100-01-01.journal"),
                ("beancount", "text/plain; charset=utf-8", "journal_2020-01-01_2100-01-01.beancount"),
            ] {
                let answer = try await service.get("/v1/exports/journal?format=\(format)&\(query)", as: Token.finance())
                #expect(answer.status == 200)
                #expect(answer.headers["Content-Type"] == type)
                #expect(answer.headers["Content-Disposition"] == "attachment; filename=\"\(name)\"")
                #expect(answer.headers["Cache-Control"] == "no-store")
                #expect(answer.headers["Content-Encoding"] == nil)
                #expect(answer.text.contains("+09:00"))
                #expect(answer.headers["Trailer"] == "Ledgerd-Export-Trailer")
                try Self.expectProven(answer, format, rows: 6)
            }
            let head = try await Self.head(of: "journal", method: "HEAD", RawClient(port: service.port))
            #expect(head.hasSuffix("\r\n\r\n") && head.contains("attachment; filename=\"journal.csv\""))
        }
    }

    /// What follows the body holds the number of rows and the hash of all before it; so does the last line, where a line
    /// can be something else than a row.
    private static func expectProven(
        _ answer: Answer, _ format: String, rows: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = answer.text.utf8
        let lastLine =
            text.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { text[text.index(after: $0)...] } ?? text[...]
        let body = format == "csv" ? text[...] : text[..<lastLine.startIndex]
        let hash = Self.sha256(body)
        let trailer = try #require(answer.headers["Ledgerd-Export-Trailer"], sourceLocation: sourceLocation)
        #expect(
            trailer.hasPrefix("{\"report\":\"journal\",\"rows\":\(rows),")
                && trailer.hasSuffix("\"sha256\":\"\(hash)\"}"),
            "\(trailer)", sourceLocation: sourceLocation)
        let last = String(decoding: lastLine, as: UTF8.self)
        #expect(last.contains(trailer) == (format != "csv"), "\(last)", sourceLocation: sourceLocation)
    }

    private static func sha256(_ bytes: some Sequence<UInt8>) -> String {
        SHA256.hash(data: Data(bytes)).map { String(format: "%02x", $0) }.joined()
    }

    /// The journal as it is sent to a client that accepts these encodings.
    private static func journal(
        _ query: String = "", accepting encodings: String, of service: Service
    ) async throws -> HTTPResponse {
        try await service.transport.send(
            HTTPRequest(
                .get, HTTPURL("http://127.0.0.1:\(service.port)/v1/exports/journal\(query)"),
                headers: [("Authorization", "Bearer \(Token.finance())"), ("Accept-Encoding", encodings)],
                totalTimeout: Patience.hang))
    }

    @Test func `an Excel file is sent whole, with its length and its proof before it`() async throws {
        try await House.open { _, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let answer = try await Self.journal("?format=xlsx", accepting: "gzip", of: service)
            #expect(
                answer.headers["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
            #expect(answer.headers["Content-Disposition"] == "attachment; filename=\"journal.xlsx\"")
            #expect(answer.headers["Content-Length"] == "\(answer.body.count)", "\(answer.headers)")
            #expect(
                answer.headers["Content-Encoding"] == nil && answer.headers["Trailer"] == nil, "a zip is compressed")
            #expect(answer.body.starts(with: Array("PK".utf8)))
            let hash = Self.sha256(answer.body)
            let trailer = try #require(answer.headers["Ledgerd-Export-Trailer"])
            #expect(
                trailer.hasPrefix(#"{"report":"journal","rows":6,"#) && trailer.hasSuffix("\"\(hash)\"}"), "\(trailer)")
        }
    }

    @Test func `an export is compressed for clients that accept it`() async throws {
        try await House.open { _, gateway, service in
            #expect(try await service.present(try await gateway.pay("5000")).status == 201)
            let plain = try await service.get("/v1/exports/journal", as: Token.finance()).text
            for (accepted, isCompressed) in [
                ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("gzip;q=0", false), ("br", false),
                ("identity, *;q=0", false),
            ] {
                let answer = try await Self.journal(accepting: accepted, of: service)
                #expect(answer.headers["Content-Encoding"] == (isCompressed ? "gzip" : nil), "\(accepted)")
                #expect(answer.headers["Vary"] == "Accept-Encoding")
                let bytes = isCompressed ? try await Tool.run("gzip", ["-dc"], input: answer.body) : answer.body
                #expect(String(decoding: bytes, as: UTF8.self) == plain, "\(accepted)")
            }
        }
    }

    @Test func `a truncated export is recognizable`() async throws {
        try await House.with { house in
            try await house.ledger.fill(entries: 15_000, users: 1000)
            let service = try await house.serve(at: try await house.startGateway())
            // That it is whole follows from its trailer and the end of the chunked body.
            let whole = try await Self.begin("journal", service)
            let end = try await whole.readToEnd()
            #expect(
                end.contains("\r\n0\r\nLedgerd-Export-Trailer: {\"report\":\"journal\",\"rows\":60000,")
                    && end.hasSuffix("\"}\r\n\r\n"))

            try await eventually("its session ends") { try await Self.sessions(house) == 0 }
            let cut = try await Self.begin("journal", service)
            #expect(try await Self.sessions(house) == 1)
            let database = house.ledger.database
            try await database.server.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name LIKE '% export' AND datname = '\(database.name)'
                """)
            let tail = try await cut.readToEnd()
            #expect(!tail.contains("Ledgerd-Export-Trailer"))
            #expect(!tail.hasSuffix("0\r\n\r\n"), "a client must not take it for whole")
            try await eventually("the cut is logged") { service.log.contains("export interrupted") }
            try await eventually("it is over") { try await Self.sessions(house) == 0 }
        }
    }

    @Test func `exports at a time are limited, and those who leave make room`() async throws {
        try await House.with { house in
            try await house.ledger.fill(entries: 15_000, users: 1000)
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway)
            var clients = [
                try await Self.begin("journal", service), try await Self.begin("journal?format=jsonl", service),
            ]
            #expect(try await Self.sessions(house) == 2)
            let refused = try await service.get("/v1/exports/liability", as: Token.finance())
            #expect(refused.status == 429 && refused.code == "too_many_exports" && refused.isProblem)
            #expect(refused.headers["Retry-After"] == "30")
            // Meanwhile everybody else is served.
            #expect(try await service.present(try await gateway.pay()).status == 201)
            #expect(try await service.coins() == 100)
            clients.removeAll()
            try await eventually("their queries end") { try await Self.sessions(house) == 0 }
            try await eventually("there is room") {
                try await service.get("/v1/exports/liability", as: Token.finance()).status == 200
            }
        }
    }

    /// Asks for an export and reads its beginning only.
    private static func begin(_ report: String, _ service: Service) async throws -> RawClient {
        // The rest must not fit into the kernel's buffers.
        let client = try RawClient(port: service.port, receiveBuffer: 65_536)
        let head = try await head(of: report, client)
        #expect(head.hasPrefix("HTTP/1.1 200 ") && head.lowercased().contains("transfer-encoding: chunked"))
        return client
    }

    private static func head(of report: String, method: String = "GET", _ client: RawClient) async throws -> String {
        try await client.send(
            "\(method) /v1/exports/\(report) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(Token.finance())\r\n\r\n")
        return try await client.answer()
    }

    private static let isOurs = "application_name LIKE '% export' AND datname = current_database()"

    private static func sessions(_ house: House) async throws -> Int64 {
        try await house.books.count("SELECT count(*) FROM pg_stat_activity WHERE \(isOurs)")
    }
}
