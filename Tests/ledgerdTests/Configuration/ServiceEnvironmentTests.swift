import Testing

@testable import LedgerServer

/// What a service says that it is for.
@Suite(.timeLimit(.minutes(20))) struct ServiceEnvironmentTests {
    private static let v1 = ["LEDGERD_PORTONE_V1_KEY": "key", "LEDGERD_PORTONE_V1_SECRET": "hush"]
    private static let v2 = ["LEDGERD_PORTONE_V2_SECRET": "hush", "LEDGERD_PORTONE_V2_STORE_ID": "store"]
    private static let sandbox = ["LEDGERD_PORTONE_V2_URL": "http://127.0.0.1:8081"]
    private static let test = ["LEDGERD_ALLOW_TEST_PAYMENTS": "true"]

    static let cases: [([String: String], ServiceEnvironment)] = [
        ([:], .production), (v1, .production), (v2, .production), (v1.and(test), .test), (v2.and(sandbox), .sandbox),
        (v2.and(sandbox).and(test), .sandbox), (v1.and(v2).and(sandbox), .sandbox),
        // The URL of a gateway that is off says nothing.
        (v1.and(sandbox), .production), (v2.and(["LEDGERD_PORTONE_V2_URL": "https://api.portone.io/"]), .production),
        (v2.and(sandbox).and(["LEDGERD_ENVIRONMENT": "Production"]), .production),
        (v1.and(["LEDGERD_ENVIRONMENT": "sandbox"]), .sandbox),
    ]

    @Test(arguments: cases)
    func `the gateways decide it, unless a setting does`(
        settings: [String: String], expected: ServiceEnvironment
    ) throws {
        #expect(try ServiceEnvironment(SettingValues(environment: settings)) == expected)
    }

    @Test func `another name is refused with the ones there are`() throws {
        let values = try SettingValues(environment: ["LEDGERD_ENVIRONMENT": "staging"])
        #expect { try ServiceEnvironment(values) } throws: {
            "\($0)".contains("one of production, test, sandbox")
        }
    }
}

extension [String: String] {
    fileprivate func and(_ others: Self) -> Self { merging(others) { $1 } }
}
