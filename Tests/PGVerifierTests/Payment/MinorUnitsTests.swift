import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct MinorUnitsTests {
    @Test(arguments: [
        ("1000", "KRW", 1000), ("1000.0", "KRW", 1000), ("1000.00", "KRW", 1000), ("1e3", "KRW", 1000),
        ("0", "KRW", 0), ("0.000", "KRW", 0), ("-0", "KRW", 0), ("14.2", "USD", 1420), ("14", "USD", 1400),
        ("14.20", "USD", 1420), ("0.01", "USD", 1), ("0.1", "USD", 10), ("1.1E1", "USD", 1100), ("150E-2", "USD", 150),
        ("1.5", "BHD", 1500), ("1.005", "BHD", 1005), ("500", "JPY", 500), ("-14.2", "USD", -1420),
        ("100000000000000", "KRW", 100_000_000_000_000), ("1000000000000.00", "USD", 100_000_000_000_000),
        ("0.29", "USD", 29), ("1.15", "USD", 115), ("1234567.89", "EUR", 123_456_789),
        ("1000.00000000000000000000000000000000000000000000", "KRW", 1000),
    ])
    func `a whole number of minor units is read exactly`(number: String, currency: String, expected: Int64) {
        #expect(MinorUnits.parse(number, currency: currency) == expected)
    }

    @Test(arguments: [
        ("1000.5", "KRW"), ("14.205", "USD"), ("0.001", "USD"), ("1e-1", "KRW"), ("9223372036854775808", "KRW"),
        ("92233720368547758.08", "USD"), ("1e19", "KRW"), ("1e999999999999999999999", "KRW"), ("1e-2000", "KRW"),
        ("1000.00000000000000000000000000000000000000000001", "KRW"), ("9e18", "USD"),
        ("100000000000001", "KRW"), ("9223372036854775807", "KRW"), ("1e-9223372036854775808", "KRW"),
        ("1e9223372036854775807", "USD"), ("0e-9223372036854775808", "KRW"),
    ])
    func `what isn't is refused, never rounded`(number: String, currency: String) {
        #expect(MinorUnits.parse(number, currency: currency) == nil)
    }

    @Test(arguments: [
        (1000, "KRW", "1000"), (0, "KRW", "0"), (1420, "USD", "14.20"), (5, "USD", "0.05"), (0, "USD", "0.00"),
        (-5, "USD", "-0.05"), (1_005, "BHD", "1.005"), (Int64.max, "USD", "92233720368547758.07"),
        (Int64.min, "USD", "-92233720368547758.08"),
    ])
    func `what is written is read again`(amount: Int64, currency: String, text: String) {
        #expect(MinorUnits.decimal(amount, currency: currency) == text)
        if MinorUnits.limits.contains(amount) { #expect(MinorUnits.parse(text, currency: currency) == amount) }
    }
}
