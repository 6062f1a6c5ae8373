import CivilTime
import Currencies
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What Google Play pays out of payments in foreign currencies: it settles both legs, and the rest is exchange gain or loss.
@Suite(.timeLimit(.minutes(20))) struct ForeignSettlementTests {
    private static let currencies: [(code: String, per: Int64, rate: String, most: Int64)] = [
        ("USD", 1, "1387.40", 100_000), ("JPY", 100, "950.12", 1_000_000), ("KWD", 1, "4512.3", 100_000),
        ("VND", 100, "5.45", 10_000_000),
    ]

    private static func order(_ number: Int) -> String { sure(PaymentIdentity.sampleAtPlay(number).merchantPaymentID) }

    /// Each account of a foreign currency, and the accounts of won that settlement posts to.
    static func balances(_ test: TestLedger) async throws -> [String: Int64] {
        let connection = try await test.connectAsOwner()
        let found = try await connection.run(
            PostgresQuery<[(String, Int64)]>(
                """
                SELECT split_part(code, '/', 1), sum(balance)::bigint FROM account
                WHERE owner IS NULL AND (currency NOT IN ('KRW', 'COIN') OR code ~ '^(fx:|bank/|gateway:fees/)') GROUP BY 1
                """
            ) { row in (try row[0], try row[1]) })
        await connection.close()
        return Dictionary(uniqueKeysWithValues: found).filter { $0.value != 0 }
    }

    private static func charge(
        _ number: Int, _ won: String, fee: String, paid: String, _ kind: String = "", on day: String = "2026-01-03"
    ) -> EarningsFile {
        var file = EarningsFile()
        file.add(order(number), "Charge\(kind)", won, on: day, buyer: "USD", paid: paid)
        file.add(order(number), "Google fee\(kind)", fee, on: day, buyer: "USD", paid: "0.15")
        return file
    }

    /// Of $0.99, carried at ₩1,374: what the file says in won, and the balances afterwards.
    private static let payouts: [(won: String, fee: String, expected: [String: Int64])] = [
        ("1380", "-207", ["fx:gain:USD": 6, "bank": 1173, "gateway:fees": 207]),
        ("1374", "-200", ["bank": 1174, "gateway:fees": 200]),
        ("1300", "-195", ["fx:loss:USD": 74, "bank": 1105, "gateway:fees": 195]),
    ]

    @Test(arguments: payouts.indices)
    func `a payout in won takes the dollars off what is due, and its rate gains or loses the rest`(
        payout: Int
    ) async throws {
        let (won, fee, expected) = Self.payouts[payout]
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            let sold = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1), at: rate))
            let file = try Self.charge(1, won, fee: fee, paid: "0.99").draft()
            #expect(try await ledger.settlements.preview(file).lines.map(\.outcome) == [.booked])
            let report = try await ledger.settlements.book(file, by: "finance")
            #expect(report.settledNow == 1)
            #expect(try await Self.balances(test) == expected)
            let line = try #require(try await ledger.settlements.listLines(of: report.file.id, limit: 2).elements.first)
            #expect(line.carried == 1374 && line.foreign?.amount == 99)
            let settled = try #require(try await ledger.purchases.find(sold.id))
            #expect(settled.settledAmount == 1374 && settled.foreignSettled == 99)
            #expect(try await ledger.settlements.listOutstanding(limit: 10).payments.isEmpty)
            let row = try #require(try await ledger.export(.foreignSettlements).records.first)
            #expect(row["gain"] == String(sure(Int64(won)) - 1374) && row["foreign_gross"] == "99")
            try await Audit.expectSound(test)
        }
    }

    @Test func `more than was paid, and a line of another currency, are refused by their reasons`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1), at: rate))
            _ = try await ledger.buy(.sample(2, payment: .sampleAtPlay(2)))
            var file = EarningsFile([(Self.order(1), "Charge", "1374")])
            file.add(Self.order(1), "Charge", "1388", on: "2026-01-04", buyer: "USD", paid: "1.00")
            file.add(Self.order(1), "Charge", "1000", on: "2026-01-05", buyer: "JPY", paid: "99")
            file.add(Self.order(2), "Charge", "1000", buyer: "USD", paid: "0.70")
            let reasons: [String?] = ["foreign_currency", "exceeds_payment", "foreign_currency", "foreign_currency"]
            // The first order is in two currencies of a file: each line is read alone.
            for (place, lines) in try Self.eachAlone(file).enumerated() {
                #expect(
                    try await ledger.settlements.preview(lines).lines.map(\.outcome) == [
                        .refused(sure(reasons[place]))
                    ])
                let report = try await ledger.settlements.book(lines, by: "finance")
                let line = try await ledger.settlements.listLines(of: report.file.id, limit: 2).elements.first
                #expect(line?.status == .refused && line?.reason == reasons[place])
            }
            #expect(try await Self.balances(test)["bank"] == nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a corrected file of other cents is no repeat, and one of another scale is refused`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1), paying: 198, at: rate))
            func outcome(_ won: String, _ paid: String, on day: String = "2026-01-03") async throws -> String? {
                var file = EarningsFile()
                file.add(Self.order(1), "Charge", won, on: day, buyer: "USD", paid: paid)
                // No file has the same content as one before.
                file.add("GPA.\(won)-\(paid)-\(day)", "Charge", "1", on: day, buyer: "USD", paid: paid)
                let draft = try file.draft()
                let preview = try await ledger.settlements.preview(draft).lines
                let previewed = preview.first { $0.draft.payment == Self.order(1) }?.outcome
                let report = try await ledger.settlements.book(draft, by: "finance")
                let lines = try await ledger.settlements.listLines(of: report.file.id, limit: 2).elements
                let line = lines.first { $0.payment == Self.order(1) }
                #expect(previewed == line?.reason.map { .refused($0) } ?? .booked)
                return line?.reason
            }
            // They are worth ₩694 at the rate of the payment.
            #expect(try await outcome("700", "0.50") == nil)
            #expect(try await outcome("700", "0.51") == "settled_otherwise")
            for won in ["70000", "1400", "300", "7"] {
                #expect(try await outcome(won, "0.50", on: "2026-01-04") == "rate_implausible", "\(won)")
            }
            #expect(try await outcome("1300", "0.50", on: "2026-01-04") == nil)
            try await Audit.expectSound(test)
        }
    }

    /// A table of rates per 100 and a file with such a rate have the same mistake.
    @Test func `a payout that fits only the last published rate is refused`() async throws {
        try await TestLedger.with { ledger, test in
            let rate = try await ledger.publish("1387.40")
            _ = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1), at: rate))
            _ = try await ledger.publish("138740")
            let file = try Self.charge(1, "137353", fee: "-20603", paid: "0.99").draft()
            #expect(try await ledger.settlements.preview(file).lines.map(\.outcome) == [.refused("rate_implausible")])
            #expect(try await ledger.settlements.book(file, by: "finance").settledNow == 0)
            #expect(try await Self.balances(test)["bank"] == nil)
            try await Audit.expectSound(test)
        }
    }

    /// Each row as a file of its own.
    private static func eachAlone(_ file: EarningsFile) throws -> [SettlementFileDraft] {
        let rows = file.text.split(separator: "\n").map(String.init)
        return try rows.dropFirst().map { row in
            let reader = EarningsFileReader(paidOutOn: "2026-02-15", in: .gmt)
            return try sure(reader).read(Array("\(rows[0])\n\(row)\n".utf8), named: "one.csv")
        }
    }

    /// Whatever the parts are: all of what was paid is all of the won, and what goes back and what is settled never leave any.
    @Test func `what is settled and what goes back add up to the won, in any order`() {
        var random = SplitMix64(seed: 225)
        for _ in 0..<2_000 {
            let paid = Int64.random(in: 1...1_000_000_000_000_000, using: &random)
            let won = Int64.random(in: 1...Price.highest, using: &random)
            let purchase = Purchase.sample(won: won, paying: paid)
            let back = Int64.random(in: 0...paid, using: &random)
            #expect(purchase.worth(ofSettled: paid - back) + purchase.worth(ofCancelled: back) == won)
            // A deduction that came before its payout.
            #expect(purchase.worth(ofSettled: -back) == -purchase.worth(ofCancelled: back))
            #expect(purchase.worth(ofSettled: 0) == 0 && purchase.worth(ofSettled: paid) == won)
        }
    }

    /// A sale, and what the model knows of it.
    private struct Sale {
        let purchase: Purchase
        let number: Int
        var refunded: Int64 = 0
        var settled: Int64 = 0

        var paid: Int64 { purchase.paidAmount }
        var open: Int64 { paid - refunded - settled }
    }

    /// What the file says that is settled of a sale, at a rate of the payout near that of the payment.
    private static func payout(
        _ part: Int64, of sale: Sale, step: Int, using random: inout SplitMix64
    ) throws -> SettlementFileDraft {
        let currency = sure(Currencies.Currency(sale.purchase.paidCurrency.code))
        let worth = Double(sale.purchase.amount) * Double(abs(part)) / Double(sale.paid)
        let won = max(1, Int64(worth * Double.random(in: 0.9...1.1, using: &random)))
        let day = CivilDate(daysSince1970: sure(CivilDate(year: 2026, month: 1, day: 2)).daysSince1970 + Int64(step))
        var file = EarningsFile()
        let (sign, kind) = part < 0 ? ("-", "Charge refund") : ("", "Charge")
        file.add(
            order(sale.number), kind, "\(sign)\(won)", on: day.description, buyer: currency.code,
            paid: currency.decimal(part))
        let fee = Int64.random(in: 0...won / 3, using: &random)
        file.add(
            order(sale.number), "Google fee\(part < 0 ? " refund" : "")", "\(part < 0 ? "" : "-")\(fee)",
            on: day.description, buyer: currency.code, paid: "0")
        return try file.draft()
    }

    @Test(arguments: Effort.seeds(upTo: 3))
    func `after all is settled or given back, nothing of a currency is left, in it and in won`(
        _ seed: UInt64
    ) async throws {
        try await TestLedger.with { ledger, test in
            var random = SplitMix64(seed: seed)
            var sales: [Sale] = []
            var (gross, net): (Int64, Int64) = (0, 0)
            for currency in Self.currencies {
                let rate = try await ledger.publish(currency.rate, per: currency.per, of: currency.code)
                for _ in 0..<3 {
                    let number = sales.count + 1
                    let paid = Int64.random(in: 1_000...currency.most, using: &random)
                    let act = CreditPurchase.sample(
                        number, by: ["ann", "bob", "cat"].randomElement(using: &random) ?? "ann",
                        payment: .sampleAtPlay(number), paying: paid, at: rate)
                    sales.append(Sale(purchase: try await ledger.buy(act), number: number))
                }
            }
            func settle(_ part: Int64, _ place: Int, _ step: Int) async throws {
                let draft = try Self.payout(part, of: sales[place], step: step, using: &random)
                let report = try await ledger.settlements.book(draft, by: "finance")
                #expect(report.settledNow == 1, "\(part) of \(sales[place])")
                sales[place].settled += part
                gross += report.file.settled.gross
                net += report.file.settled.net
            }
            for step in 1...Effort.count(30, upTo: 300) {
                let place = Int.random(in: 0..<sales.count, using: &random)
                let sale = sales[place]
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where sale.refunded < sale.paid:
                    let total = Int64.random(in: (sale.refunded + 1)...sale.paid, using: &random)
                    let taken = try await ledger.submit(ClawBack.sample(of: sale.purchase, total))
                    if !taken.isRepeat { sales[place].refunded = total }
                case 1 where sale.settled < sale.paid:
                    try await settle(Int64.random(in: 1...(sale.paid - sale.settled), using: &random), place, step)
                default:
                    guard sale.settled > -sale.paid else { continue }
                    try await settle(-Int64.random(in: 1...(sale.paid + sale.settled), using: &random), place, step)
                }
                let balances = try await Self.balances(test)
                for currency in Self.currencies {
                    let own = sales.filter { $0.purchase.paidCurrency.code == currency.code }
                    let open = own.reduce(0) { $0 + $1.open }
                    #expect(balances["fx:clearing:\(currency.code)"] ?? 0 == open)
                    #expect(balances["google-play:receivable:\(currency.code)"] ?? 0 == open)
                }
            }
            for (place, sale) in sales.enumerated() where sale.open != 0 { try await settle(sale.open, place, 500) }
            let won = sales.reduce(0) { $0 + $1.purchase.amount - $1.purchase.worth(ofCancelled: $1.refunded) }
            let balances = try await Self.balances(test)
            let result = Self.currencies.reduce(Int64(0)) {
                $0 + (balances["fx:gain:\($1.code)"] ?? 0) - (balances["fx:loss:\($1.code)"] ?? 0)
            }
            #expect(result == gross - won && balances["bank"] ?? 0 == net)
            #expect(balances.keys.filter { $0.contains("receivable") || $0.contains("fx:clearing") } == [])
            #expect(try await ledger.settlements.listOutstanding(limit: 10).payments.isEmpty)
            try await Audit.expectSound(test)
        }
    }
}
