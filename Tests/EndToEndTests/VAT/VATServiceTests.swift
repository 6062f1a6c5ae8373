import Foundation
import TestSupport
import Testing

/// VAT as a shop and its finance meet it over HTTP, with all its settings on.
@Suite(.serialized, .timeLimit(.minutes(20))) struct VATServiceTests {
    static let settings = [
        "LEDGERD_VAT": "true", "LEDGERD_VAT_BREAKAGE": "true", "LEDGERD_VAT_REFUND_FEES": "true",
        "LEDGERD_REFUND_FEE_PERCENT": "10",
    ]

    @Test func `a quarter's report adds up to its trial balance`() async throws {
        try await House.with { house in
            try await house.sellUnderEachRule()
            let gateway = try await house.startGateway()
            let settings = Self.settings.merging(Noon.setting) { $1 }
                .merging(["LEDGERD_PAID_COIN_LIFETIME": "2s"]) { $1 }
            let service = try await house.serve(at: gateway, settings)
            // Coins that live for two seconds, at the use; the others live for ever.
            _ = try await service.buy(try await gateway.pay("1000"), by: "idler")
            try await Self.use(gateway, service, "ann", won: "2000", spend: 60, refund: 50, fee: 50)
            try await Self.use(gateway, service, "bob", won: "4000", spend: 100, refund: 100, fee: 100)
            try await Self.use(gateway, service, "eve", won: "700", spend: 20, refund: 50, fee: 50)
            try await eventually("the coins expire") { try await service.coins(of: "idler") == 0 }

            let quarter = Self.quarter
            let answer = try await service.get("/v1/exports/vat?quarter=\(quarter)&format=jsonl", as: Token.finance())
            let rows = Self.rows(answer).map { row in
                [row["rule"], row["act"], row["taxable_supply"], row["exempt_supply"], row["output_vat"]]
            }
            #expect(
                rows == [
                    ["at_sale", "purchase", 3637, 0, 363],  // ₩4,000
                    ["at_sale", "refund", -909, 0, -91],  // ₩1,000 of them are sold no more
                    ["at_use", "expiry", 910, 0, 90],
                    ["at_use", "spend", 546, 0, 54],
                    ["exempt", "refund", 0, 50, 0],  // the fee
                    ["exempt", "spend", 0, 200, 0],
                    ["refund_fees", "refund", 137, 0, 13],  // of ₩50 and ₩100
                ], "\(answer)")
            let totals = try await service.get(
                "/v1/exports/trial-balance-totals?quarter=\(quarter)&format=jsonl", as: Token.finance())
            func credited(_ account: String) -> Int64 {
                Self.rows(totals).filter { $0["account"].text == account }.reduce(0) {
                    $0 + ($1["credit_total"].integer ?? 0) - ($1["debit_total"].integer ?? 0)
                }
            }
            #expect(credited("tax:vat-payable") == 429, "\(totals)")
            #expect(credited("tax:vat-deferred") == -(272 - 90))
            #expect(credited("revenue:breakage") == 910 && credited("revenue:refund-fees") == 200 - 13)
            #expect(credited("revenue:coins") == 546 + 910 + 200)

            let environment = ["LEDGERD_DATABASE_URL": house.ledger.serviceURL].merging(Noon.setting) { $1 }
            let command = try await house.run(
                "export", "vat", "--quarter", quarter, "--format", "jsonl", with: environment)
            #expect(command.exit == .code(0) && command.output.hasPrefix(Self.lines(answer).joined(separator: "\n")))
            let wrong = try await house.run("export", "vat", "--quarter", quarter, "--from", "2026-01-01")
            #expect(wrong.exit == .code(64) && wrong.errors.contains("--quarter"), "\(wrong)")
            let before = try await service.get("/v1/exports/vat?quarter=2020-Q1&format=jsonl", as: Token.finance())
            #expect(Self.rows(before).isEmpty)
            try await house.expectNothingFound()
        }
    }

    /// Buys, spends, and has a part refunded, each request twice.
    private static func use(
        _ gateway: Gateway, _ service: Service, _ user: String, won: String, spend: Int64, refund: Int64, fee: Int64
    ) async throws {
        let purchase = try await service.buy(try await gateway.pay(won), by: user)
        for _ in 0..<2 {
            let spent = try await service.post("/v1/users/\(user)/spends", #"{"coins": \#(spend)}"#, key: "s-\(user)")
            #expect(spent.status == 201, "\(spent)")
            let refunded = try await service.refund(purchase, #", "coins": \#(refund)"#, key: "r-\(user)")
            #expect(refunded.json["refund"]["status"] == "completed", "\(refunded)")
            // What the customer gets does not depend on the VAT of the fee.
            #expect(refunded.json["refund"]["fee"].integer == fee)
            #expect(refunded.json["refund"]["amount"].integer == refund * 10 - fee)
        }
    }

    @Test(arguments: ["LEDGERD_VAT_BREAKAGE", "LEDGERD_VAT_REFUND_FEES"])
    func `VAT of breakage or of fees without VAT is refused at the start`(setting: String) async throws {
        try await House.with { house in
            let settings = house.settings().merging([setting: "true"]) { $1 }
            let refused = try await house.run("serve", with: settings)
            #expect(refused.exit == .code(1) || refused.exit == .code(78), "\(refused)")
            let name = setting.replacing("LEDGERD_", with: "").lowercased()
            #expect(refused.errors.contains("\(name) is set without vat"), "\(refused.errors)")
            // Nor does a report say that there is none to file.
            let report = try await house.run(
                "export", "vat", "--quarter", "2026-Q1", with: ["LEDGERD_DATABASE_URL": house.ledger.serviceURL])
            #expect(report.exit == .code(1) && report.output.isEmpty, "\(report)")
            #expect(report.errors.contains("vat (LEDGERD_VAT) is off"), "\(report)")
        }
    }

    /// The rows of an export in JSON Lines; its last line is the trailer.
    private static func rows(_ answer: Answer) -> [JSON] { lines(answer).map { JSON(Array($0.utf8)) } }

    private static func lines(_ answer: Answer) -> [Substring] { answer.text.split(separator: "\n").dropLast() }

    /// The present one.
    private static var quarter: String {
        let day = Noon.day().split(separator: "-")
        return "\(day[0])-Q\((sure(Int(day[1])) + 2) / 3)"
    }
}

extension House {
    /// Sells three more products, whose coins never expire: 200 with VAT at the use, 400 at the sale, 70 exempt.
    func sellUnderEachRule() async throws {
        try await books.execute(
            """
            INSERT INTO product (code, title, price, currency, coins, bonus_coins, coin_days, bonus_coin_days, vat)
            VALUES ('coins_200', '200 Coin', 2000, 'KRW', 200, 0, 0, 0, 'at_use'),
                ('coins_400', '400 Coin', 4000, 'KRW', 400, 0, 0, 0, 'at_sale'),
                ('coins_70', '70 Coin', 700, 'KRW', 70, 0, 0, 0, 'exempt')
            """)
    }

    /// Expects the books to be sound, and the doctor to find nothing.
    func expectNothingFound() async throws {
        try await expectSound()
        let found = try await run("doctor", "--json", with: ["LEDGERD_DATABASE_URL": ledger.serviceURL])
        #expect(found.exit == .code(0), "\(found)")
    }
}
