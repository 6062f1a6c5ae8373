/// A setting that the service can't start with: which one, where it was set, and the rule it breaks.
///
/// Never its value.
struct ConfigurationError: Error, CustomStringConvertible, Equatable {
    /// The setting's name in the file, such as `jwt_secret`; nil when the file as a whole is at fault.
    let key: String?
    let description: String

    /// A value breaks its key's rule.
    ///
    /// - Parameter place: how the source calls it, such as `LEDGERD_WRITERS (environment)`.
    static func invalid(_ key: String, place: String, rule: String) -> Self {
        Self(key: key, description: "\(place) must be \(rule)")
    }

    /// A setting without which the command can't run.
    static func missing<Value>(_ key: ConfigurationKey<Value>) -> Self {
        Self(
            key: key.name,
            description: "\(key.name) is not set: give --\(key.flag), \(key.variable) or \(key.name) in the file")
    }

    /// Settings that don't go together.
    static func conflict(_ key: String, _ description: String) -> Self {
        Self(key: key, description: description)
    }

    /// A file that can't be read as settings.
    static func file(_ path: String, _ description: String) -> Self {
        Self(key: nil, description: "\(path) (file): \(description)")
    }
}
