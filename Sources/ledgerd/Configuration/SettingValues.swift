import Configuration
import FoundationEssentials

/// The settings as given: flags over environment over file; secrets also come from files and credentials of their own.
///
/// Built on swift-configuration's providers, asked one after another rather than through its `ConfigReader`, which does
/// not say which of them answered; an error must.
struct SettingValues: Sendable {
    private let sources: [ConfigurationSource]

    /// - Parameters:
    ///   - flags: what the command line said, by setting name.
    ///   - environment: the process's environment.
    ///   - file: the path of a JSON file, one object with the settings as members.
    init(
        flags: [String: String] = [:], environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String? = nil
    ) throws(ConfigurationError) {
        var sources = [
            ConfigurationSource.flags(flags), try .environment(environment), try .secretFiles(environment),
            try .credentials(environment),
        ]
        if let file { sources.append(try .file(file)) }
        self.sources = sources
    }

    /// A setting's value: that of the first source that has one, or the default.
    ///
    /// - Throws: ``ConfigurationError`` when the value breaks the setting's rule, or a setting that must be given is not.
    subscript<Value>(setting: Setting<Value>) -> Value {
        get throws(ConfigurationError) {
            guard let given = try given(setting) else {
                guard let value = setting.absent else { throw .missing(setting) }
                return value
            }
            guard let value = setting.parse(given.text) else {
                throw .invalid(setting.name, place: given.source.place(setting.name), rule: setting.rule)
            }
            return value
        }
    }

    /// The value of a setting that others can do without, but not the caller.
    func required<Value>(_ setting: Setting<Value?>) throws(ConfigurationError) -> Value {
        guard let value = try self[setting] else { throw .missing(setting) }
        return value
    }

    /// The same values, every one of them checked and read for the last time.
    ///
    /// - Throws: ``ConfigurationError`` for the first setting that is missing or invalid.
    func checked() throws(ConfigurationError) -> Self {
        var texts: [String: String] = [:]
        for setting in Settings.all {
            try setting.check(self)
            texts[setting.name] = try given(setting)?.text
        }
        return Self(sources: [
            ConfigurationSource { [texts] in
                texts[$0]
            } place: {
                $0
            }
        ])
    }

    private init(sources: [ConfigurationSource]) { self.sources = sources }

    /// What is set, by setting name, for the start-up log line.
    ///
    /// A secret is only said to be set, and what has neither value nor default is left out.
    var effective: [String: String] {
        Settings.all.reduce(into: [:]) { all, setting in
            let given = try? given(setting)?.text
            all[setting.name] = setting.isSecret ? given.map { _ in "set" } : given ?? setting.defaultText
        }
    }

    private func given(
        _ setting: some SettingDeclaration
    ) throws(ConfigurationError) -> (text: String, source: ConfigurationSource)? {
        for source in sources {
            if let text = try source.text(setting.name), !text.isEmpty || setting.takesEmpty { return (text, source) }
        }
        return nil
    }
}

extension SettingValues {
    /// Whether only payments of an order are credited: unless told otherwise, where the apps that make none are not let in.
    var requireOrders: Bool {
        get throws(ConfigurationError) {
            if let given = try self[Settings.receipts.requireOrders] { return given }
            return try self[Settings.tokens.appKeys]?.isEmpty ?? true
        }
    }
}
