import CivilTime
import Currencies
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Random payments of up to 10^15 minor units at random rates, with parts that go back and that are paid out.
///
/// All balances are compared with sums of 128 bits.
@Suite(.timeLimit(.minutes(20))) struct LargeForeignHistoryTests {
    /// Two each of 0, 2, 3 and 4 decimals.
    ///
    /// The rate of the first of them lets 10^15 minor units be paid.
    private static let codes = ["JPY", "VND", "USD", "EUR", "KWD", "BHD", "CLF", "UYW"]

    private static func balances(_ test: TestLedger) async throws -> [String: Int128] {
        let connection = try await test.connectAsOwner()
        let found = try await connection.run(
            PostgresQuery<[(String, Int64)]>(
                """
                SELECT split_part(code, '/', 1), sum(balance)::bigint FROM account
                WHERE owner IS NULL AND currency <> 'COIN' GROUP BY 1
                """
            ) { row in (try row[0], try row[1]) })
        await connection.close()
        return Dictionary(uniqueKeysWithValues: found.map { ($0.0, Int128($0.1)) }).filter { $0.value != 0 }
    }

    @Test(arguments: Effort.seeds(upTo: 3))
    func `up to 10^15 minor units are bought, refunded and settled without an overflow or a lost unit`(
        _ seed: UInt64
    ) async throws {
        try await TestLedger.with { ledger, test in
            var history = LargeHistory(ledger, seed: seed)
            var rates: [Rate] = []
            for (place, code) in Self.codes.enumerated() {
                let quoted = QuotedRate(code, reachesMost: place.isMultiple(of: 2), using: &history.random)
                let quotation = quoted.quotation
                rates.append(try await ledger.publish(quotation.text, per: quotation.per, of: code))
                try await history.buy(at: rates[place], quoted, isAtStore: false, paying: quoted.most)
                try await history.buy(at: rates[place], quoted, isAtStore: true, paying: quoted.most)
                for isAtStore in [false, true] {
                    let paid = quoted.somePaid(using: &history.random)
                    try await history.buy(at: rates[place], quoted, isAtStore: isAtStore, paying: paid)
                }
            }
            for _ in 1...Effort.count(40, upTo: 400) { try await history.step() }
            #expect(try await Self.balances(test) == history.balances)
            try await history.end()
            #expect(try await Self.balances(test) == history.balances)
            let open = history.balances.filter { $0.key.hasPrefix("google-play:receivable") }
            #expect(open.isEmpty, "all is paid out or given back")
            try await Audit.expectSound(test)
        }
    }
}

/// A random rate, at which some amounts can be booked.
private struct QuotedRate {
    let quotation: Quotation
    /// The least and the most minor units that are worth a won at least, and not more than a price can be.
    let least: Int64
    let most: Int64
    /// The minor units that are worth ``Quotation/value`` won.
    private let units: Int128

    init(_ code: String, reachesMost: Bool, using random: inout SplitMix64) {
        let decimals = sure(Currencies.Currency(code)).decimals
        while true {
            let value = Int64.random(in: 1...Self.power(Int.random(in: 1...11, using: &random)), using: &random)
            let scale = Int.random(in: 0...8, using: &random)
            let per: Int64 = Bool.random(using: &random) ? 1 : 100
            let units = Int128(Self.power(decimals + scale)) * Int128(per)
            let most = Int64(min(Int128(ForeignPayment.highest), Int128(Price.highest) * units / Int128(value)))
            let least = Int64((units + Int128(value) - 1) / Int128(value))
            if most / least >= 1_000, !reachesMost || most == ForeignPayment.highest {
                (self.units, self.least, self.most) = (units, least, most)
                quotation = sure(Quotation(value: value, scale: Int64(scale), per: per))
                return
            }
        }
    }

    private static func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// The worth in won, rounded half-even once.
    func worth(of paid: Int64) -> Int128 {
        let (won, rest) = (Int128(paid) * Int128(quotation.value)).quotientAndRemainder(dividingBy: units)
        return won + (2 * rest > units || 2 * rest == units && !won.isMultiple(of: 2) ? 1 : 0)
    }

    /// One of all sizes.
    func somePaid(using random: inout SplitMix64) -> Int64 {
        let limit = most >> Int64.random(in: 0..<Int64(Int64.bitWidth - most.leadingZeroBitCount), using: &random)
        return Int64.random(in: least...max(least, limit), using: &random)
    }
}

