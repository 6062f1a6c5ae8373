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
    static func missing(_ key: some SettingDeclaration) -> Self {
        Self(
            key: key.name,
            description: "\(key.name) is not set: give --\(key.flag), \(key.variable)"
                + (key.isSecret ? ", \(key.fileVariable)" : "") + " or \(key.name) in the file")
    }

    /// Settings that don't go together.
    static func conflict(_ key: String, _ description: String) -> Self {
        Self(key: key, description: description)
    }

    /// A setting that there is not, with the one that was probably meant.
    static func unknown(_ place: String, setting name: String, among known: [String]) -> Self {
        let suggestion = NearestName.find(name, among: known).map { ": did you mean \($0)?" } ?? ""
        return Self(key: nil, description: "\(place): there is no setting \(name)\(suggestion)")
    }

    /// The database URL names a role that could undo what the books say.
    static let ownerRole = Self(
        key: "database_url",
        description: "the database role of database_url can rewrite the books (it owns the tables, or was granted too "
            + "much): serve as a role IN ROLE ledgerd_service; LEDGERD_ALLOW_OWNER=true allows it for trying things out"
    )

    /// A file of a secret that can't be used.
    static func invalidFile(_ description: String) -> Self {
        Self(key: nil, description: description)
    }

    /// A file that can't be read as settings.
    static func file(_ path: String, _ description: String) -> Self {
        Self(key: nil, description: "\(path) (file): \(description)")
    }
}
