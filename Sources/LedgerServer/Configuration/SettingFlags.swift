import ArgumentParser
import FoundationEssentials

/// The settings that a command accepts as flags.
protocol SettingList {
    static var settings: [any SettingDeclaration] { get }
}

/// The flags of settings, made from their declarations.
///
/// swift-argument-parser finds the flags of a type by reflection and decodes them by name. This type has a custom
/// reflection, which makes flags from a list: docs/decisions/0112.
struct SettingFlags<List: SettingList>: ParsableArguments, CustomReflectable {
    private let config: Option<String?>
    private let options: [Option<String?>]

    init() {
        config = Option(
            help: "A JSON file with settings: one object with a member per setting (environment: LEDGERD_CONFIG).",
            completion: .file())
        options = List.settings.map {
            Option(name: .customLong($0.flag), help: $0.help, completion: $0.completion)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        config = try container.decode(Option<String?>.self, forKey: .config)
        options = try List.settings.map { try container.decode(Option<String?>.self, forKey: Name($0.name)) }
    }

    var customMirror: Mirror {
        let names = [Name.config.stringValue] + List.settings.map(\.name)
        return Mirror(self, children: zip(names, [config] + options).map { (label: $0, value: $1 as Any) })
    }

    /// The values: flags override the environment, which overrides the file.
    func values(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) -> SettingValues {
        var given: [String: String] = [:]
        for (setting, option) in zip(List.settings, options) { given[setting.name] = option.wrappedValue }
        return try SettingValues(
            flags: given, environment: environment, file: config.wrappedValue ?? environment["LEDGERD_CONFIG"])
    }

    private struct Name: CodingKey {
        static var config: Self { Self("config") }

        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}

/// The flags of a command that opens the ledger.
typealias CommonOptions = SettingFlags<CommonSettings>

/// The settings of a command that opens the ledger.
enum CommonSettings: SettingList {
    static let settings: [any SettingDeclaration] = [
        Settings.database.databaseURL, Settings.log.level, Settings.log.format,
    ]
}

/// The settings of a command that opens the ledger and needs the time zone of days.
enum DaySettings: SettingList {
    static let settings = CommonSettings.settings + [Settings.books.timeZone]
}

/// The settings of a command that reads the whole books.
enum BooksSettings: SettingList {
    static let settings = CommonSettings.settings + [Settings.database.replicaURL, Settings.database.replicaPatience]
}

/// The settings of a command that reads the whole books and needs the time zone of days.
enum ReportSettings: SettingList {
    static let settings = BooksSettings.settings + [Settings.books.timeZone]
}

/// The settings of a command that also sends requests to the gateways.
enum GatewayCommandSettings: SettingList {
    static let settings =
        DaySettings.settings + Settings.gateways.settings + Settings.webhooks.settings + [Settings.http.trustedProxies]
}

/// The settings of `ledgerd serve`: all settings.
enum ServeSettings: SettingList {
    static let settings = Settings.all
}
