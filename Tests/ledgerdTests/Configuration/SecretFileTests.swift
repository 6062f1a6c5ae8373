import Crypto
import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct SecretFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "ledgerd-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func write(_ text: String, as name: String = "secret") throws -> String {
        let file = directory.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func message(_ environment: [String: String]) throws -> String {
        try #require(throws: ConfigurationError.self) {
            try SettingValues(environment: environment)[Settings.tokens.secret]
        }.description
    }

    /// A valid text of each secret setting.
    private static let valid = [
        "database_url": "postgresql://ledgerd:hush@localhost/ledger",
        "replica_url": "postgresql://ledgerd:hush4@standby/ledger", "portone_v1_key": "key",
        "portone_v1_secret": "hush", "portone_v2_secret": "hush2",
        "portone_v2_webhook_secret": "c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA==",
        "seal_key": Data(repeating: 7, count: 32).base64EncodedString(), "jwt_secret": TestHouse.secret,
        "app_keys": "an-app-key-of-sixteen", "traces_headers": "api-key=hush3",
        "metrics_headers": "api-key=hush6",
        "endpoint_key": Data(repeating: 8, count: 32).base64EncodedString(),
        "forgetting_key": Data(repeating: 7, count: 32).base64EncodedString(),
        "endpoint_signing_keys": "whsk_" + Data(repeating: 9, count: 32).base64EncodedString(),
        "console_client_secret": "hush5", "app_store_private_key": P256.Signing.PrivateKey().pemRepresentation,
    ]

    @Test func `files are read for every secret setting, by variable and by credential`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let secrets = Settings.all.filter(\.isSecret)
        let valid = Self.valid.merging(["google_play_account": try PlayAccount.json()]) { $1 }
        #expect(Set(secrets.map(\.name)) == Set(valid.keys))
        let beside = [
            "LEDGERD_PORTONE_V2_STORE_ID": "store", "LEDGERD_APP_STORE_BUNDLE_ID": "com.example.coins",
            "LEDGERD_APP_STORE_APP_ID": "1", "LEDGERD_APP_STORE_ISSUER_ID": "issuer", "LEDGERD_APP_STORE_KEY_ID": "KEY",
            "LEDGERD_GOOGLE_PLAY_PACKAGE": "com.example.coins",
        ]
        var variables = beside
        for key in secrets {
            variables[key.fileVariable] = try write((valid[key.name] ?? "") + "\n", as: "ledgerd_\(key.name)")
        }
        let credentials = beside.merging(["CREDENTIALS_DIRECTORY": directory.path]) { $1 }
        for environment in [variables, credentials] {
            let values = try SettingValues(environment: environment)
            let configuration = try ServeConfiguration(values)
            #expect(try configuration[Settings.database.databaseURL] == Self.valid["database_url"])
            let v1 = configuration.gateways.portOneV1
            #expect(v1?.key == "key" && v1?.secret == "hush")
            #expect(configuration.gateways.portOneV2?.secret == "hush2")
            #expect(configuration.gateways.portOneV2?.webhookSecrets.first == Self.valid["portone_v2_webhook_secret"])
            #expect(try configuration[Settings.tokens.appKeys] == ["an-app-key-of-sixteen"])
            #expect(try configuration[Settings.books.sealKey] != nil)
            #expect(try values[Settings.tokens.secret] == TestHouse.secret)
            for key in secrets { #expect(configuration.changed[key.name] == "set") }
        }
    }

    @Test func `a secret loses one line's end and nothing else`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        for end in ["", "\n", "\r\n"] {
            let environment = ["LEDGERD_JWT_SECRET_FILE": try write(TestHouse.secret + end)]
            let values = try SettingValues(environment: environment)
            #expect(try values[Settings.tokens.secret] == TestHouse.secret)
        }
        let two = try message(["LEDGERD_JWT_SECRET_FILE": try write(TestHouse.secret + "\n\n")])
        #expect(two == "LEDGERD_JWT_SECRET_FILE (environment) must be at least 32 bytes, without a space at either end")
    }

    @Test func `a file that can't be used is named with place, path and fault, and never quoted`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let place = "LEDGERD_JWT_SECRET_FILE (environment): "
        func refusal(_ path: String) throws -> String { try message(["LEDGERD_JWT_SECRET_FILE": path]) }
        #expect(try refusal("/nowhere") == place + "/nowhere can't be read: No such file or directory")
        #expect(try refusal(directory.path) == place + "\(directory.path) can't be read: Is a directory")
        for empty in ["", "\n"] {
            let path = try write(empty)
            #expect(try refusal(path) == place + "\(path) is empty")
        }
        #expect(try refusal("/dev/zero") == place + "/dev/zero is too long for a secret")
        let binary = directory.appending(path: "binary")
        try Data([0xFF, 0xFE]).write(to: binary)
        #expect(try refusal(binary.path) == place + "\(binary.path) is not UTF-8 text")
        let short = try write("hush-hush", as: "ledgerd_jwt_secret")
        #expect(try !refusal(short).contains("hush-hush"))
        #expect(
            try message(["CREDENTIALS_DIRECTORY": directory.path])
                == "ledgerd_jwt_secret (credential) must be at least 32 bytes, without a space at either end")
        #expect(
            try message(["LEDGERD_JWT_SECRET_FILE": short, "LEDGERD_JWT_SECRET": TestHouse.secret])
                == "LEDGERD_JWT_SECRET and LEDGERD_JWT_SECRET_FILE are both set; remove one")
        #expect(
            try message(["CREDENTIALS_DIRECTORY": "/nowhere"])
                == "CREDENTIALS_DIRECTORY (environment): /nowhere can't be read")
        #expect(try message(["LEDGERD_WRITERS_FILE": short]).contains("unknown setting LEDGERD_WRITERS_FILE"))
    }

    @Test func `files are read when they are asked for, and a misspelt credential is refused`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let environment = ["LEDGERD_JWT_SECRET_FILE": "/nowhere", "LEDGERD_WRITERS": "3"]
        #expect(try SettingValues(environment: environment)[Settings.database.writers] == 3)
        _ = try write(TestHouse.secret, as: "ledgerd_jwt_secert")
        _ = try write("", as: "of-another-program")
        #expect(
            try message(["CREDENTIALS_DIRECTORY": directory.path])
                == "ledgerd_jwt_secert (credential): unknown setting jwt_secert: did you mean jwt_secret?")
    }

    @Test func `secret files come after the environment and before the settings file`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let settings = try write(
            #"{"portone_v1_key": "of-the-file", "portone_v1_secret": "of-the-file"}"#, as: "settings")
        _ = try write("of-the-credential", as: "ledgerd_portone_v1_key")
        _ = try write("of-the-credential", as: "ledgerd_portone_v1_secret")
        let values = try SettingValues(
            environment: ["CREDENTIALS_DIRECTORY": directory.path, "LEDGERD_PORTONE_V1_KEY": "of-the-environment"],
            file: settings)
        #expect(try values[Settings.portOneV1.key] == "of-the-environment")
        #expect(try values[Settings.portOneV1.secret] == "of-the-credential")
    }
}
