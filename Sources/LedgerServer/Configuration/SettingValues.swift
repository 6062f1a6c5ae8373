import Configuration
import FoundationEssentials

/// The values of settings: flags override the environment, which overrides the file.
///
/// Secrets can also be in separate files or systemd credentials.
///
/// It uses swift-configuration's providers one after another and not its `ConfigReader`, which does not tell the
/// provider of a value; error messages name it.
struct SettingValues: Sendable {
    private let sources: [ConfigurationSource]

    /// - Parameters:
    ///   - flags: the values of flags, by setting name.
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

    /// A setting's value from the first source that has one, or the default.
    ///
    /// - Throws: ``ConfigurationError`` when the value violates the rule, or a required setting is missing.
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

    /// The value of an optional setting that the caller requires.
    func required<Value>(_ setting: Setting<Value?>) throws(ConfigurationError) -> Value {
        guard let value = try self[setting] else { throw .missing(setting) }
        return value
    }

    /// Whether settings that belong together are set.
    ///
    /// - Throws: ``ConfigurationError`` if some are and others are not.
    func areSet(_ settings: [any SettingDeclaration]) throws(ConfigurationError) -> Bool {
        var (present, missing): (String?, String?)
        for setting in settings {
            let isSet = try given(setting) != nil
            if isSet { present = present ?? setting.name } else { missing = missing ?? setting.name }
        }
        if let present, let missing { throw .conflict(missing, "\(present) is set without \(missing)") }
        return present != nil
    }

    /// The same values, all checked.
    ///
    /// Sources are not read again.
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

    /// The settings that were given and are not written as their defaults are, by name, for the log.
    ///
    /// The value is `set` for a secret and for what names people. A URL has no query, because some have a key in it.
    var changed: [String: String] {
        Settings.all.reduce(into: [:]) { changed, setting in
            guard let given = try? given(setting)?.text, given != setting.defaultText else { return }
            changed[setting.name] = setting.isSecret || setting.namesPeople ? "set" : Self.withoutQuery(given)
        }
    }

    private static func withoutQuery(_ text: String) -> String {
        guard text.contains("://"), let mark = text.firstIndex(of: "?") else { return text }
        return text[...mark] + "…"
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
    /// Whether only payments of an order are credited.
    ///
    /// The default is true, unless `app_keys` allows coin-shop apps, which make no orders.
    var requireOrders: Bool {
        get throws(ConfigurationError) {
            if let given = try self[Settings.receipts.requireOrders] { return given }
            return try self[Settings.tokens.appKeys]?.isEmpty ?? true
        }
    }
}

extension String {
    /// The non-empty parts between commas, without surrounding spaces.
    var commaSeparated: [String] {
        split(separator: ",").compactMap { part in
            let start = part.drop { $0 == " " }
            return start.lastIndex { $0 != " " }.map { String(start[...$0]) }
        }
    }
}
