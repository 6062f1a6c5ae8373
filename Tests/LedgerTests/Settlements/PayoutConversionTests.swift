import TestSupport
import Testing

@testable import Ledger

/// A line in a foreign currency becomes won by the rate of its payout, the won that were paid out, or both.
@Suite(.timeLimit(.minutes(20))) struct PayoutConversionTests {
    private static func won(
        _ amounts: [Int64], _ code: String = "USD", rate: String? = nil, won: Int64? = nil
    ) throws -> [Int64] {
        let conversion = PayoutConversion(
            currency: try ForeignCurrency(code), rate: rate.map { sure(Quotation($0, per: 1)) }, won: won)
        let line = PayoutAmounts(gross: amounts[0], fee: amounts[1], tax: amounts[2], net: amounts[3])
        let found = try conversion.won(of: line)
        #expect(found.net == found.expectedNet, "\(amounts)")
        return [found.gross, found.fee, found.tax, found.net]
    }

    /// Of $9.99 with a fee of $0.30 and a tax of $0.03, the won by the rate, by the payout, and by both.
    @Test(
        arguments: [
            ("1395.20", nil, [13_939, 419, 42, 13_478]), (nil, 13_478, [13_939, 419, 42, 13_478]),
            // The gateway cut the won off.
            ("1395.20", 13_477, [13_938, 419, 42, 13_477]), ("1370.00", nil, [13_686, 411, 41, 13_234]),
        ] as [(String?, Int64?, [Int64])])
    func `fee and tax are at the rate of the payout, net is what was paid, and gross is their sum`(
        rate: String?, paid: Int64?, expected: [Int64]
    ) throws {
        #expect(try Self.won([999, 30, 3, 966], rate: rate, won: paid) == expected)
        let back = expected.map { -$0 }
        #expect(try Self.won([-999, -30, -3, -966], rate: rate, won: paid.map { -$0 }) == back)
    }

    @Test func `half a won goes to the even one, in each direction`() throws {
        for (rate, won) in [("1385", 692), ("1387", 694)] as [(String, Int64)] {
            #expect(try Self.won([50, 0, 0, 50], rate: rate) == [won, 0, 0, won])
            #expect(try Self.won([-50, 0, 0, -50], rate: rate) == [-won, 0, 0, -won])
        }
        #expect(try Self.won([2, 1, 0, 1], rate: "1450.00") == [28, 14, 0, 14])
        // The fee of 1 is half of a net amount of 29.
        #expect(try Self.won([3, 1, 0, 2], won: 29) == [43, 14, 0, 29])
    }

    @Test func `decimals are those of the currency`() throws {
        #expect(try Self.won([1200, 40, 4, 1156], "JPY", rate: "9.5125") == [11_414, 380, 38, 10_996])
        #expect(try Self.won([1_500, 50, 5, 1_445], "KWD", rate: "4512.3") == [6_769, 226, 23, 6_520])
    }

    @Test func `a fee without a payment has no gross amount`() throws {
        #expect(try Self.won([0, 50, 5, -55], rate: "1387.40") == [0, 694, 69, -763])
        #expect(try Self.won([0, 1, 1, -2], won: -29) == [0, 15, 14, -29])
        // All is kept: only the rate tells what it is worth.
        #expect(try Self.won([50, 50, 0, 0], rate: "1387.40") == [694, 694, 0, 0])
    }

    @Test func `what tells no rate, or tells two, is refused`() throws {
        let cases: [(amounts: [Int64], rate: String?, won: Int64?, fault: PayoutConversion.Fault)] = [
            ([999, 30, 3, 966], nil, nil, .rateMissing), ([50, 50, 0, 0], nil, 100, .netIsZero),
            ([50, 50, 0, 0], nil, nil, .netIsZero),
            ([999, 30, 3, 966], nil, -13_478, .differs(worth: nil)), ([999, 30, 3, 966], nil, 0, .differs(worth: nil)),
            ([999, 30, 3, 966], "1395.20", 13_480, .differs(worth: 13_478)),
            ([999, 30, 3, 966], "13.95", 13_478, .differs(worth: 135)),
            ([1_000_000_000_000_000, 0, 0, 1_000_000_000_000_000], "1395.20", nil, .notBookable),
            // The units of one won.
            ([999, 30, 3, 966], "0.0007", nil, .worthNoWon(sure(Quotation("0.0007", per: 1)))),
            // A cent, less a fee that the rounded payout makes larger.
            ([1, 100, 0, -99], "13.40", -14, .notBookable),
        ]
        for (amounts, rate, won, fault) in cases {
            #expect(throws: fault, "\(amounts) \(rate ?? "") \(won ?? 0)") {
                try Self.won(amounts, rate: rate, won: won)
            }
        }
    }

    /// A file's rate has few digits: its last one may be off by half.
    @Test func `the won may differ by half of the rate's last digit, and by a won`() throws {
        let much: [Int64] = [1_000_000, 0, 0, 1_000_000]
        #expect(try Self.won(much, rate: "1395", won: 13_955_001) == [13_955_001, 0, 0, 13_955_001])
        #expect(throws: PayoutConversion.Fault.differs(worth: 13_950_000)) {
            try Self.won(much, rate: "1395", won: 13_955_002)
        }
    }

    @Test func `fee and tax are at the won of the payout, if these have more digits than the file's rate`() throws {
        #expect(
            try Self.won([1_000_000, 30_000, 3_000, 967_000], "VND", rate: "0.05", won: 52_702)
                == [54_501, 1635, 164, 52_702])
        // 1395.20 has six digits, and 13478 five.
        #expect(try Self.won([99_999, 98_999, 34, 966], rate: "1395.20", won: 13_477)[1] == 1_381_234)
        // Nothing is paid out.
        #expect(try Self.won([10, 10, 0, 0], "JPY", rate: "1", won: 1) == [11, 10, 0, 1])
    }

    @Test func `any line adds up, keeps its directions, and is near the rate`() throws {
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(500, upTo: 20_000) {
            let gross = Int64.random(in: 1...100_000, using: &random)
            let fee = Int64.random(in: 0...gross, using: &random)
            let tax = Int64.random(in: 0...(gross - fee), using: &random)
            let rate = Int64.random(in: 100_000...200_000, using: &random)
            let won = try Self.won([gross, fee, tax, gross - fee - tax], rate: "\(rate / 100).\(rate % 100)")
            #expect(won.allSatisfy { $0 >= 0 })
        }
    }
}
