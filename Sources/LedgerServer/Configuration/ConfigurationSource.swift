import Configuration
import FoundationEssentials

/// A source of settings: flags, environment or file.
struct ConfigurationSource: Sendable {
    /// The text of a setting; nil if this source does not set it.
    let text: @Sendable (_ name: String) throws(ConfigurationError) -> String?
    /// The setting's name in this source, for error messages, such as `LEDGERD_WRITERS (environment)`.
    let place: @Sendable (_ name: String) -> String

    init(
        text: @escaping @Sendable (_ name: String) throws(ConfigurationError) -> String?,
        place: @escaping @Sendable (_ name: String) -> String
    ) {
        self.text = text
        self.place = place
    }

    private init(snapshot: any ConfigSnapshot, place: @escaping @Sendable (_ name: String) -> String) {
        self.init { name in
            guard let value = try? snapshot.value(forKey: AbsoluteConfigKey([name]), type: .string).value,
                case .string(let text) = value.content
            else { return nil }
            return text
        } place: {
            place($0)
        }
    }

    /// The flags of the command line, as swift-argument-parser has read them.
    static func flags(_ flags: [String: String]) -> Self {
        Self(snapshot: snapshot(flags)) { "--\($0.replacing("_", with: "-")) (flag)" }
    }

    /// The process's environment, `LEDGERD_…`.
    ///
    /// - Throws: ``ConfigurationError`` for an unknown variable, because a misspelt one would silently have no effect.
    static func environment(_ variables: [String: String]) throws(ConfigurationError) -> Self {
        if let name = unknown(in: variables).first {
            throw .unknown("\(name) (environment)", setting: name, among: knownVariables)
        }
        let provider = EnvironmentVariablesProvider(environmentVariables: variables, secretsSpecifier: .all)
        return Self(snapshot: provider.prefixKeys(with: "ledgerd").snapshot()) {
            "LEDGERD_\($0.uppercased()) (environment)"
        }
    }

    /// The variables that no setting has, misspelt for one that does.
    static func unknown(in variables: [String: String]) -> [String] {
        let known = knownVariables
        return variables.keys.sorted().filter { name in
            name.hasPrefix("LEDGERD_") && !known.contains(name) && !isForOthers(name)
        }
    }

    static let knownVariables = Settings.all.map(\.variable) + Settings.all.filter(\.isSecret).map(\.fileVariable)

    /// A JSON file.
    ///
    /// swift-configuration's `JSONSnapshot` is not used, because it reads `true` as the integer 1 and can't list its
    /// keys: a misspelt key would silently have no effect.
    static func file(_ path: String) throws(ConfigurationError) -> Self {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw .file(path, "the file can't be read") }
        guard let members = try? JSONDecoder().decode([String: FileValue].self, from: data) else {
            throw .file(path, "the file must be a JSON object with strings, integers, booleans and arrays of strings")
        }
        let known = Settings.all.map(\.name)
        for name in members.keys.sorted() where !known.contains(name) {
            throw .unknown("\(path) (file)", setting: name, among: known)
        }
        return Self(snapshot: snapshot(members.mapValues(\.text))) { "\($0) (file \(path))" }
    }

    /// Whether a variable is not a setting but belongs to the development setup, to tests, or to Kubernetes, which sets
    /// variables with the address of a service called `ledgerd`.
    private static func isForOthers(_ name: String) -> Bool {
        ["LEDGERD_CONFIG", "LEDGERD_URL", "LEDGERD_BINARY"].contains(name)
            || name.hasPrefix("LEDGERD_TEST_") || name.hasPrefix("LEDGERD_UPDATE_")
            || name.wholeMatch(of: /LEDGERD_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.*)?)?)/)
                != nil
    }

    private static func snapshot(_ texts: [String: String]) -> any ConfigSnapshot {
        let values = texts.map { (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: true)) }
        return InMemoryProvider(values: Dictionary(uniqueKeysWithValues: values)).snapshot()
    }
}

/// A value of the file, converted to the text format of the environment.
private struct FileValue: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            text = string
        } else if let bool = try? container.decode(Bool.self) {
            text = String(bool)
        } else if let integer = try? container.decode(Int.self) {
            text = String(integer)
        } else {
            text = try container.decode([String].self).joined(separator: ",")
        }
    }
}