/// A payment, and what is known of it without the ledger.
private struct LargeSale {
    let purchase: Purchase
    let number: Int
    let isAtStore: Bool
    let paid: Int128
    let won: Int128
    /// What went back, and what was paid out, in minor units.
    var back: Int128 = 0
    var settled: Int128 = 0
    var coins: Int64
    /// The won of these coins.
    var deferred: Int128

    var open: Int128 { paid - back - settled }
    var openWon: Int128 { won - won(ofBack: back) - won(ofSettled: settled) }
    var code: String { purchase.paidCurrency.code }

    func won(ofBack back: Int128) -> Int128 { won * back / paid }

    func won(ofSettled settled: Int128) -> Int128 {
        settled < 0 ? -(won * -settled / paid) : won - won * (paid - settled) / paid
    }

    /// What was paid for coins: as many minor units as are not worth more than their won.
    ///
    /// If one is worth less than a won, the fewest that are worth them. A smaller part than all leaves one.
    func price(of coins: Int64) -> Int128 {
        let price = deferred * Int128(coins) / Int128(self.coins)
        guard price < won - won(ofBack: back) else { return paid - back }
        return min(paid - back - 1, (price * paid + min(won, paid) - 1) / won)
    }
}

/// Random acts, and the sums of what they move.
private struct LargeHistory {
    let ledger: Ledger
    var random: SplitMix64
    private var sales: [LargeSale] = []
    /// What is no part of an open sale: fees, the bank, gains and losses.
    private var sums: [String: Int128] = [:]
    private var steps: Int64 = 0

    init(_ ledger: Ledger, seed: UInt64) {
        self.ledger = ledger
        random = SplitMix64(seed: seed)
    }

    /// All balances in won and in foreign currencies.
    var balances: [String: Int128] {
        var balances = sums
        for sale in sales {
            let gateway = sale.isAtStore ? "google-play" : "gateway"
            balances["\(gateway):receivable:\(sale.code)", default: 0] += sale.open
            balances["fx:clearing:\(sale.code)", default: 0] += sale.open
            balances["fx:clearing:\(sale.code):KRW", default: 0] += sale.openWon
            balances["coins:deferred-revenue", default: 0] += sale.deferred
        }
        return balances.filter { $0.value != 0 }
    }

    mutating func buy(at rate: Rate, _ quoted: QuotedRate, isAtStore: Bool, paying paid: Int64) async throws {
        let number = sales.count + 1
        let coins = Int64.random(in: 1...10_000, using: &random)
        let purchase = try await ledger.buy(
            .sample(
                number, by: "user-\(number)", payment: isAtStore ? .sampleAtPlay(number) : .sample(number),
                paying: paid, at: rate, coins: coins))
        let won = quoted.worth(of: paid)
        #expect(Int128(purchase.amount) == won && purchase.paidAmount == paid, "\(paid) at \(quoted.quotation)")
        sales.append(
            LargeSale(
                purchase: purchase, number: number, isAtStore: isAtStore, paid: Int128(paid), won: won, coins: coins,
                deferred: won))
    }

    mutating func step() async throws {
        steps += 1
        let place = Int.random(in: 0..<sales.count, using: &random)
        let sale = sales[place]
        switch (sale.isAtStore, Int.random(in: 0..<3, using: &random)) {
        case (false, _):
            if sale.coins > 0 { try await refund(place) }
        case (true, 0):
            if sale.back < sale.paid { try await giveBack(place) }
        case (true, 1):
            if sale.settled < sale.paid { try await settle(some(sale.paid - sale.settled), place) }
        default:
            if sale.settled > -sale.paid { try await settle(-some(sale.paid + sale.settled), place) }
        }
    }

    /// The store pays out all that is open, or keeps it back.
    mutating func end() async throws {
        for (place, sale) in sales.enumerated() where sale.isAtStore && sale.open != 0 {
            steps += 1
            try await settle(Int64(sale.open), place)
        }
    }

    private mutating func some(_ most: Int128) -> Int64 {
        Bool.random(using: &random) ? Int64(most) : Int64.random(in: 1...Int64(most), using: &random)
    }

