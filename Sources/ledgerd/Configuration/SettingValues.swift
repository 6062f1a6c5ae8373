import Configuration
import FoundationEssentials

/// The settings as given: flags over environment over file; secrets also come from files and credentials of their own.
///
/// The defaults are the keys' own.
///
/// Built on swift-configuration's providers, asked one after another rather than through its `ConfigReader`, which does
/// not say which of them answered; an error must.
struct ConfigurationValues: Sendable {
    private let sources: [ConfigurationSource]

    /// - Parameters:
    ///   - flags: what the command line said, by key name; nil for what it did not say.
    ///   - environment: the process's environment.
    ///   - file: the path of a JSON file, one object with the keys as members.
    /// - Throws: ``ConfigurationError`` when the file can't be read, isn't such an object or has a key nobody knows, and
    ///   for a variable or credential nobody knows. Files of secrets are read when they are asked for.
    init(
        flags: [String: String?] = [:], environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String? = nil
    ) throws(ConfigurationError) {
        var sources = [
            ConfigurationSource.flags(flags), try .environment(environment), try .secretFiles(environment),
            try .credentials(environment),
        ]
        if let file { sources.append(try .file(file)) }
        self.sources = sources
    }

    /// A setting's value: the most particular source's, or the default.
    ///
    /// - Throws: ``ConfigurationError`` when the value breaks the key's rule.
    func value<Value>(_ key: ConfigurationKey<Value>) throws(ConfigurationError) -> Value? {
        guard let given = try given(key) else { return key.defaultText.flatMap(key.parse) }
        guard let value = key.parse(given.text) else {
            throw .invalid(key.name, place: given.source.place(key.name), rule: key.rule)
        }
        return value
    }

    /// A setting's value, which must be given or have a default.
    func required<Value>(_ key: ConfigurationKey<Value>) throws(ConfigurationError) -> Value {
        guard let value = try value(key) else { throw .missing(key) }
        return value
    }

    /// What is set, by key name, for the start-up log line.
    ///
    /// A secret is only said to be set, and what has neither value nor default is left out.
    var effective: [String: String] {
        ConfigurationKeys.all.reduce(into: [:]) { all, key in
            let given = try? given(key)?.text
            all[key.name] = key.isSecret ? given.map { _ in "set" } : given ?? key.defaultText
        }
    }

    private func given(
        _ key: some ConfigurationDeclaration
    ) throws(ConfigurationError) -> (text: String, source: ConfigurationSource)? {
        for source in sources {
            if let text = try source.text(key.name), !text.isEmpty || key.takesEmpty { return (text, source) }
        }
        return nil
    }
}

extension ConfigurationValues {
    /// Whether only payments of an order are credited: unless told otherwise, where the apps that make none are not let in.
    var requireOrders: Bool {
        get throws(ConfigurationError) {
            if let given = try value(ConfigurationKeys.requireOrders) { return given }
            return try value(ConfigurationKeys.appKeys)?.isEmpty ?? true
        }
    }
}
