import Testing

@testable import LedgerServer

/// Which gateways' coins can't be given away.
@Suite(.timeLimit(.minutes(20))) struct GiftSettingsTests {
    @Test(
        arguments: [
            (nil, ["app-store"]), ("none", []), ("google-play", ["google-play"]),
            ("app-store, google-play", ["app-store", "google-play"]),
        ] as [(String?, Set<String>)])
    func `coins of the App Store stay unless the setting allows them to be given`(
        text: String?, excepted: Set<String>
    ) throws {
        let environment = text.map { ["LEDGERD_GIFT_EXCEPT_GATEWAYS": $0] } ?? [:]
        #expect(try GiftSettings(SettingValues(environment: environment)).coins.exceptGateways == excepted)
    }

    @Test(arguments: ["appstore", "none,app-store", ","])
    func `other names are refused`(text: String) throws {
        let values = try SettingValues(environment: ["LEDGERD_GIFT_EXCEPT_GATEWAYS": text])
        #expect(throws: ConfigurationError.self) { try GiftSettings(values) }
    }
}
