import TestSupport
import Testing

/// Figures of days and sales, accounts with their postings, and what is outstanding.
extension BackOfficeTests {
    @Test func `figures of days are those of the accounts, also of a day before and after returns`() async throws {
        try await House.open(Noon.setting) { house, gateway, service in
            let credited = try await service.present(try await gateway.pay()).json
            #expect(try await service.present(try await gateway.pay("5000"), by: "bob").status == 201)
            _ = try await service.post("/v1/users/ann/spends", #"{"coins": 30}"#, key: "s", as: Token.service())
            _ = try await service.post(
                "/v1/users/ann/grants", #"{"coins": 7, "reason": "x"}"#, key: "g", as: Token.service())

            let today = try await service.today()
            #expect(
                today["coins_sold"] == 600 && today["coins_promoted"] == 57 && today["coins_spent"] == 30, "\(today)")
            #expect(today["revenue"] == 300 && today["breakage"] == 0 && today["liability"] == 5700)
            let empty = try await service.ask("/v1/figures/days?from=2020-01-01&to=2020-12-31").json["days"].elements
            #expect(empty.count == 365 && empty.allSatisfy { $0["liability"] == 0 })

            // Coins captured for a provider are spent, too; these are bonus coins, without won.
            let hold = try await service.post("/v1/users/bob/holds", #"{"coins": 50}"#, key: "h", as: Token.service())
            let captured = try await service.post(
                "/v1/holds/\(sure(hold.json["hold"]["id"].integer))/capture", #"{"provider": "designer-3"}"#, key: "c",
                as: Token.service())
            #expect(captured.status == 200, "\(captured)")
            let spent = try await service.today()
            #expect(spent["coins_spent"] == 80, "\(spent)")

            let purchase = try #require(credited["purchase"]["id"].integer)
            let back = try await service.post(
                "/v1/purchases/\(purchase)/refunds", #"{"coins": 20, "reason": "x"}"#, key: "r", as: Token.service())
            #expect(back.status == 201, "\(back)")
            let later = try await service.today()
            #expect(later["coins_sold"] == 580 && later["liability"] == 5500, "\(later)")

            let sales = try await service.ask("/v1/figures/sales").json["sales"].elements
            #expect(sales.map { $0["product"] } == ["coins_100", "coins_500"])
            #expect(sales.map { $0["amount"] } == [1000, 5000] && sales.map { $0["refunded_amount"] } == [200, 0])
            #expect(sales.allSatisfy { $0["day"].text == today["day"].text && $0["purchases"] == 1 })
            for query in ["from=2026-02-30", "from=2026-01-02&to=2026-01-02", "from=2020-01-01&to=2026-01-01", "x=1"] {
                #expect(try await service.ask("/v1/figures/days?\(query)").status == 400, "\(query)")
            }
            #expect(try await service.ask("/v1/figures/sales?from=2026-01-01&to=2026-03-01").status == 400)
        }
    }

    @Test func `the trial balance is followed down to postings and entries`() async throws {
        try await House.open { _, gateway, service in
            for _ in 1...3 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            let first = try await service.ask("/v1/postings?account=wallet:ann:paid&limit=2").json
            #expect(first["balance"] == 300 && first["normal_side"] == "credit" && first["currency"] == "COIN")
            #expect(first["postings"].elements.map { $0["balance"] } == [300, 200], "\(first)")
            let cursor = try #require(first["next_cursor"].text)
            let rest = try await service.ask("/v1/postings?account=wallet:ann:paid&limit=2&cursor=\(cursor)").json
            #expect(rest["postings"].elements.map { $0["seq"] } == [1] && rest["has_more"] == false)
            let early = try await service.ask("/v1/postings?account=wallet:ann:paid&before=2020-01-01").json
            #expect(early["postings"].elements.isEmpty && early["balance"] == 300)

            let id = try #require(rest["postings"].elements.first?["journal_entry_id"].integer)
            let entry = try await service.ask("/v1/entries/\(id)").json
            #expect(entry["kind"] == "purchase" && entry["postings"].elements.count == 4, "\(entry)")
            #expect(
                entry["postings"].elements.contains { $0["account"] == "wallet:ann:paid" && $0["side"] == "credit" })
            // People follow an account from the entry: stripes are for SQL only.
            let issued = entry["postings"].elements.filter { $0["account"] == "coins:issued" }
            #expect(issued.map { $0["amount"] } == [100], "\(entry)")
            #expect(try await service.ask("/v1/postings?account=coins:issued").json["balance"] == 300)
            #expect(try await service.ask("/v1/entries/999999999").status == 404)
            #expect(try await service.ask("/v1/postings?account=nothing").status == 404)
            #expect(try await service.ask("/v1/postings").status == 400)
        }
    }

    @Test func `what is outstanding is listed by age, and unmatched lines across files`() async throws {
        try await House.open { house, gateway, service in
            for _ in 1...3 { #expect(try await service.present(try await gateway.pay()).status == 201) }
            try await house.books.execute(
                """
                UPDATE purchase SET paid_at = paid_at - days * interval '1 day'
                FROM (SELECT id, row_number() OVER (ORDER BY id) * 4 - 4 AS days FROM purchase) AS aged
                WHERE aged.id = purchase.id
                """)
            let ages = try await service.ask("/v1/settlements/outstanding/ages").json["ages"].elements
            #expect(ages.map { $0["from_days"] } == [0, 3, 8, 31])
            #expect(
                ages.map { $0["payments"] } == [1, 1, 1, 0] && ages.map { $0["outstanding"] } == [1000, 1000, 1000, 0])

            for (name, id) in [("one", "imp_x"), ("two", "imp_y")] {
                let day = seoulDay()
                let sent = try await service.send(
                    .post, "/v1/settlements?payment_id=id&gross=gross&net=gross&paid_out_at=day&name=\(name)",
                    as: Token.finance(), headers: [("Content-Type", "text/csv")], body: "id,gross,day\n\(id),500,\(day)"
                )
                #expect(sent.status == 200, "\(sent)")
            }
            let rows = try await service.ask("/v1/settlements/unmatched").json["rows"].elements
            #expect(
                rows.map { $0["payment"] } == ["imp_x", "imp_y"] && rows.map { $0["settlement"] } == [1, 2], "\(rows)")
            #expect(try await service.ask("/v1/open-items").json["settlement_lines_unmatched"] == 2)
        }
    }
}

extension Service {
    /// Asks as finance.
    fileprivate func ask(_ path: String) async throws -> Answer { try await get(path, as: Token.finance()) }

    /// The figures of the last day.
    fileprivate func today() async throws -> JSON {
        try #require(try await ask("/v1/figures/days").json["days"].elements.last)
    }
}
