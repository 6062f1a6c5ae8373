import Crypto
import Logging
import OutboundHTTP
import PGVerifier
import Testing

@testable import LedgerServer

/// The gateways that the service knows.
@Suite(.timeLimit(.minutes(20))) struct GatewayAccessTests {
    @Test func `every gateway has an access, in the same order`() throws {
        let values = try SettingValues(
            environment: [
                "LEDGERD_PORTONE_V1_KEY": "key", "LEDGERD_PORTONE_V1_SECRET": "hush",
                "LEDGERD_PORTONE_V2_SECRET": "hush", "LEDGERD_PORTONE_V2_STORE_ID": "store",
            ].merging(Self.appStore) { $1 })
        let configuration = try GatewayConfiguration(values)
        let transport = CurlTransport(configuration)
        defer { transport.shutdown() }
        let gateways = try Gateways.build(configuration, transport: transport, logger: Logger(label: "test"))
        #expect(gateways.all.map(\.name) == Gateways.known.map { $0.name })
        #expect(GatewayConfiguration.known.count == Gateways.known.count)
    }

    private static let appStore = [
        "LEDGERD_APP_STORE_BUNDLE_ID": "com.example.coins", "LEDGERD_APP_STORE_APP_ID": "1234567890",
        "LEDGERD_APP_STORE_ISSUER_ID": "issuer", "LEDGERD_APP_STORE_KEY_ID": "KEY",
        "LEDGERD_APP_STORE_PRIVATE_KEY": P256.Signing.PrivateKey().pemRepresentation,
    ]

    @Test(arguments: Array(appStore.keys))
    func `the App Store is on with all that it needs, and a part of it is an error`(missing: String) throws {
        #expect(try AppStoreAccess(SettingValues(environment: Self.appStore))?.acceptsSandbox == false)
        let values = try SettingValues(environment: Self.appStore.filter { $0.key != missing })
        #expect(throws: ConfigurationError.self) { try AppStoreAccess(values) }
        let others = Self.appStore.merging([missing: ""]) { $1 }
        #expect(throws: ConfigurationError.self) { try AppStoreAccess(SettingValues(environment: others)) }
    }

    @Test func `Apple's sandbox is accepted where its purchases give coins, and testers have to be named`() throws {
        func access(_ mode: String, _ testers: String = "") throws -> AppStoreAccess? {
            try AppStoreAccess(
                SettingValues(
                    environment: Self.appStore.merging([
                        "LEDGERD_APP_STORE_SANDBOX": mode, "LEDGERD_APP_STORE_TESTERS": testers,
                    ]) { $1 }))
        }
        #expect(try access("off")?.acceptsSandbox == false)
        #expect(try access("capped")?.acceptsSandbox == true && access("testers", "ann,bob")?.acceptsSandbox == true)
        #expect(throws: ConfigurationError.self) { try access("testers") }
    }

    @Test func `a key that is none of the App Store is refused by name`() throws {
        let values = try SettingValues(
            environment: Self.appStore.merging(["LEDGERD_APP_STORE_PRIVATE_KEY": "hush"]) { $1 })
        let error = #expect(throws: ConfigurationError.self) { try AppStoreAccess(values) }
        let said = error?.description ?? ""
        #expect(said.contains("LEDGERD_APP_STORE_PRIVATE_KEY") && !said.contains("hush"), "\(said)")
    }

    @Test func `a gateway is off without each of its required settings`() throws {
        let configuration = try GatewayConfiguration(try SettingValues(environment: [:]))
        #expect(configuration.accesses.isEmpty)
        for gateway in GatewayConfiguration.known {
            let names = Set(gateway.settings.map(\.name))
            #expect(!gateway.required.isEmpty && gateway.required.allSatisfy { names.contains($0.name) })
        }
    }
}

extension GatewayConfiguration {
    var portOneV1: PortOneV1Access? { accesses.lazy.compactMap { $0 as? PortOneV1Access }.first }
    var portOneV2: PortOneV2Access? { accesses.lazy.compactMap { $0 as? PortOneV2Access }.first }
}
