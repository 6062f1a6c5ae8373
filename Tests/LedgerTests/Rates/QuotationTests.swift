import TestSupport
import Testing

@testable import Ledger

/// Rates as they are quoted.
@Suite(.timeLimit(.minutes(20))) struct QuotationTests {
    @Test func `a number is kept with all digits as it was quoted`() throws {
        for (text, value, scale) in [
            ("1387.40", 138_740, 2), ("1387.4", 13_874, 1), ("1", 1, 0), ("0.00001234", 1234, 8), ("950.12", 95_012, 2),
            ("999999999999", 999_999_999_999, 0), ("9999.99999999", 999_999_999_999, 8),
        ] as [(String, Int64, Int64)] {
            let quotation = try #require(Quotation(text, per: 100), "\(text)")
            #expect(quotation.value == value && quotation.scale == scale && quotation.per == 100)
            #expect(quotation.text == text)
        }
    }

    @Test func `another text, a number that is not positive or too long, and another unit are no rate`() {
        for text in [
            "", "0", "0.00", "-1", "+1", "1,387.40", ".5", "5.", "1.2.3", "01", "00.5", "1e3", " 1", "1 ", "1387.4O",
            "१",
            "1000000000000", "0.123456789", "10000.00000000", "99999999999999999999",
        ] {
            #expect(Quotation(text, per: 1) == nil, "\(text)")
        }
        for per in [0, 2, 10, 1000, -1] as [Int64] { #expect(Quotation("1", per: per) == nil, "\(per)") }
    }

    @Test func `a number that a formula made is rounded to the digits that a rate has`() {
        for (text, expected) in [
            ("1395.2380952380952", "1395.23809524"), ("1395.2000000000", "1395.20000000"), ("1395.20", "1395.20"),
            ("123456789.1235", "123456789.124"), ("123456789.1245", "123456789.124"), ("0.000000015", "0.00000002"),
            ("0.000000025", "0.00000002"), ("123456789012.5", "123456789012"),
        ] as [(String, String)] {
            #expect(Quotation(computed: text, per: 1)?.text == expected, "\(text)")
        }
        for text in [
            "0.000000005", "1234567890123.5", "1,395.2380952380", "1395.", "0.0", "-1.0000000000", "999999999999.5",
        ] {
            #expect(Quotation(computed: text, per: 1) == nil, "\(text)")
        }
    }

    @Test func `two quotations are worth the same if their prices are equal, however they are written`() throws {
        func quotation(_ text: String, per: Int64 = 1) -> Quotation { sure(Quotation(text, per: per)) }
        #expect(quotation("1387.4").isWorth(quotation("1387.40")))
        #expect(quotation("950.12", per: 100).isWorth(quotation("9.5012")))
        #expect(!quotation("1387.4").isWorth(quotation("1387.41")))
        #expect(!quotation("950.12", per: 100).isWorth(quotation("950.12")))
        #expect(quotation("0.00000001").isWorth(quotation("0.00000100", per: 100)))
    }

    @Test func `a foreign currency is one of ISO 4217, and not that of the books`() throws {
        #expect(try ForeignCurrency("USD").code == "USD")
        for (code, fault) in [
            ("KRW", .functional), ("XYZ", .unknown), ("usd", .unknown), ("", .unknown), ("COIN", .unknown),
        ] as [(String, ForeignCurrency.Fault)] {
            #expect(throws: fault) { try ForeignCurrency(code) }
        }
    }
}
