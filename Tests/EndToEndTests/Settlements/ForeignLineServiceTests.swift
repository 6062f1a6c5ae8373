import Foundation
import LedgerTestSupport
import TestSupport
import Testing

/// What PortOne's gateways pay out of payments in dollars, by files whose lines are in dollars: over HTTP, by command and in the
/// console.
@Suite(.timeLimit(.minutes(20))) struct ForeignLineServiceTests {
    private static let columns =
        "payment_id=id,gross=gross,fee=fee,tax=tax,net=net,paid_out_at=day,payment_currency=cur,payout_rate=rate"

    /// Of $3.00, paid out at 1395.20.
    private static func file(_ id: String, rate: String = "1395.20") -> String {
        "id,cur,gross,fee,tax,net,rate,day\n\(id),USD,3.00,0.09,0.01,2.90,\(rate),\(seoulDay())\n"
    }

    @Test(arguments: Version.allCases)
    func `a line in dollars settles a payment at PortOne, and a row without a rate is refused by its number`(
        _ version: Version
    ) async throws {
        try await House.openBoth { house, gateway, service in
            try await service.publish("1387.40")
            try await house.books.sell("coins_100", for: 300, "USD")
            let order = try await service.order("coins_100", in: "USD", at: version)
            let name = try #require(order.json["merchant_uid"].text, "\(order)")
            let payment = try await gateway.pay(name, "3.00", "USD", version)
            let credited = try await service.present(payment, at: version)
            #expect(credited.status == 201 && credited.purchase["amount"] == 4162, "\(credited)")

            let query = "?" + Self.columns.replacing(",", with: "&")
            let lacking = try await SettlementImportTests.post(service, query, Self.file(name, rate: ""))
            #expect(lacking.status == 422 && lacking.code == "statement_invalid", "\(lacking)")
            let says = lacking.json["problems"].elements.first?.text ?? ""
            #expect(says.hasPrefix("line 2, column cur: tells no rate"), "\(lacking)")
            let unnamed = query.replacing("&payment_currency=cur", with: "")
            let wrong = try await SettlementImportTests.post(service, unnamed, Self.file(name))
            #expect(wrong.status == 400 && wrong.code == "invalid_request", "\(wrong)")

            let preview = try await SettlementImportTests.post(service, query + "&dry_run=true", Self.file(name))
            #expect(preview.json["matched"] == 1 && preview.json["totals"]["gross"] == 4186, "\(preview)")
            let imported = try await SettlementImportTests.post(service, query, Self.file(name))
            #expect(imported.status == 201 && imported.json["settled_now"] == 1, "\(imported)")
            let rows = try await service.get((imported.headers["Location"] ?? "") + "/rows", as: Token.finance())
            let row = try #require(rows.json["rows"].elements.first)
            #expect(row["foreign_gross"] == 300 && row["foreign_currency"] == "USD", "\(rows)")
            #expect(row["gross"] == 4186 && row["carried"] == 4162 && row["net"] == 4046, "\(rows)")
            #expect(row["fee"] == 126 && row["tax"] == 14, "\(rows)")
            let owed = try await service.get("/v1/settlements/outstanding", as: Token.finance())
            #expect(owed.json["balance"] == 0 && owed.json["outstanding"].elements.isEmpty, "\(owed)")

            let path = house.directory.appending(path: "dollars.csv")
            try Data(Self.file(name).utf8).write(to: path)
            let settings = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL]
            let run = try await house.run("settlement", "import", path.path, "--map", Self.columns, with: settings)
            #expect(run.exit == .code(0) && run.output.contains("lines booked now: 0\n"), "\(run)")
            try await house.expectSound()
        }
    }

    @Test func `the console finds the columns, shows both amounts and the exchange gain, and remembers them`()
        async throws
    {
        try await ConsoleHouse.open(Noon.setting) { console in
            try await console.service.publish("1387.40")
            try await console.house.books.sell("coins_100", for: 300, "USD")
            let order = try await console.service.order("coins_100", in: "USD", at: .v1)
            let name = try #require(order.json["merchant_uid"].text, "\(order)")
            let payment = try await console.gateway.pay(name, "3.00", "USD", .v1)
            #expect(try await console.service.present(payment).status == 201)
            let text = """
                주문번호,결제통화,거래금액,수수료,부가세,정산금액,원화 정산금액,정산일
                \(name),USD,3.00,0.09,0.01,2.90,"4,046",\(Noon.day())
                """
            let file = [
                ("name", "dollars.csv"), ("content", Data(text.utf8).base64URL), ("gateway", "portone-v1"),
            ]
            let browser = try await console.browser(as: "finance-1")
            try await browser.open("/console/settlements")
            let preview = try await browser.submit("/console/settlements/preview", file)
            #expect(preview.text.contains("will be booked"), "\(preview)")
            #expect(preview.text.contains("<option value=\"결제통화\" selected>"), "\(preview)")
            #expect(preview.text.contains("<option value=\"원화 정산금액\" selected>"), "\(preview)")
            let booked = try await browser.submit("/console/settlements/book")
            #expect(booked.text.contains("USD 3.00 (₩4,186)"), "\(booked)")
            #expect(booked.text.contains("exchange gain ₩24"), "\(booked)")
            try await browser.open("/console/settlements")
            let again = try await browser.submit("/console/settlements/preview", file)
            #expect(again.text.contains("As mapped last") && again.text.contains("same line"), "\(again)")
            try await console.house.expectSound()
        }
    }
}
