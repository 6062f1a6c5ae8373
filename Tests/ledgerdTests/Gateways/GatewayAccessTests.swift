import Crypto
import CryptoExtras
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
            ].merging(Self.appStore) { $1 }.merging(PlayAccount.settings()) { $1 })
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

    @Test func `Google Play is on with its app and its account, and one of them alone is an error`() throws {
        func access(_ changes: [String: String]) throws -> GooglePlayAccess? {
            try GooglePlayAccess(SettingValues(environment: try PlayAccount.settings().merging(changes) { $1 }))
        }
        #expect(try access([:])?.package == "com.example.coins")
        #expect(try access(["LEDGERD_GOOGLE_PLAY_PACKAGE": "", "LEDGERD_GOOGLE_PLAY_ACCOUNT": ""]) == nil)
        for name in try PlayAccount.settings().keys {
            #expect(throws: ConfigurationError.self) { try access([name: ""]) }
        }
        let error = #expect(throws: ConfigurationError.self) {
            try access(["LEDGERD_GOOGLE_PLAY_ACCOUNT": #"{"private_key": "hush"}"#])
        }
        let said = error?.description ?? ""
        #expect(said.contains("LEDGERD_GOOGLE_PLAY_ACCOUNT") && !said.contains("hush"), "\(said)")
    }

    @Test func `licence testers of Google Play have to be named where only theirs give coins`() throws {
        func trials(_ mode: String, _ testers: String = "") throws -> StoreTrials {
            try StoreTrials(
                SettingValues(
                    environment: ["LEDGERD_GOOGLE_PLAY_SANDBOX": mode, "LEDGERD_GOOGLE_PLAY_TESTERS": testers]))
        }
        #expect(try !trials("off").apply(at: GooglePlay.name) && trials("capped").apply(at: GooglePlay.name))
        #expect(try trials("testers", "ann").apply(at: GooglePlay.name))
        #expect(try !trials("capped").apply(at: AppStore.name))
        #expect(throws: ConfigurationError.self) { try trials("testers") }
    }

    @Test func `messages of Google Play are taken with a whole push subscription, and a part of it is an error`() throws
    {
        let push = [
            "LEDGERD_GOOGLE_PLAY_PUSH_SUBSCRIPTION": "projects/shop/subscriptions/play",
            "LEDGERD_GOOGLE_PLAY_PUSH_AUDIENCE": "https://coins.example.com/webhooks/google-play",
            "LEDGERD_GOOGLE_PLAY_PUSH_SENDER": "pusher@shop.iam.gserviceaccount.com",
        ]
        func access(_ push: [String: String]) throws -> GooglePlayAccess? {
            try GooglePlayAccess(SettingValues(environment: try PlayAccount.settings().merging(push) { $1 }))
        }
        let whole = try access(push)?.push
        #expect(whole?.subscription == "projects/shop/subscriptions/play")
        #expect(whole?.audience == "https://coins.example.com/webhooks/google-play")
        #expect(whole?.sender == "pusher@shop.iam.gserviceaccount.com")
        #expect(try access([:])?.push == nil)
        for name in push.keys {
            let error = #expect(throws: ConfigurationError.self) { try access(push.filter { $0.key != name }) }
            #expect(error?.key == name.dropFirst("LEDGERD_".count).lowercased(), "\(name)")
        }
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

/// A service account of Google's, as its file has it.
enum PlayAccount {
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation }

    static func json() throws -> String {
        let pem = try key.get().replacing("\n", with: "\\n")
        return #"{"type": "service_account", "private_key_id": "key", "private_key": "\#(pem)", "#
            + #""client_email": "ledgerd@shop.iam.gserviceaccount.com", "token_uri": "https://oauth2.googleapis.com/token"}"#
    }

    static func settings() throws -> [String: String] {
        ["LEDGERD_GOOGLE_PLAY_PACKAGE": "com.example.coins", "LEDGERD_GOOGLE_PLAY_ACCOUNT": try json()]
    }
}

extension GatewayConfiguration {
    var portOneV1: PortOneV1Access? { accesses.lazy.compactMap { $0 as? PortOneV1Access }.first }
    var portOneV2: PortOneV2Access? { accesses.lazy.compactMap { $0 as? PortOneV2Access }.first }
}
