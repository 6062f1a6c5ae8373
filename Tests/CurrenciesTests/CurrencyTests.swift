import Currencies
import Testing

@Suite(.timeLimit(.minutes(20))) struct CurrencyTests {
    @Test(
        arguments: [
            ("1000", "KRW", 1000), ("1000.00", "KRW", 1000), ("1e3", "KRW", 1000), ("-0", "KRW", 0),
            ("14.2", "USD", 1420),
            ("1.1E1", "USD", 1100), ("150E-2", "USD", 150), ("1.005", "BHD", 1005), ("-14.2", "USD", -1420),
            ("1.0001", "CLF", 10_001), ("0.20", "MGA", 20), ("0.29", "usd", 29), ("1.15", "USD", 115),
            ("9223372036854775807", "KRW", .max), ("-92233720368547758.08", "USD", .min), ("1e+2", "JPY", 100),
        ] as [(String, String, Int64)])
    func `a whole number of minor units is read exactly`(number: String, code: String, expected: Int64) throws {
        #expect(try #require(Currency(code)).minorUnits(of: number) == expected)
    }

    @Test(arguments: [
        ("1000.5", "KRW"), ("14.205", "USD"), ("1.0005", "BHD"), ("1.00001", "CLF"), ("1e-1", "KRW"),
        ("9223372036854775808", "KRW"), ("-9223372036854775809", "KRW"), ("92233720368547758.08", "USD"),
        ("9e18", "USD"), ("1e999999999999999999999", "KRW"), ("0e-1000", "KRW"), ("", "KRW"), ("-", "KRW"),
        ("--1", "KRW"), ("+1", "KRW"), ("1.", "KRW"), (".5", "USD"), ("1.2.3", "USD"), ("1e", "KRW"), ("e1", "KRW"),
        ("1e1e1", "KRW"), ("1,000", "KRW"), ("١", "KRW"), (" 1", "KRW"), ("NaN", "KRW"),
    ])
    func `what is no such number is nil, never rounded`(number: String, code: String) throws {
        #expect(try #require(Currency(code)).minorUnits(of: number) == nil)
    }

    @Test func `a number can count another part of the unit`() throws {
        let (won, dollar) = (try #require(Currency("KRW")), try #require(Currency("USD")))
        #expect(won.minorUnits(of: "1200000", tenTo: -3) == 1200 && dollar.minorUnits(of: "990", tenTo: -3) == 99)
        #expect(won.minorUnits(of: "1200", tenTo: -3) == nil && dollar.minorUnits(of: "10000000", tenTo: -9) == 1)
    }

    @Test(
        arguments: [
            (1000, "KRW", "1000"), (1420, "USD", "14.20"), (5, "USD", "0.05"), (0, "USD", "0.00"), (-5, "USD", "-0.05"),
            (1_005, "BHD", "1.005"), (7, "CLF", "0.0007"), (.max, "USD", "92233720368547758.07"),
            (.min, "USD", "-92233720368547758.08"), (.min, "KRW", "-9223372036854775808"),
        ] as [(Int64, String, String)])
    func `what is written is read again`(amount: Int64, code: String, text: String) throws {
        let currency = try #require(Currency(code))
        #expect(currency.decimal(amount) == text && currency.minorUnits(of: text) == amount)
    }

    @Test(arguments: ["ANG", "BGN", "CUC", "HRK", "SLL", "ZWL"])
    func `an amount in a withdrawn code that PortOne V2 still has is read as before`(code: String) throws {
        let currency = try #require(Currency(code))
        #expect(currency.minorUnits(of: "14.2") == 1420 && currency.decimal(1420) == "14.20")
    }

    @Test func `only three letters can be a code, and only one of ISO 4217 is a currency`() {
        #expect(Currency("krw")?.code == "KRW" && Currency.code(in: "zzz") == "ZZZ")
        // Among them the character that is an I in capital letters.
        for text in ["", "KR", "KRWX", "K1W", "won!", "ıdr", "₩", "[\\]", "@@@"] {
            #expect(Currency.code(in: text) == nil && Currency(text) == nil, "\(text)")
        }
        for code in ["ZZZ", "XAU", "XXX", "XTS", "XDR", "XBA", "DEM", "BTC"] {
            #expect(Currency(code) == nil, "\(code)")
        }
    }
}
