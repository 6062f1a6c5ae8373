import ArgumentParser

/// What is declared of a setting beside the type of its value.
protocol ConfigurationDeclaration: Sendable {
    /// The key in the file, `snake_case`.
    var name: String { get }
    /// What it sets.
    var summary: String { get }
    /// What a valid value is, worded to follow "must be".
    var rule: String { get }
    /// The value when none is given, as it would be written.
    var defaultText: String? { get }
    /// A secret's value is in no message, log line or description.
    var isSecret: Bool { get }
    /// Whether an empty text is a value, and so can be invalid. Otherwise it is the same as none at all, as in
    /// `LEDGERD_X=${X:-}` of a container's description.
    var takesEmpty: Bool { get }
}

extension ConfigurationDeclaration {
    /// The name in the environment.
    var variable: String { "LEDGERD_\(name.uppercased())" }
    /// The name in the environment of the file that a secret stands in.
    var fileVariable: String { "\(variable)_FILE" }
}

/// The declaration of one setting: its names, its type, its rule, and whether it is a secret.
///
/// One name makes all three: `jwt_secret` in the file is `LEDGERD_JWT_SECRET` in the environment and `--jwt-secret` on
/// the command line. The help of the flag is made from the declaration too.
struct ConfigurationKey<Value: Sendable>: ConfigurationDeclaration {
    let name: String
    /// What it sets, for the help.
    let summary: String
    /// What a valid value is, worded to follow "must be".
    let rule: String
    let defaultText: String?
    let isSecret: Bool
    let takesEmpty: Bool
    /// The value, or nil when the rule is broken.
    let parse: @Sendable (String) -> Value?

    init(
        _ name: String, _ summary: String, rule: String, default defaultText: String? = nil, isSecret: Bool = false,
        takesEmpty: Bool = false, parse: @escaping @Sendable (String) -> Value?
    ) {
        self.name = name
        self.summary = summary
        self.rule = rule
        self.defaultText = defaultText
        self.isSecret = isSecret
        self.takesEmpty = takesEmpty
        self.parse = parse
    }

    /// The name on the command line, without its dashes.
    var flag: String { name.replacing("_", with: "-") }

    /// The help of the flag.
    var help: ArgumentHelp {
        let notes = [
            "Must be \(rule).", defaultText.map { "Default: \($0)." },
            isSecret ? "Environment: \(variable), or \(fileVariable) with a file's path." : "Environment: \(variable).",
            isSecret ? "A secret: other users of the machine see flags, so prefer a file or the environment." : nil,
        ]
        return ArgumentHelp(
            "\(summary)", discussion: notes.compactMap(\.self).joined(separator: " "), valueName: "value")
    }
}

extension ConfigurationKey where Value == String {
    /// A text without a rule of its own.
    static func text(
        _ name: String, _ summary: String, rule: String = "a text", default defaultText: String? = nil,
        isSecret: Bool = false, takesEmpty: Bool = false
    ) -> Self {
        Self(name, summary, rule: rule, default: defaultText, isSecret: isSecret, takesEmpty: takesEmpty) {
            $0.isEmpty ? nil : $0
        }
    }
}

extension ConfigurationKey where Value == Int {
    /// An integer within a range.
    static func integer(_ name: String, _ summary: String, in range: ClosedRange<Int>, default value: Int) -> Self {
        let rule = "an integer from \(range.lowerBound) to \(range.upperBound)"
        return Self(name, summary, rule: rule, default: String(value)) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ConfigurationKey where Value == Int64 {
    /// A number of coins; without one there is no bound.
    static func coins(_ name: String, _ summary: String, upTo most: Int64) -> Self {
        Self(name, summary, rule: "a number of coins from 1 to \(most)") { text in
            Int64(text).flatMap { (1...most).contains($0) ? $0 : nil }
        }
    }
}

extension ConfigurationKey where Value == Bool {
    /// A switch, off unless given or told otherwise.
    static func bool(_ name: String, _ summary: String, default value: Bool? = false) -> Self {
        Self(name, summary, rule: "true or false", default: value.map { String($0) }) { text in
            switch text.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0": false
            default: nil
            }
        }
    }
}

extension ConfigurationKey where Value == Duration {
    /// A duration within a range.
    static func duration(
        _ name: String, _ summary: String, in range: ClosedRange<Duration>, default value: Duration? = nil
    ) -> Self {
        let bounds = (DurationText.text(of: range.lowerBound), DurationText.text(of: range.upperBound))
        let rule = "a duration such as 500ms, 20s or 5m, from \(bounds.0) to \(bounds.1)"
        return Self(name, summary, rule: rule, default: value.map(DurationText.text)) { text in
            DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ConfigurationKey where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a few names.
    static func choice(_ name: String, _ summary: String, default value: Value) -> Self {
        let rule = "one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")
        return Self(name, summary, rule: rule, default: value.rawValue) { Value(rawValue: $0.lowercased()) }
    }
}
