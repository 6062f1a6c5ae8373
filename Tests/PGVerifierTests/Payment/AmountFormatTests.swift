import Currencies
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct AmountFormatTests {
    private let decimals = AmountFormat(.currency)

    /// A gateway with minor units of its own: more decimals than ISO 4217 of two currencies, and fewer of two.
    private let own = AmountFormat(.minorUnit, exceptions: ["ISK": 2, "UGX": 2, "HUF": 0, "TWD": 0])

    @Test(arguments: [
        ("1000", "KRW", 1000), ("1000.0", "KRW", 1000), ("1000.00", "KRW", 1000), ("1e3", "KRW", 1000),
        ("0", "KRW", 0), ("0.000", "KRW", 0), ("-0", "KRW", 0), ("14.2", "USD", 1420), ("14", "USD", 1400),
        ("14.20", "USD", 1420), ("0.01", "USD", 1), ("0.1", "USD", 10), ("1.1E1", "USD", 1100), ("150E-2", "USD", 150),
        ("1.5", "BHD", 1500), ("1.005", "BHD", 1005), ("500", "JPY", 500), ("-14.2", "USD", -1420),
        ("100000000000000", "KRW", 100_000_000_000_000), ("1000000000000.00", "USD", 100_000_000_000_000),
        ("0.29", "USD", 29), ("1.15", "USD", 115), ("1234567.89", "EUR", 123_456_789),
        ("1000.00000000000000000000000000000000000000000000", "KRW", 1000),
    ])
    func `a whole number of minor units is read exactly`(number: String, currency: String, expected: Int64) throws {
        #expect(decimals.read(number, in: try #require(Currency(currency))) == expected)
    }

    @Test(arguments: [
        ("1000.5", "KRW"), ("14.205", "USD"), ("0.001", "USD"), ("1e-1", "KRW"), ("9223372036854775808", "KRW"),
        ("92233720368547758.08", "USD"), ("1e19", "KRW"), ("1e999999999999999999999", "KRW"), ("1e-2000", "KRW"),
        ("1000.00000000000000000000000000000000000000000001", "KRW"), ("9e18", "USD"),
        ("100000000000001", "KRW"), ("9223372036854775807", "KRW"), ("1e-9223372036854775808", "KRW"),
        ("1e9223372036854775807", "USD"), ("0e-9223372036854775808", "KRW"),
    ])
    func `what isn't is refused, never rounded`(number: String, currency: String) throws {
        #expect(decimals.read(number, in: try #require(Currency(currency))) == nil)
    }

    @Test(arguments: [
        (1000, "KRW", "1000"), (0, "KRW", "0"), (1420, "USD", "14.20"), (5, "USD", "0.05"), (0, "USD", "0.00"),
        (-5, "USD", "-0.05"), (1_005, "BHD", "1.005"), (Int64.max, "USD", "92233720368547758.07"),
        (Int64.min, "USD", "-92233720368547758.08"),
    ])
    func `what is written is read again`(amount: Int64, currency: String, text: String) throws {
        #expect(try decimals.text(of: amount, inCode: currency) == text)
        guard AmountFormat.limits.contains(amount) else { return }
        #expect(decimals.read(text, in: try #require(Currency(currency))) == amount)
    }

    @Test(
        arguments: [
            (AmountFormat.Unit.minorUnit, "1000", "KRW", 1000), (.minorUnit, "1420", "USD", 1420),
            (.minorUnit, "1005", "BHD", 1005), (.minorUnit, "100000000000001", "KRW", nil),
            (.part(decimals: 3), "1200000", "KRW", 1200), (.part(decimals: 3), "990", "USD", 99),
            (.part(decimals: 3), "1200", "KRW", nil), (.part(decimals: 9), "1990000000", "USD", 199),
            (.part(decimals: 9), "-1", "USD", nil),
        ] as [(AmountFormat.Unit, String, String, Int64?)])
    func `each unit is read for what it is`(
        unit: AmountFormat.Unit, number: String, currency: String, expected: Int64?
    ) throws {
        #expect(AmountFormat(unit).read(number, in: try #require(Currency(currency))) == expected)
    }

    @Test(arguments: [
        ("ISK", 1000, "100000"), ("UGX", -7, "-700"), ("HUF", 1000, "10"), ("TWD", 0, "0"), ("USD", 1420, "1420"),
        ("KRW", 1000, "1000"),
    ])
    func `a gateway's own decimals are those of its amounts`(currency: String, amount: Int64, number: String) throws {
        #expect(try own.text(of: amount, inCode: currency) == number)
        #expect(own.read(number, in: try #require(Currency(currency))) == amount)
    }

    @Test func `what one side can't say exactly is neither read nor written`() throws {
        #expect(own.read("150", in: try #require(Currency("ISK"))) == nil)
        for (amount, currency) in [(1050, "HUF"), (1, "TWD"), (.max, "ISK")] as [(Int64, String)] {
            let error = #expect(throws: GatewayError.self) { try own.text(of: amount, inCode: currency) }
            #expect(error?.code == .invalidRequest && error?.mayHaveBeenCarriedOut == false)
        }
        let inUnits = AmountFormat(.currency, exceptions: own.exceptions)
        #expect(try inUnits.text(of: 1000, inCode: "HUF") == "10" && inUnits.text(of: 5, inCode: "ISK") == "5.00")
        #expect(inUnits.read("10.5", in: try #require(Currency("HUF"))) == 1050)
    }

    @Test func `an unknown code is named, and neither read nor written`() throws {
        for (text, message) in [("ZZZ", "ZZZ is unknown"), ("xau", "XAU is unknown"), ("won!", "can't be used")] {
            let error = #expect(throws: GatewayError.self) { try Currency(ofPayment: text) }
            #expect(error?.code == .unreadablePayment && error?.message == "the payment's currency \(message)")
        }
        let error = #expect(throws: GatewayError.self) { try decimals.text(of: 1, inCode: "ZZZ") }
        #expect(error?.code == .invalidRequest && error?.message == "the currency ZZZ is unknown")
    }

    @Test func `a store's price in an unknown code is no amount, and no error`() {
        #expect(AppStore.amounts.readPrice("990", inCode: "ZZZ") == 0)
        #expect(AppStore.amounts.readPrice("990", inCode: "USD") == 99)
        #expect(AppStore.amounts.readPrice("1", inCode: "USD") == nil)
    }
}
