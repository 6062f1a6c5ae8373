import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// Settlement files come as files or over HTTP, and what is outstanding is listed payment by payment.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SettlementImportTests {
    private static let map = "payment_id=주문번호,gross=거래금액,fee=수수료,tax=부가세,net=정산금액,paid_out_at=정산일"
    private static let query =
        "?payment_id=id&gross=gross&fee=fee&tax=tax&net=net&paid_out_at=day&name=november.csv"

    private static func csv(_ rows: String...) -> String {
        (["id,gross,fee,tax,net,day"] + rows).joined(separator: "\n")
    }

    private static func post(
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

            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
            defer { try? FileManager.default.removeItem(at: file) }
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

    @Test func `a line that is not ours is dismissed by request or command, so that the checklist is clear`()
        async throws
    {
        try await House.open { house, _, service in
            let today = seoulDay()
            let imported = try await Self.post(
                service, Self.query, Self.csv("theirs-1,1000,0,0,1000,\(today)", "theirs-2,1000,0,0,1000,\(today)"))
            let id = sure(imported.json["settlement"]["id"].integer)
            func dismiss(_ line: Int, _ body: String, as token: String = Token.finance()) async throws -> Answer {
                try await service.send(
                    .post, "/v1/settlements/\(id)/rows/\(line)/dismissal", as: token,
                    headers: [("Content-Type", "application/json")], body: body)
            }
            let done = try await dismiss(2, #"{"reason": "our other shop's", "kind": "other_goods"}"#)
            #expect(done.status == 200 && done.json["status"] == "dismissed", "\(done)")
            #expect(done.json["reason"] == "our other shop's" && done.json["dismissed_by"] == "a-clerk", "\(done)")
            #expect(done.json["dismissed_at"].text != nil && done.json["payment"] == "theirs-1")
            #expect(try await dismiss(2, #"{"reason": "again"}"#).json == done.json)
            #expect(try await dismiss(9, #"{"reason": "x"}"#).status == 404)
            #expect(try await dismiss(3, "{}").code == "missing_member")
            #expect(try await dismiss(3, #"{"reason": "x", "kind": "gift"}"#).code == "invalid_request")
            #expect(try await dismiss(3, #"{"reason": "x"}"#, as: Token.service()).status == 403)
            #expect(
                try await service.get("/v1/settlements/unmatched", as: Token.finance()).json["rows"].elements
                    .map { $0["line"] } == [3])

            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            var run = try await house.run("settlement", "unmatched", with: settings)
            #expect(run.output.contains("theirs-2") && !run.output.contains("theirs-1"), "\(run)")
            run = try await house.run(
                "settlement", "dismiss", "\(id)", "3", "--reason", "theirs", "--by", "kim", with: settings)
            #expect(run.output == "line 3 of settlement \(id) is dismissed: theirs\n", "\(run)")
            #expect(
                try await house.books.texts("SELECT dismissed_by FROM settlement_dismissal ORDER BY row_id")
                    == ["a-clerk", "terminal:kim"])
            run = try await house.run(
                "settlement", "check-dismissal", "\(id)", "3", "--by", "kim", with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("somebody else"), "\(run)")
            run = try await house.run(
                "settlement", "check-dismissal", "\(id)", "3", "--by", "lee", with: settings)
            #expect(run.output == "line 3 of settlement \(id): the dismissal is checked\n", "\(run)")
            run = try await house.run("settlement", "dismiss", "\(id)", "4", "--reason", "theirs", with: settings)
            #expect(run.exit == .code(1) && run.errors.contains("does not exist"), "\(run)")
            let file = try await service.get("/v1/settlements/\(id)", as: Token.finance())
            #expect(file.json["rows"]["dismissed"] == 2 && file.json["rows"]["unmatched"] == 0, "\(file)")
            let checklist = try await service.get("/v1/periods/checklist?until=2126-01-01", as: Token.finance())
            let lines = checklist.json["items"].elements.first { $0["name"] == "unmatched_settlement_lines" }
            #expect(lines?["open"] == 0, "\(checklist)")
        }
    }

    @Test func `another person checks a dismissal, and a line whose payment came is booked, by request or command`()
        async throws
    {
        try await House.open { house, gateway, service in
            let (today, boss) = (seoulDay(), Token.make(sub: "a-boss", scope: "finance"))
            let late = try await gateway.pay()
            let imported = try await Self.post(
                service, Self.query,
                Self.csv("\(late.impUID),1000,0,0,1000,\(today)", "theirs,1000,0,0,1000,\(today)"))
            let id = sure(imported.json["settlement"]["id"].integer)
            let path = "/v1/settlements/\(id)/rows/3/dismissal"
            func list(_ name: String) async throws -> [JSON] {
                try await service.get("/v1/settlements/\(name)", as: Token.finance()).json["rows"].elements
            }
            let early = try await service.post("\(path)/check", "", as: boss)
            #expect(early.status == 409 && early.code == "settlement_line_status_conflict", "\(early)")
            _ = try await service.send(
                .post, path, as: Token.finance(), headers: [("Content-Type", "application/json")],
                body: #"{"reason": "other goods", "kind": "other_goods"}"#)
            #expect(try await list("unchecked").map { $0["dismissed_as"] } == ["other_goods"])
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            var run = try await house.run("settlement", "unchecked", with: settings)
            #expect(run.output.contains("theirs") && run.output.contains("a-clerk"), "\(run)")
            let own = try await service.post("\(path)/check", "", as: Token.finance())
            #expect(own.status == 403 && own.code == "forbidden", "\(own)")
            let checked = try await service.post("\(path)/check", "", as: boss)
            #expect(checked.status == 200 && checked.json["checked_by"] == "a-boss", "\(checked)")
            #expect(try await service.post("\(path)/check", "", as: boss).json == checked.json)
            #expect(
                try await service.post("/v1/settlements/\(id)/rows/9/dismissal/check", "", as: boss).status == 404)
            for name in ["unchecked", "returned"] { #expect(try await list(name).isEmpty) }

            #expect(try await service.present(late).status == 201)
            #expect(try await list("returned").map { $0["payment"].text } == [late.impUID])
            run = try await house.run("settlement", "returned", "--json", with: settings)
            #expect(JSON(Array(run.output.utf8))["rows"].elements.map { $0["settlement"] } == [.integer(id)], "\(run)")
            #expect(try await service.post("/v1/settlements/match", "", as: Token.service()).status == 403)
            let matched = try await service.post("/v1/settlements/match", "", as: boss)
            #expect(matched.status == 200 && matched.json["booked"] == 1 && matched.json["lines"] == 1, "\(matched)")
            #expect(try await service.post("/v1/settlements/match", "", as: boss).json["lines"] == 0)
            try await house.expectSound()
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
            let file = FileManager.default.temporaryDirectory.appending(path: "정산-\(UUID().uuidString).csv")
            defer { try? FileManager.default.removeItem(at: file) }
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

    @Test func `Google Play's earnings file is imported as it is, with the day of its payout`() async throws {
        try await House.open { house, _, service in
            let order = try await house.creditAtPlay()
            let today = seoulDay()
            var earnings = EarningsFile([
                (order, "Charge", "1000"), (order, "Google fee", "-150"), ("GPA.unknown", "Charge", "700"),
            ])
            earnings.add("GPA.abroad", "Charge", "9.99", currency: "USD", buyer: "USD")
            let query = "?format=google-play&paid_out_on=\(today)&name=PlayApps_202601.csv"
            let preview = try await Self.post(service, query + "&dry_run=true", earnings.text)
            #expect(preview.status == 200 && preview.json["matched"] == 1, "\(preview)")
            #expect(preview.json["totals"]["net"] == 850 && preview.json["unmatched_count"] == 1, "\(preview)")

            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(earnings.text.utf8).write(to: file)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            func run(_ more: String...) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
                let command = ["settlement", "import", file.path, "--format", "google-play"]
                let child = try house.start(command + more, settings)
                return (try await child.exit(), child.standardOutput, child.standardError)
            }
            var done = try await run("--paid-out-on", today, "--dry-run")
            #expect(done.exit == .code(0) && done.output.contains("settled        1\nunmatched      1\n"), "\(done)")
            #expect(done.errors.contains("GPA.abroad (USD)"), "\(done)")
            for wrong in [
                try await run(), try await run("--paid-out-on", "soon"),
                try await run("--paid-out-on", today, "--map", Self.map),
            ] {
                #expect(wrong.exit != .code(0) && wrong.errors.contains("Give --paid-out-on"), "\(wrong)")
            }

            let imported = try await Self.post(service, query, earnings.text)
            #expect(imported.status == 201 && imported.json["settled_now"] == 1, "\(imported)")
            #expect(imported.json["left_out"].elements.first?.text?.contains("not in won") ?? false, "\(imported)")
            #expect(imported.json["settlement"]["totals"]["fee"] == 150, "\(imported)")
            let rows = try await service.get((imported.headers["Location"] ?? "") + "/rows", as: Token.finance())
            #expect(rows.json["rows"].elements.map { $0["payment"].text } == [order, "GPA.unknown"], "\(rows)")
            #expect(rows.json["rows"].elements.first?["paid_out_on"] == "2026-01-03", "\(rows)")
            let outstanding = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(outstanding.json["outstanding"].elements.isEmpty, "\(outstanding)")
            done = try await run("--paid-out-on", today)
            #expect(done.exit == .code(0) && done.output.contains("lines booked now: 0\n"), "\(done)")
            try await house.expectSound()

            for query in [
                "?format=google-play", "?format=google-play&paid_out_on=soon", "?format=paypal", query + "&net=net",
                query + "&date_format=yyyyMMdd", Self.query + "&paid_out_on=\(today)",
            ] {
                let answer = try await Self.post(service, query, earnings.text)
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(query): \(answer)")
            }
            earnings.add(order, "Google fee", "-1.5")
            let bad = try await Self.post(service, query, earnings.text, language: "ko")
            #expect(bad.status == 422 && bad.json["problem_count"] == 2, "\(bad)")
            #expect(bad.json["problems"].elements.last?.text?.contains("이 주문은 기장하지 않습니다") ?? false, "\(bad)")
        }
    }

    @Test func `a finance report of the App Store settles what was sold, or tells both numbers`() async throws {
        try await House.open { house, _, service in
            let transaction = try await house.creditInAppStore()
            let named = try await service.send(
                .put, "/v1/store-products/app-store/com.example.coins/c100", as: Token.finance(),
                headers: [("Content-Type", "application/json")], body: #"{"product": "coins_100"}"#)
            #expect(named.status == 200, "\(named)")
            let query = "?format=app-store&paid_out_on=\(seoulDay())&name=report.txt"
            let other = FinanceReportFile([("c100", "S", "2", "1400")]).text
            for query in [query, query + "&dry_run=true"] {
                let differs = try await Self.post(service, query, other)
                #expect(differs.status == 422 && differs.code == "statement_invalid", "\(differs)")
                #expect(
                    differs.json["problems"].elements.first?.text?.contains("has 2 pieces sold, the books 1") ?? false,
                    "\(differs)")
            }
            let korean = try await Self.post(service, query, other, language: "ko")
            #expect(korean.json["detail"].text?.contains("보고서는 2, 장부는 1") ?? false, "\(korean)")
            let partly = try await Self.post(service, query + "&dry_run=true&skip_bad_rows=true", other)
            #expect(partly.status == 200 && partly.json["totals"]["net"] == 700, "\(partly)")

            let report = FinanceReportFile([("c100", "S", "1", "700")]).text
            let preview = try await Self.post(service, query + "&dry_run=true", report)
            #expect(preview.status == 200 && preview.json["totals"]["net"] == 700, "\(preview)")
            let booked = try await Self.post(service, query, report)
            #expect(booked.status == 201 && booked.json["settlement"]["totals"]["fee"] == 300, "\(booked)")
            let rows = try await service.get((booked.headers["Location"] ?? "") + "/rows", as: Token.finance())
            #expect(rows.json["rows"].elements.map { $0["payment"].text } == [transaction], "\(rows)")

            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(report.utf8).write(to: file)
            let run = try await house.run(
                "settlement", "import", file.path, "--format", "app-store", "--paid-out-on", seoulDay(),
                with: ["LEDGERD_DATABASE_URL": house.ledger.serviceURL])
            #expect(run.exit == .code(0) && run.output.contains("lines booked now: 0\n"), "\(run)")
            try await house.expectSound()
        }
    }

    @Test func `a bad row books nothing of its file, and is reported with its place`() async throws {
        try await House.with { house in
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
            defer { try? FileManager.default.removeItem(at: file) }
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
