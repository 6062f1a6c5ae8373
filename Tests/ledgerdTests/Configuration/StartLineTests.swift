import Testing

@testable import LedgerServer

/// What the log says of a service that serves.
@Suite(.timeLimit(.minutes(20))) struct StartLineTests {
    private static let required = [
        "LEDGERD_DATABASE_URL": "postgresql://ledgerd:hush@localhost/ledger", "LEDGERD_JWT_SECRET": TestHouse.secret,
    ]

    private func line(_ environment: [String: String], adminAddress: String? = nil) throws -> [String: String] {
        let values = try SettingValues(environment: Self.required.merging(environment) { $1 })
        return try ServeConfiguration(values).logMetadata(address: "0.0.0.0:4711", adminAddress: adminAddress)
            .mapValues(\.description)
    }

    @Test func `settings with their default values are not named`() throws {
        let line = try line(["LEDGERD_WRITERS": "2", "LEDGERD_LOG_LEVEL": "info", "LEDGERD_TIME_ZONE": ""])
        #expect(
            line == [
                "version": BuildInfo.current.text, "address": "0.0.0.0:4711", "gateways": "", "database_url": "set",
                "jwt_secret": "set",
            ])
    }

    @Test func `other values are named, those of secrets only as set`() throws {
        let line = try line(
            [
                "LEDGERD_LISTEN": "0.0.0.0:0", "LEDGERD_ADMIN_LISTEN": "127.0.0.1:0", "LEDGERD_GRANT_LIMIT": "500",
                "LEDGERD_WRITERS": "3", "LEDGERD_PORTONE_V1_KEY": "hush", "LEDGERD_PORTONE_V1_SECRET": "hush",
                "LEDGERD_PORTONE_V2_SECRET": "hush", "LEDGERD_PORTONE_V2_STORE_ID": "store-1",
            ], adminAddress: "127.0.0.1:4712")
        #expect(
            line == [
                "version": BuildInfo.current.text, "address": "0.0.0.0:4711", "admin_address": "127.0.0.1:4712",
                "gateways": "PortOne V1, PortOne V2", "database_url": "set", "jwt_secret": "set", "grant_limit": "500",
                "writers": "3", "portone_v1_key": "set", "portone_v1_secret": "set", "portone_v2_secret": "set",
                "portone_v2_store_id": "store-1",
            ])
    }

    @Test func `neither ids of users nor a URL's query are in it`() throws {
        let line = try line([
            "LEDGERD_APP_STORE_SANDBOX": "testers", "LEDGERD_APP_STORE_TESTERS": "user-1,user-2",
            "LEDGERD_GOOGLE_PLAY_TESTERS": "user-3", "LEDGERD_JWT_SECRET": "",
            "LEDGERD_JWT_JWKS": "https://id.example.com/keys?code=hush",
        ])
        #expect(line["app_store_testers"] == "set" && line["google_play_testers"] == "set")
        #expect(line["jwt_jwks"] == "https://id.example.com/keys?…")
        #expect(!line.values.contains { $0.contains("user-") || $0.contains("hush") })
    }

    @Test func `no setting has the name of another member`() {
        #expect(Set(Settings.all.map(\.name)).isDisjoint(with: ["version", "address", "admin_address", "gateways"]))
    }
}
