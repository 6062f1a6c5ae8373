import Foundation
import TestSupport
import Testing

/// Settlement files come as files or over HTTP, and what is outstanding is listed payment by payment.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SettlementImportTests {
    static let map = "payment_id=주문번호,gross=거래금액,fee=수수료,tax=부가세,net=정산금액,paid_out_at=정산일"
    static let query =
        "?payment_id=id&gross=gross&fee=fee&tax=tax&net=net&paid_out_at=day&name=november.csv"

    static func csv(_ rows: String...) -> String {
        (["id,gross,fee,tax,net,day"] + rows).joined(separator: "\n")
    }

    static func post(
        _ service: Service, _ query: String, _ body: String, type: String = "text/csv", language: String = "*"
    )
        async throws -> Answer
    {
        try await service.send(
            .post, "/v1/settlements" + query, as: Token.finance(),
            headers: [("Content-Type", type), ("Accept-Language", language)], body: body)
    }

    @Test func `what is wrong with a file is reported in the requested language, and totals are left out`() async throws
    {
        try await House.open { house, gateway, service in
            let payment = try await service.credited(try await gateway.pay())
            let today = seoulDay()
            let bad = Self.csv("a,x,30,3,967,\(today)", "b,1000,30,3,1,\(today)")
            let korean = try await Self.post(service, Self.query, bad, language: "ko-KR,en;q=0.5")
            #expect(korean.status == 422 && korean.code == "statement_invalid", "\(korean)")
            #expect(korean.json["detail"].text?.hasPrefix("2행, gross 열: \"x\"") ?? false, "\(korean)")
            #expect(korean.json["detail"].text?.hasSuffix(" 외 1건") ?? false, "\(korean)")
            #expect(korean.json["problems"].elements.last?.text?.hasPrefix("3행, net 열: 1") ?? false, "\(korean)")
            let workbook = try await Self.post(service, Self.query, "PK\u{3}\u{4}[Content_Types].xml")
            #expect(workbook.json["detail"].text?.contains("the Excel workbook is damaged") ?? false, "\(workbook)")

            let good = Self.csv("\(payment.impUID),1000,30,-,970,\(today)", "합계,1000,30,-,970,\(today)", ",,,,,")
            let preview = try await Self.post(service, Self.query + "&dry_run=true", good)
            #expect(preview.json["left_out"].elements == ["line 3: \"합계\" is a row of totals"], "\(preview)")
            #expect(preview.json["matched"] == 1 && preview.json["unmatched_count"] == 0)
            let booked = try await Self.post(service, Self.query, good, language: "ko")
            #expect(booked.status == 201 && booked.json["settlement"]["totals"]["net"] == 970, "\(booked)")
            #expect(booked.json["left_out"].elements.first?.text?.hasPrefix("3행:") ?? false, "\(booked)")

            let file = house.directory.appending(path: "lines.csv")
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let map = "payment_id=id,gross=gross,fee=fee,tax=tax,net=net,paid_out_at=day"
            try Data(bad.utf8).write(to: file)
            var run = try await house.run(
                "settlement", "import", file.path, "--map", map, "--language", "ko", with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("2행, gross 열"), "\(run)")
            try Data(good.utf8).write(to: file)
            run = try await house.run("settlement", "import", file.path, "--map", map, with: settings)
            #expect(run.exit == .code(0) && run.errors.contains("left out: line 3: \"합계\""), "\(run)")
            run = try await house.run(
                "settlement", "import", file.path, "--map", "payment_id=id", "--language", "ko", with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("gross의 열이 없습니다"), "\(run)")
        }
    }

    @Test func `a file of a Korean gateway is imported by the command, and what is left is listed`() async throws {
        try await House.open { house, gateway, service in
            let (one, two) = (try await gateway.pay(), try await gateway.pay())
            for payment in [one, two] { #expect(try await service.present(payment).status == 201) }
            let today = seoulDay()
            let text = """
                정산내역서
                주문번호,거래금액,수수료,부가세,정산금액,정산일
                \(one.merchantUID),"1,000",30,3,967,\(today.replacing("-", with: "."))
                order-of-another-shop,"5,000",150,15,"4,835",\(today.replacing("-", with: "."))
                """
            let file = house.directory.appending(path: "정산.csv")
            try Self.encoded(text, as: "CP949").write(to: file)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]

            var run = try await house.run(
                "settlement", "import", file.path, "--map", Self.map, "--dry-run", with: settings)
            #expect(
                run.exit == .code(0)
                    && run.output.hasPrefix(
                        """
                        preview: nothing is booked

                        STATUS     LINES
                        settled        1
                        unmatched      1

                        GROSS  FEE  TAX  NET
                         1000   30    3  967

                        LINE  STATUS     PAYMENT                GROSS  PAID OUT    REASON
                           4  unmatched  order-of-another-shop   5000  \(today)  -
                        """),
                "\(run)")
            #expect(try await house.books.count("SELECT count(*) FROM settlement_file") == 0)

            run = try await house.run(
                "settlement", "import", file.path, "--map", Self.map, "--progress", with: settings)
            #expect(run.exit == .code(0) && run.errors == "storing: 2 of 2 lines\nbooking: 2 of 2 lines\n", "\(run)")
            #expect(run.output.contains(".csv, lines booked now: 1\n\nSTATUS     LINES\n"), "\(run.output)")
            #expect(run.output.contains("settled        1\nunmatched      1\n"), "\(run.output)")
            #expect(run.output.contains("   4  unmatched  order-of-another-shop   5000  \(today)  -\n"))
            run = try await house.run("settlement", "import", file.path, "--map", Self.map, with: settings)
            #expect(run.exit == .code(0) && run.output.contains("lines booked now: 0\n"), "\(run.output)")
            #expect(run.errors.isEmpty)

            run = try await house.run("settlement", "outstanding", with: settings)
            #expect(run.output.hasPrefix("gateway:receivable: 1000 KRW as of "), "\(run.output)")
            #expect(
                run.output.contains(
                    /\n\nPURCHASE  GATEWAY +IMP_UID +MERCHANT_UID +CREDITED  REFUNDED  SETTLED  OUTSTANDING\n/))
            #expect(
                run.output.contains("\(two.merchantUID)      1000         0        0         1000\n"), "\(run.output)")
            #expect(!run.output.contains(one.merchantUID))
            run = try await house.run("settlement", "outstanding", "--json", with: settings)
            let document = JSON(Array(run.output.utf8))
            #expect(document["balance"] == 1000 && document["outstanding"].elements.count == 1, "\(run.output)")
            try await house.expectSound()
        }
    }

    @Test func `a bad row books nothing of its file, and is reported with its place`() async throws {
        try await House.with { house in
            let file = house.directory.appending(path: "lines.csv")
            let today = seoulDay()
            try Data(Self.csv("a,1000,30,3,967,\(today)", "b,1000,30,3,1,\(today)").utf8).write(to: file)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let map = "payment_id=id,gross=gross,fee=fee,tax=tax,net=net,paid_out_at=day"
            var run = try await house.run("settlement", "import", file.path, "--map", map, with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("line 3, column net: is 1"), "\(run.errors)")
            #expect(try await house.books.count("SELECT count(*) FROM settlement_file") == 0)
            run = try await house.run(
                "settlement", "import", file.path, "--map", map, "--skip-bad-rows", with: settings)
            #expect(
                run.exit == .code(0) && run.output.contains("unmatched      1\n")
                    && run.errors.contains("skipped: line 3"))
            for (arguments, says) in [
                (["/nowhere.csv", "--map", map], "can't be read"), ([file.path], "--map or --map-file"),
                ([file.path, "--map", "payment_id=id"], "has no column for gross"),
                ([file.path, "--map", map, "--date-format", "MM/dd"], "--date-format must be"),
                ([file.path, "--map", map.replacing("=net", with: "=payout")], "no line has the columns"),
            ] {
                let child = try house.start(["settlement", "import"] + arguments, settings)
                #expect(try await child.exit() != .code(0))
                #expect(child.standardError.contains(says), "\(child.standardError)")
            }
        }
    }

    @Test func `a settlement file is imported and read over HTTP`() async throws {
        try await House.open { house, gateway, service in
            let payments = [try await gateway.pay(), try await gateway.pay()]
            for payment in payments { #expect(try await service.present(payment).status == 201) }
            let today = seoulDay()
            let body = Self.csv(
                "\(payments[0].impUID),1000,30,3,967,\(today)", "unknown,1000,0,0,1000,\(today)")
            let preview = try await Self.post(service, Self.query + "&dry_run=true", body)
            #expect(preview.status == 200 && preview.json["matched"] == 1, "\(preview)")
            #expect(preview.json["unmatched"].elements.first?["payment"] == "unknown")

            let imported = try await Self.post(service, Self.query, body)
            #expect(imported.status == 201 && imported.json["settled_now"] == 1, "\(imported)")
            let settlement = imported.json["settlement"]
            #expect(settlement["name"] == "november.csv" && settlement["imported_by"] == "a-clerk")
            #expect(settlement["rows"]["settled"] == 1 && settlement["rows"]["unmatched"] == 1)
            #expect(settlement["totals"]["net"] == 967)
            let again = try await Self.post(service, Self.query, body)
            #expect(again.status == 200 && again.json["settled_now"] == 0)

            let path = imported.headers["Location"] ?? ""
            #expect(try await service.get(path, as: Token.finance()).json == settlement)
            let unmatched = try await service.get(path + "/rows?status=unmatched", as: Token.finance())
            #expect(unmatched.json["rows"].elements.map { $0["line"] } == [3])
            let settled = try await service.get(path + "/rows?status=settled", as: Token.finance())
            #expect(settled.json["rows"].elements.first?["paid_out_on"].text == today)
            let all = try await service.get("/v1/settlements", as: Token.finance())
            #expect(all.json["settlements"].elements == [settlement])

            let outstanding = try await service.get("/v1/settlements/outstanding?limit=1", as: Token.finance())
            #expect(outstanding.json["balance"] == 1000 && outstanding.json["has_more"] == .bool(false))
            let open = outstanding.json["outstanding"].elements.first ?? .null
            #expect(open["imp_uid"].text == payments[1].impUID && open["outstanding"] == 1000)
            let before = try await service.get(
                "/v1/settlements/outstanding?as_of=2020-01-01", as: Token.finance())
            #expect(before.json["balance"] == 0 && before.json["outstanding"].elements.isEmpty)
        }
    }

    @Test func `a request that can't be is refused`() async throws {
        try await House.open { house, _, service in
            let today = seoulDay()
            let good = Self.csv("a,1000,30,3,967,\(today)")
            let bad = try await Self.post(service, Self.query, Self.csv("a,x,30,3,967,\(today)"))
            #expect(bad.status == 422 && bad.code == "statement_invalid" && bad.isProblem, "\(bad)")
            #expect(bad.json["problem_count"] == 1)
            #expect(bad.json["problems"].elements.first?.text?.hasPrefix("line 2, column gross: is \"x\"") ?? false)
            #expect(try await Self.post(service, Self.query, "").code == "statement_invalid")
            #expect(try await Self.post(service, Self.query, good, type: "application/json").status == 415)
            for query in [
                "?payment_id=id", Self.query + "&encoding=latin1", Self.query + "&skip_bad_rows=maybe",
                Self.query + "&time_zone=Moon", Self.query + "&time_zone=GMT%2B9", Self.query + "&date_format=MM",
                Self.query.replacing("november.csv", with: "%00"),
            ] {
                let answer = try await Self.post(service, query, good)
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(query): \(answer)")
            }
            for path in ["/v1/settlements/1", "/v1/settlements/1/rows", "/v1/settlements/x"] {
                #expect(try await service.get(path, as: Token.finance()).status == 404)
            }
            for path in ["/v1/settlements", "/v1/settlements/outstanding"] {
                #expect(try await service.get(path).status == 401)
                #expect(try await service.get(path, as: Token.service()).status == 403)
            }
            #expect(
                try await service.get("/v1/settlements/outstanding?as_of=soon", as: Token.finance()).status == 400)
            #expect(try await house.books.count("SELECT count(*) FROM settlement_file") == 0)
        }
    }

    /// As the system's own program writes it.
    private static func encoded(_ text: String, as encoding: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/iconv")
        process.arguments = ["-f", "UTF-8", "-t", encoding]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data(text.utf8))
        try input.fileHandleForWriting.close()
        return output.fileHandleForReading.readDataToEndOfFile()
    }
}
