import Currencies
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Amounts of foreign currencies in the functional one: exact, and rounded half-even once.
@Suite(.timeLimit(.minutes(20))) struct ConversionTests {
    private typealias Money = Currencies.Currency

    /// An amount to convert.
    private struct Sample {
        let amount: Int64
        let quotation: Quotation
        let foreign: Money
        let functional: Money

        init(_ amount: Int64, _ code: String, at rate: String, per: Int64 = 1, in functional: String = "KRW") {
            self.amount = amount
            quotation = sure(Quotation(rate, per: per))
            foreign = sure(Money(code))
            self.functional = sure(Money(functional))
        }

        /// One of all sizes, up to 10^15 minor units; half of them have few digits, so that some are ties.
        init(_ random: inout SplitMix64, _ number: Int) {
            func upTo(_ exponents: ClosedRange<Int>) -> Int64 {
                let limit = (0..<Int.random(in: exponents, using: &random)).reduce(Int64(1)) { power, _ in power * 10 }
                return Int64.random(in: 1...limit, using: &random)
            }
            foreign = sure(Money(sure(["JPY", "USD", "KWD", "CLF"].randomElement(using: &random))))
            functional = sure(Money(sure(["KRW", "USD", "KWD"].randomElement(using: &random))))
            let isRound = number.isMultiple(of: 2)
            let value = isRound ? 5 * upTo(0...3) : upTo(0...11)
            quotation = sure(
                Quotation(
                    value: value, scale: Int64.random(in: 0...(isRound ? 3 : 8), using: &random),
                    per: Bool.random(using: &random) ? 1 : 100))
            let amount = upTo(isRound ? 0...6 : 0...15)
            self.amount = Bool.random(using: &random) ? amount : -amount
        }

        var worth: Int64? {
            try? Conversion(quotation, from: foreign, to: functional).worth(of: amount)
        }

        /// By Foundation's decimal numbers of 38 digits: the product is exact, and the quotient moves its point.
        private var exact: Decimal {
            let places =
                Int(quotation.scale) + (quotation.per == 100 ? 2 : 0) + foreign.decimals - functional.decimals
            let product = Decimal(amount) * Decimal(quotation.value)
            return Decimal(sign: product.sign, exponent: -places, significand: product.magnitude)
        }

        private func rounded(_ mode: NSDecimalNumber.RoundingMode) -> Decimal {
            var (exact, rounded) = (exact, Decimal())
            NSDecimalRound(&rounded, &exact, 0, mode)
            return rounded
        }

        var expected: Decimal { rounded(.bankers) }

        /// Whether two whole numbers are as near.
        var isTie: Bool { rounded(.up) + rounded(.down) == 2 * exact && rounded(.up) != rounded(.down) }

        var converted: PostgresQuery<Int64> {
            .one(
                "SELECT converted($1, $2, $3, $4, $5, $6)",
                [
                    amount, Int64(foreign.decimals), quotation.value, quotation.scale, quotation.per,
                    Int64(functional.decimals),
                ])
        }
    }

    private static let known: [(Sample, Int64)] = [
        (Sample(1, "USD", at: "1450.00"), 14),  // 14.5
        (Sample(3, "USD", at: "1450.00"), 44),  // 43.5
        (Sample(-1, "USD", at: "1450.00"), -14), (Sample(-3, "USD", at: "1450.00"), -44),
        (Sample(99, "USD", at: "1387.40"), 1374),  // 1373.526
        (Sample(120, "JPY", at: "950.12", per: 100), 1140),  // 1140.144
        (Sample(1000, "JPY", at: "950.15", per: 100), 9502),  // 9501.5
        (Sample(1000, "JPY", at: "950.25", per: 100), 9502),  // 9502.5
        (Sample(1500, "KWD", at: "4512.3"), 6768),  // 6768.45
        (Sample(5000, "CLF", at: "0.5"), 0),  // 0.25
        (Sample(1, "CLF", at: "5000"), 0), (Sample(3, "CLF", at: "5000"), 2), (Sample(0, "USD", at: "1450"), 0),
        (Sample(1, "JPY", at: "0.00725", in: "USD"), 1),  // 0.725 cents
        (Sample(2, "JPY", at: "0.0125", in: "USD"), 2),  // 2.5 cents
        (Sample(1, "USD", at: "0.3075", in: "KWD"), 3),  // 3.075 thousandths
        (Sample(.max, "JPY", at: "1"), .max), (Sample(.min, "JPY", at: "1"), .min),
        (Sample(.max, "USD", at: "99.5"), 9_177_255_176_670_501_928),
    ]

    @Test func `an amount is converted exactly, and a tie goes to the even number`() {
        for (sample, worth) in Self.known { #expect(sample.worth == worth, "\(sample)") }
    }

    @Test func `what does not fit 64 bits is an overflow`() throws {
        for sample in [
            Sample(.max, "JPY", at: "2"), Sample(.min, "JPY", at: "1.01"), Sample(.max, "USD", at: "999999999999"),
            Sample(.min, "JPY", at: "999999999999", in: "CLF"),
        ] {
            let conversion = Conversion(sample.quotation, from: sample.foreign, to: sample.functional)
            #expect(throws: Conversion.Overflow()) { try conversion.worth(of: sample.amount) }
        }
    }

    @Test func `random amounts of all sizes are worth what decimal numbers say`() {
        var random = SplitMix64(seed: Effort.seed)
        var ties = 0
        for number in 0..<Effort.count(20_000, upTo: 200_000) {
            let sample = Sample(&random, number)
            let expected = sample.expected
            guard abs(expected) < Decimal(Int64.max) else {
                #expect(sample.worth == nil, "\(sample)")
                continue
            }
            #expect(sample.worth.map { Decimal($0) } == expected, "\(sample)")
            if sample.isTie { ties += 1 }
        }
        #expect(ties > 100, "only \(ties) are a tie")
    }

    @Test func `PostgreSQL converts as the code does`() async throws {
        try await TestLedger.withDatabase { test in
            let service = try await test.connectAsService()
            var random = SplitMix64(seed: Effort.seed)
            let samples =
                Self.known.map(\.0) + (0..<Effort.count(500, upTo: 5000)).map { Sample(&random, $0) }
            for sample in samples {
                guard let worth = sample.worth else {
                    await #expect(throws: PostgresError.self) { try await service.run(sample.converted) }
                    continue
                }
                #expect(try await service.run(sample.converted) == worth, "\(sample)")
            }
            for (numerator, denominator, quotient) in [
                (5, 2, 2), (7, 2, 4), (-5, 2, -2), (-7, 2, -4), (7, -2, -4), (-7, -2, 4), (1, 3, 0), (2, 3, 1),
                (0, 3, 0),
            ] as [(Int64, Int64, Int64)] {
                let query = PostgresQuery<Int64>.one(
                    "SELECT half_even($1::int8, $2::int8)::int8", [numerator, denominator])
                #expect(try await service.run(query) == quotient, "\(numerator) / \(denominator)")
            }
            await service.close()
        }
    }
}
