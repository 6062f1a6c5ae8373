import ArgumentParser
import CivilTime
import Foundation
import Ledger
import OutboundHTTP
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ServeConfigurationTests {
    private static let minimal = [
        "LEDGERD_DATABASE_URL": "postgresql://ledgerd:hush@localhost/ledger", "LEDGERD_JWT_SECRET": TestHouse.secret,
    ]

    private func configuration(
        _ environment: [String: String] = [:], flags: [String] = [], file: String? = nil
    ) throws -> ServeConfiguration {
        var environment = Self.minimal.merging(environment) { $1 }
        guard let file else { return try ServeConfiguration(Self.values(flags, environment)) }
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        try Data(file.utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        environment["LEDGERD_CONFIG"] = path.path()
        return try ServeConfiguration(Self.values(flags, environment))
    }

    /// No flags need no parser, which takes long for a hundred of them.
    private static func values(_ flags: [String], _ environment: [String: String]) throws -> SettingValues {
        guard flags.isEmpty else {
            return try SettingFlags<ServeSettings>.parse(flags).values(environment: environment)
        }
        return try SettingValues(environment: environment, file: environment["LEDGERD_CONFIG"])
    }

    private func message(
        _ environment: [String: String] = [:], flags: [String] = [], file: String? = nil
    ) throws -> String {
        try #require(throws: ConfigurationError.self) {
            try configuration(environment, flags: flags, file: file)
        }.description
    }

    @Test func `everything but database and token keys has a default`() throws {
        let configuration = try configuration()
        let listen = try configuration[Settings.http.listen]
        #expect(listen.host == "127.0.0.1" && listen.port == 8080)
        #expect(configuration.gateways.portOneV1 == nil && configuration.gateways.portOneV2 == nil)
        #expect(try configuration[Settings.tokens.appKeys] == nil)
        #expect(configuration.requireOrders && !configuration.gateways.allowTestPayments)
        #expect(try configuration[Settings.coins.lotOrder].terms == [.earliestExpiry, .bonusFirst, .oldestFirst])
        #expect(try configuration[Settings.receipts.orderLifetime] == .seconds(3600))
        #expect(configuration.coinLifetimes == CoinLifetimes())
        #expect(configuration.coinDays == .ofLedger(in: try #require(TimeZone(name: "Asia/Seoul"))))
        #expect(try configuration[Settings.log.level] == .info && configuration[Settings.log.format] == .text)
        #expect(try configuration[Settings.database.writers] == 2)
        #expect(try configuration[Settings.database.readConnections] == 4)
        #expect(try configuration[Settings.http.shutdownDeadline] == .seconds(20))
        #expect(configuration.gateways.timeout == .seconds(10))
    }

    @Test func `orders are required unless the settings or apps that make none say otherwise`() throws {
        let apps = ["LEDGERD_APP_KEYS": "an-app-key-of-sixteen"]
        #expect(try !configuration(apps).requireOrders)
        #expect(try configuration(apps.merging(["LEDGERD_REQUIRE_ORDERS": "true"]) { $1 }).requireOrders)
        #expect(try !configuration(["LEDGERD_REQUIRE_ORDERS": "false"]).requireOrders)
        #expect(throws: ConfigurationError.self) { try configuration(["LEDGERD_APP_KEYS": " , "]) }
    }

    @Test func `the settings name the members that name a user, or none`() throws {
        #expect(try configuration().claims.userMembers == ["user_id", "userId"])
        #expect(try configuration(["LEDGERD_PAYMENT_USER_MEMBERS": "buyer, u"]).claims.userMembers == ["buyer", "u"])
        #expect(try configuration(["LEDGERD_PAYMENT_USER_MEMBERS": "off"]).claims.userMembers == nil)
        #expect(try message(["LEDGERD_PAYMENT_USER_MEMBERS": ","]).contains("names separated by commas"))
    }

    @Test func `whole days are counted from a day of the time zone, never, or as the ledger began`() throws {
        func days(_ start: String) throws -> CoinDays.Setting {
            try configuration(["LEDGERD_WHOLE_DAYS_FROM": start, "LEDGERD_TIME_ZONE": "Asia/Kathmandu"]).coinDays
        }
        let zone = try #require(TimeZone(name: "Asia/Kathmandu"))
        let start = try #require(CalendarMoment.date("2027-01-01T00:00:00+05:45", in: zone))
        #expect(try days("2027-01-01") == .these(.whole(from: start, in: zone)))
        #expect(try days("never") == .these(.exact))
        #expect(try days("") == .ofLedger(in: zone))
        for wrong in ["2027-02-30", "2027-01-01T00:00:00Z", "tomorrow"] {
            #expect(try message(["LEDGERD_WHOLE_DAYS_FROM": wrong]).contains("a date such as 2027-01-01, or never"))
        }
    }

    @Test func `gateways have lifetimes of their own, of both kinds of coins or of each`() throws {
        func lifetimes(_ text: String) throws -> [String: ProductLifetimes] {
            try configuration(["LEDGERD_GATEWAY_COIN_LIFETIMES": text]).coinLifetimes.ofGateways
        }
        #expect(
            try lifetimes("portone-v1=forever, portone-v2=365d/30d") == [
                "portone-v1": ProductLifetimes(paid: .forever, bonus: .forever),
                "portone-v2": ProductLifetimes(paid: .days(365), bonus: .days(30)),
            ])
        for wrong in [
            ",", "portone-v1", "portone-v1=", "portone-v1=0d", "portone-v1=36501d", "portone-v1=-1d", "portone-v1=12h",
            "portone-v1=1d/", "portone-v1=1d/2d/3d", "portone-v1=1d,portone-v1=2d", "portone-v3=1d", "portone-v1=1d=2d",
        ] {
            #expect(
                try message(["LEDGERD_GATEWAY_COIN_LIFETIMES": wrong]).contains("gateway=lifetime pairs"), "\(wrong)")
        }
    }

    @Test func `a setting is read from flag, then environment, then file, then default`() throws {
        let file = #"{"writers": 3, "read_connections": "5", "listen": "[::1]:1", "allow_test_payments": true}"#
        let configuration = try configuration(
            ["LEDGERD_WRITERS": "6", "LEDGERD_LISTEN": "0.0.0.0:2"], flags: ["--writers", "7"], file: file)
        #expect(try configuration[Settings.database.writers] == 7)
        let listen = try configuration[Settings.http.listen]
        #expect(listen.host == "0.0.0.0" && listen.port == 2)
        #expect(try configuration[Settings.database.readConnections] == 5)
        #expect(configuration.gateways.allowTestPayments)
        #expect(configuration.gateways.timeout == .seconds(10))
    }

    @Test func `every setting is accepted by every name`() throws {
        let environment = [
            "LEDGERD_PORTONE_V1_URL": "http://127.0.0.1:8081/", "LEDGERD_PORTONE_V1_KEY": "key",
            "LEDGERD_PORTONE_V1_SECRET": "hush", "LEDGERD_PORTONE_V2_SECRET": "hush2",
            "LEDGERD_PORTONE_V2_STORE_ID": "store",
            "LEDGERD_PORTONE_V2_WEBHOOK_SECRET": "c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA==",
            "LEDGERD_APP_KEYS": "app-key-number-1, app-key-number-2,,app-key-number-3 ", "LEDGERD_LOG_LEVEL": "DEBUG",
            "LEDGERD_LOG_FORMAT": "json",
        ]
        let configuration = try configuration(
            environment,
            flags: ["--require-orders", "yes", "--lot-order", "paid-first,oldest-first", "--shutdown-deadline", "1m"],
            file: #"{"gateway_timeout": "500ms", "jwt_issuer": "id", "order_lifetime": "2h"}"#)
        #expect(configuration.gateways.portOneV1?.url == "http://127.0.0.1:8081")
        #expect(configuration.gateways.portOneV1?.key == "key" && configuration.gateways.portOneV1?.secret == "hush")
        #expect(
            configuration.gateways.portOneV2?.storeID == "store"
                && configuration.gateways.portOneV2?.webhookSecrets == ["c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA=="])
        #expect(
            try configuration[Settings.tokens.appKeys] == ["app-key-number-1", "app-key-number-2", "app-key-number-3"])
        #expect(try configuration[Settings.log.level] == .debug && configuration[Settings.log.format] == .json)
        #expect(try configuration[Settings.coins.lotOrder].terms == [.paidFirst, .oldestFirst])
        #expect(try configuration.requireOrders && configuration[Settings.receipts.orderLifetime] == .seconds(7200))
        #expect(try configuration[Settings.http.shutdownDeadline] == .seconds(60))
        #expect(configuration.gateways.timeout == .milliseconds(500))
        #expect(configuration.jwt.issuer == "id")
    }

    @Test(
        arguments: [
            (["LEDGERD_WRITERS": "0"], [], nil, "LEDGERD_WRITERS (environment) must be an integer from 1 to 64"),
            ([:], ["--writers", "two"], nil, "--writers (flag) must be an integer from 1 to 64"),
            (["LEDGERD_LOG_FORMAT": "xml"], [], nil, "LEDGERD_LOG_FORMAT (environment) must be one of text, json"),
            (
                ["LEDGERD_LISTEN": "8080"], [], nil,
                "LEDGERD_LISTEN (environment) must be host:port, with a port from 0 to 65535"
            ),
            (["LEDGERD_GATEWAY_TIMEOUT": "61s"], [], nil, "from 100ms to 1m"),
            (["LEDGERD_ORDER_LIFETIME": "1s"], [], nil, "from 1m to 7d"),
            (["LEDGERD_REQUIRE_ORDERS": "maybe"], [], nil, "must be true or false"),
            (["LEDGERD_LOT_ORDER": "bonus-first,paid-first"], [], nil, "must be different terms of"),
            (["LEDGERD_PORTONE_V1_URL": "ftp://x"], [], nil, "must be an https URL"),
            (["LEDGERD_GATEWAY_CA_FILE": "/nowhere.pem"], [], nil, "must be the path of a PEM file"),
            // A file without a certificate in it would leave nobody to trust.
            (["LEDGERD_GATEWAY_CA_FILE": "/etc/hostname"], [], nil, "must be the path of a PEM file"),
            ([:], [], #"{"writers": true}"#, "must be an integer from 1 to 64"),
            ([:], [], #"{"writers": 1.5}"#, "must be a JSON object with strings"),
            ([:], [], #"{"writer": 1}"#, "unknown setting writer"),
            ([:], [], "[]", "must be a JSON object"),
            (
                ["LEDGERD_DATABASE_URL": ""], [], nil,
                "database_url is not set: give --database-url, LEDGERD_DATABASE_URL"
            ),
            (["LEDGERD_JWT_SECRET": ""], [], nil, "neither jwt_secret nor jwt_jwks is set"),
            (["LEDGERD_JWT_JWKS": "keys.json"], [], nil, "jwt_secret and jwt_jwks are both set"),
            (["LEDGERD_PORTONE_V1_KEY": "k"], [], nil, "portone_v1_key is set without portone_v1_secret"),
            (["LEDGERD_PORTONE_V1_SECRET": "k"], [], nil, "portone_v1_secret is set without portone_v1_key"),
            (["LEDGERD_PORTONE_V2_SECRET": "k"], [], nil, "portone_v2_secret is set without portone_v2_store_id"),
            (["LEDGERD_PORTONE_V2_STORE_ID": "s"], [], nil, "portone_v2_store_id is set without portone_v2_secret"),
            (
                ["LEDGERD_PORTONE_V2_WEBHOOK_SECRET": ""], [], nil,
                "LEDGERD_PORTONE_V2_WEBHOOK_SECRET (environment) must be"
            ),
            (["LEDGERD_APP_KEYS": "a-key-of-15-or."], [], nil, "LEDGERD_APP_KEYS (environment) must be texts"),
            (["LEDGERD_APP_KEYS": "an app key with blanks"], [], nil, "without spaces"),
            (["LEDGERD_APP_KEYS": ","], [], nil, "must be texts of at least 16"),
            (["LEDGERD_PORTONE_V1_SECRET": " k"], [], nil, "without spaces"),
            (["LEDGERD_PORTONE_V2_SECRET": "k\n"], [], nil, "without spaces"),
            (["LEDGERD_PORTONE_V2_WEBHOOK_SECRET": "whsec_c2VjcmV0IG9mIGEgdGVzdA=="], [], nil, "at least 24 bytes"),
            (["LEDGERD_JWT_SECRET": "a secret of 32 bytes and a blank "], [], nil, "without a space at either end"),
            (["LEDGERD_JWT_SECRET": String(repeating: " ", count: 40)], [], nil, "without a space at either end"),
            (["LEDGERD_JWT_USER_CLAIM": "exp"], [], nil, "must be the name of a claim"),
            (["LEDGERD_JWT_JWKS": "http://keys.example"], [], nil, "must be the path of a file, or an https URL"),
            (["LEDGERD_GRANT_LIMIT": "0"], [], nil, "must be a number of coins from 1 to"),
            (["LEDGERD_WRITER": "3"], [], nil, "unknown setting LEDGERD_WRITER: did you mean LEDGERD_WRITERS?"),
            (["LEDGERD_CONFIG": "/nowhere.json"], [], nil, "/nowhere.json (file): the file can't be read"),
        ] as [([String: String], [String], String?, String)])
    func `an invalid setting is named with key, source and rule`(
        environment: [String: String], flags: [String], file: String?, message: String
    ) throws {
        let actual = try self.message(environment, flags: flags, file: file)
        #expect(actual.contains(message), "\(actual)")
    }

    @Test func `no secret is shown, in errors or in the line of the start`() throws {
        let short = try message(["LEDGERD_JWT_SECRET": "hush-hush"])
        #expect(short == "LEDGERD_JWT_SECRET (environment) must be at least 32 bytes, without a space at either end")
        let configuration = try configuration([
            "LEDGERD_PORTONE_V1_KEY": "hush-key", "LEDGERD_PORTONE_V1_SECRET": "hush-secret",
            "LEDGERD_APP_KEYS": "hush-app-of-16-or-more", "LEDGERD_WRITERS": "3",
        ])
        let line = "\(configuration.logMetadata(address: "127.0.0.1:8080", adminAddress: nil))"
        #expect(!line.contains("hush") && !line.contains(TestHouse.secret) && !line.contains("postgresql"))
        let secrets = ["app_keys", "database_url", "jwt_secret", "portone_v1_key", "portone_v1_secret"]
        #expect(secrets.allSatisfy { configuration.changed[$0] == "set" })
        #expect(Set(configuration.changed.keys) == Set(secrets + ["writers"]))
    }

    @Test func `the configuration makes the verifier of its tokens, or says why it can't`() async throws {
        let transport = CurlTransport()
        defer { transport.shutdown() }
        let token = try await TestHouse.token()
        #expect(try await configuration().jwt.makeVerifier(transport: transport).verify(token).subject == "demo-user")
        for place in ["/nowhere.json", "http://127.0.0.1:9/keys"] {
            let jwks = try configuration(["LEDGERD_JWT_SECRET": "", "LEDGERD_JWT_JWKS": place])
            await #expect(throws: ConfigurationError.self) { try await jwks.jwt.makeVerifier(transport: transport) }
        }
    }

    @Test func `the settings of webhooks are read from the file and named at the start`() throws {
        let file = #"{"webhook_sources": "10.0.0.0/8", "trusted_proxies": "::1", "sweep_interval": "30s"}"#
        let gateways = try configuration(file: file).gateways
        #expect(gateways.webhookSources == AddressRange.list("10.0.0.0/8"))
        #expect(gateways.trustedProxies == AddressRange.list("::1"))
        #expect(gateways.sweepInterval == .seconds(30))
    }

    @Test func `sweeps are ten minutes apart by default, and can be off`() throws {
        func interval(_ text: String) throws -> Duration? {
            try configuration(["LEDGERD_SWEEP_INTERVAL": text]).gateways.sweepInterval
        }
        #expect(try interval("") == .seconds(600), "an empty text is no value")
        #expect(try interval("1s") == .seconds(1) && interval("1d") == .seconds(86_400))
        #expect(try interval("off") == nil && interval("OFF") == nil)
        for text in ["0s", "999ms", "2d", "0", "of", "none", "10"] {
            #expect(throws: ConfigurationError.self, "\(text)") { try interval(text) }
        }
    }

    @Test func `variables that are no settings are left alone`() throws {
        let kubernetes = [
            "LEDGERD_SERVICE_HOST": "10.0.0.1", "LEDGERD_SERVICE_PORT": "80", "LEDGERD_SERVICE_PORT_HTTP": "80",
            "LEDGERD_PORT": "tcp://10.0.0.1:80", "LEDGERD_PORT_80_TCP": "tcp://10.0.0.1:80",
            "LEDGERD_PORT_80_TCP_ADDR": "10.0.0.1", "LEDGERD_URL": "http://127.0.0.1:8080", "WRITERS": "7",
        ]
        #expect(try configuration(kubernetes)[Settings.database.writers] == 2)
    }

    @Test func `every setting is declared once, with a default that its own rule takes`() {
        let names = Settings.all.map(\.name)
        #expect(Set(names).count == names.count && names.count > 50)
        for setting in Settings.all {
            #expect(setting.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(setting.name)")
            if setting.defaultText != nil {
                #expect(throws: Never.self, "\(setting.name)") { try setting.check(SettingValues(environment: [:])) }
            }
        }
    }

    @Test func `every setting is a flag, whatever its list`() throws {
        let given = Settings.all.flatMap { ["--\($0.flag)", "given as \($0.name)"] }
        let changed = try SettingFlags<ServeSettings>.parse(given).values(environment: [:]).changed
        #expect(changed.count == Settings.all.count)
        for setting in Settings.all {
            #expect(
                changed[setting.name] == (setting.isSecret || setting.namesPeople ? "set" : "given as \(setting.name)"))
        }
        #expect(throws: (any Error).self) { try SettingFlags<CommonSettings>.parse(["--writers", "2"]) }
        #expect(throws: (any Error).self) { try SettingFlags<ServeSettings>.parse(["--writer", "2"]) }
    }

    @Test func `the help describes every setting`() {
        let help = SettingFlags<ServeSettings>.helpMessage()
        for key in Settings.all {
            #expect(help.contains("--\(key.name.replacing("_", with: "-"))"), "\(key.name)")
            #expect(help.replacing("\n", with: " ").contains("LEDGERD_\(key.name.uppercased())"), "\(key.name)")
        }
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("15m", .seconds(900)),
        ("1h", .seconds(3600)),
        ("7d", .seconds(604_800)), ("", nil), ("30", nil), ("s", nil), ("-1s", nil), ("1.5s", nil), ("1 s", nil),
        ("1w", nil),
    ])
    func `durations are read as people write them`(text: String, duration: Duration?) {
        #expect(DurationText.parse(text) == duration)
        if let duration { #expect(DurationText.text(of: duration) == text) }
    }
}