    private mutating func refund(_ place: Int) async throws {
        var sale = sales[place]
        let (coins, percent) = (some(Int128(sale.coins)), Bool.random(using: &random) ? Int128(0) : 10)
        let (price, before) = (sale.price(of: coins), sale.won(ofBack: sale.back))
        let answer = try await ledger.submit(
            BeginRefund.sample(
                "refund-\(steps)", of: sale.purchase.id, by: sale.purchase.user, coins: coins,
                feePercent: Int64(percent)))
        guard let refund = answer.begun else {
            // After a fee, which can be a unit more than the percentage, it can also be the payer who gets nothing.
            let least = max(0, price - (price * percent + 99) / 100)
            #expect(answer.refusal == .nothingToRefund && sale.won(ofBack: sale.back + least) == before)
            return
        }
        let (paidBack, fee) = (Int128(refund.paidBack), Int128(refund.paidFee))
        #expect(paidBack + fee == price)
        #expect((price * percent / 100...(price * percent + 99) / 100).contains(fee))
        let (value, amount) = (
            sale.won(ofBack: sale.back + price) - before, sale.won(ofBack: sale.back + paidBack) - before
        )
        #expect(Int128(refund.value) == value && Int128(refund.amount) == amount)
        _ = try #require(try await ledger.submit(CompleteRefund.sample(refund)).decided)
        let taken = coins == sale.coins ? sale.deferred : min(sale.deferred, value)
        sums["revenue:refund-fees", default: 0] += value - amount
        sums["revenue:coins", default: 0] += taken - value
        sale.back += paidBack
        sale.deferred -= taken
        sale.coins -= coins
        sales[place] = sale
    }

    private mutating func giveBack(_ place: Int) async throws {
        var sale = sales[place]
        let total = sale.back + Int128(some(sale.paid - sale.back))
        let won = sale.won(ofBack: total) - sale.won(ofBack: sale.back)
        let taken = try await ledger.submit(ClawBack.sample(of: sale.purchase, Int64(total)))
        // A part that is worth no won waits for the next one.
        #expect(taken.isRepeat == (won == 0), "\(total) of \(sale.paid)")
        guard won != 0 else { return }
        sale.back = total
        sale.deferred -= won
        sales[place] = sale
    }

    /// A part is paid out near its worth, or kept back if it is below zero.
    ///
    /// What was kept back whole and is paid out again is twice what was paid, which may be more than a line can have.
    private mutating func settle(_ part: Int64, _ place: Int) async throws {
        guard part.magnitude <= ForeignPayment.highest.magnitude else {
            try await settle(part / 2, place)
            steps += 1
            return try await settle(part - part / 2, place)
        }
        let (sale, sign) = (sales[place], part < 0 ? Int128(-1) : 1)
        let percent = Int128(Int64.random(in: 90...110, using: &random))
        let worth = sale.won * Int128(part.magnitude) * percent / sale.paid / 100
        let gross = max(1, min(Int128(Price.highest), worth))
        let fee = Int128(Int64.random(in: 0...Int64(gross / 3), using: &random))
        let draft = try payout(part, gross: Int64(gross), fee: Int64(fee), of: sale)
        let report = try await ledger.settlements.book(draft, by: "finance")
        #expect(report.settledNow == 1, "\(part) of \(sale)")
        sales[place].settled += Int128(part)
        let carried = sale.won(ofSettled: sale.settled + Int128(part)) - sale.won(ofSettled: sale.settled)
        sums["bank", default: 0] += sign * (gross - fee)
        sums["gateway:fees", default: 0] += sign * fee
        sums["fx:gain:\(sale.code)", default: 0] += max(0, sign * gross - carried)
        sums["fx:loss:\(sale.code)", default: 0] += max(0, carried - sign * gross)
    }

    private func payout(_ part: Int64, gross: Int64, fee: Int64, of sale: LargeSale) throws -> SettlementFileDraft {
        let currency = sure(Currencies.Currency(sale.code))
        let order = sure(PaymentIdentity.sampleAtPlay(sale.number).merchantPaymentID)
        // Each line has a day of its own: two of a day and direction can't be told apart.
        let first = sure(CivilDate(year: 2026, month: 1, day: 2)).daysSince1970
        let day = CivilDate(daysSince1970: first + steps).description
        let (sign, opposite, kind) = part < 0 ? ("-", "", " refund") : ("", "-", "")
        var file = EarningsFile()
        file.add(
            order, "Charge\(kind)", "\(sign)\(gross)", on: day, buyer: sale.code, paid: currency.decimal(part))
        file.add(order, "Google fee\(kind)", "\(opposite)\(fee)", on: day, buyer: sale.code, paid: "0")
        return try file.draft()
    }
}
