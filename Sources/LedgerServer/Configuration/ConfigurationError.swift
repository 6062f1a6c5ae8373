/// The error of an invalid setting: its name, its source and the violated rule, but never its value.
struct ConfigurationError: Error, CustomStringConvertible, Equatable {
    /// The setting's name in the file, such as `jwt_secret`; nil if the error is about the whole file.
    let key: String?
    let description: String

    /// A value violates the rule of its setting.
    ///
    /// - Parameter place: the setting's name in its source, such as `LEDGERD_WRITERS (environment)`.
    static func invalid(_ key: String, place: String, rule: String) -> Self {
        Self(key: key, description: "\(place) must be \(rule)")
    }

    /// A required setting is missing.
    static func missing(_ key: some SettingDeclaration) -> Self {
        Self(
            key: key.name,
            description: "\(key.name) is not set: give --\(key.flag), \(key.variable)"
                + (key.isSecret ? ", \(key.fileVariable)" : "") + " or \(key.name) in the file")
    }

    /// Settings contradict each other.
    static func conflict(_ key: String, _ description: String) -> Self {
        Self(key: key, description: description)
    }

    /// An unknown setting, with the known one of a similar name.
    static func unknown(_ place: String, setting name: String, among known: [String]) -> Self {
        let suggestion = NearestName.find(name, among: known).map { ": did you mean \($0)?" } ?? ""
        return Self(key: nil, description: "\(place): unknown setting \(name)\(suggestion)")
    }

    /// The role of the database URL can change the books.
    static let ownerRole = Self(
        key: "database_url",
        description: "the database role of database_url can change the books (it owns the tables, or has too many "
            + "privileges): use a member of the role ledgerd_service; for tests only, set LEDGERD_ALLOW_OWNER=true"
    )

    /// Names of payments are hashed with another key.
    static func forgettingKey(_ needed: String) -> Self {
        Self(
            key: "forgetting_key",
            description: "payments of forgotten users are known by hashes with key \(needed), not with forgetting_key: "
                + "set that key, or the same payments could be credited again")
    }

    /// The file of a secret is unusable.
    static func invalidFile(_ description: String) -> Self {
        Self(key: nil, description: description)
    }

    /// The configuration file is unusable.
    static func file(_ path: String, _ description: String) -> Self {
        Self(key: nil, description: "\(path) (file): \(description)")
    }
}
