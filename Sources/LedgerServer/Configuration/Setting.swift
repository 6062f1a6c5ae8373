import ArgumentParser

/// The declaration of a setting, without the type of its value.
protocol SettingDeclaration: Sendable {
    /// The key in the file, `snake_case`.
    var name: String { get }
    /// The help text, one or more sentences.
    var summary: String { get }
    /// The description of valid values, worded to follow "must be".
    var rule: String { get }
    /// The text of the default value.
    var defaultText: String? { get }
    /// The effect of a missing value if there is no default, such as `no limit`.
    var unset: String? { get }
    /// Whether the value is secret: it must not appear in messages, logs and descriptions.
    var isSecret: Bool { get }
    /// Whether the value names people: it must not appear in logs.
    var namesPeople: Bool { get }
    /// Whether an empty text is a value, which can be invalid. Otherwise an empty text means that the setting is not
    /// set, as in `LEDGERD_X=${X:-}` in a container's configuration.
    var takesEmpty: Bool { get }
    /// The shell completion of the flag's value.
    var completion: CompletionKind? { get }

    /// - Throws: ``ConfigurationError`` when the setting is missing or violates its rule.
    func check(_ values: SettingValues) throws(ConfigurationError)
}

extension SettingDeclaration {
    /// The name on the command line, without the leading dashes.
    var flag: String { name.replacing("_", with: "-") }
    /// The name in the environment.
    var variable: String { "LEDGERD_\(name.uppercased())" }
    /// The name of the environment variable with the path of a secret's file.
    var fileVariable: String { "\(variable)_FILE" }

    /// The help of the flag.
    var help: ArgumentHelp {
        let notes = [
            "Must be \(rule).", (defaultText ?? unset).map { "Default: \($0)." },
            isSecret ? "Environment: \(variable), or \(fileVariable) with a path." : "Environment: \(variable).",
            isSecret ? "Secret: other users of the machine can see flags, so use a file or the environment." : nil,
        ]
        return ArgumentHelp(summary, discussion: notes.compactMap(\.self).joined(separator: " "), valueName: "value")
    }
}

/// The declaration of one setting.
///
/// `jwt_secret` in the file is `LEDGERD_JWT_SECRET` in the environment and `--jwt-secret` on the command line. The
/// flag, its help, the environment file, the table in docs/operations.md and the check for misspelt names use the
/// declaration.
struct Setting<Value: Sendable>: SettingDeclaration {
    let name: String
    let summary: String
    let rule: String
    let defaultText: String?
    let unset: String?
    let isSecret: Bool
    let namesPeople: Bool
    let takesEmpty: Bool
    let completion: CompletionKind?
    /// Returns the value of a text, or nil if the text violates the rule.
    let parse: @Sendable (String) -> Value?
    /// The value if the setting is not set; nil for a required setting.
    let absent: Value?

    private init(
        _ name: String, _ summary: String, rule: String, default defaultText: String?, unset: String?, isSecret: Bool,
        namesPeople: Bool, takesEmpty: Bool, completion: CompletionKind?, parse: @escaping @Sendable (String) -> Value?,
        absent: Value?
    ) {
        self.name = name
        self.summary = summary
        self.rule = rule
        self.defaultText = defaultText
        self.unset = unset
        self.isSecret = isSecret
        self.namesPeople = namesPeople
        self.takesEmpty = takesEmpty
        self.completion = completion
        self.parse = parse
        self.absent = absent
    }

    /// A setting with a default, or a required setting without one.
    init(
        _ name: String, _ summary: String, rule: String, default defaultText: String? = nil, isSecret: Bool = false,
        completion: CompletionKind? = nil, parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(
            name, summary, rule: rule, default: defaultText, unset: nil, isSecret: isSecret, namesPeople: false,
            takesEmpty: false, completion: completion, parse: parse, absent: defaultText.flatMap(parse))
    }

    /// An optional setting.
    ///
    /// - Parameter unset: the effect of a missing value.
    init<Given>(
        _ name: String, _ summary: String, rule: String, unset: String?, isSecret: Bool = false,
        namesPeople: Bool = false, takesEmpty: Bool = false, completion: CompletionKind? = nil,
        parse: @escaping @Sendable (String) -> Given?
    ) where Value == Given? {
        self.init(
            name, summary, rule: rule, default: nil, unset: unset, isSecret: isSecret, namesPeople: namesPeople,
            takesEmpty: takesEmpty, completion: completion, parse: { parse($0).map(Optional.some) },
            absent: .some(nil))
    }

    func check(_ values: SettingValues) throws(ConfigurationError) { _ = try values[self] }
}

extension Setting where Value == String? {
    /// An optional text without a rule.
    static func text(_ name: String, _ summary: String, unset: String) -> Self {
        Self(name, summary, rule: "a text", unset: unset) { $0.isEmpty ? nil : $0 }
    }
}

extension Setting where Value == Int {
    /// An integer within a range.
    static func integer(_ name: String, _ summary: String, in range: ClosedRange<Int>, default value: Int) -> Self {
        let rule = "an integer from \(range.lowerBound) to \(range.upperBound)"
        return Self(name, summary, rule: rule, default: String(value)) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Setting where Value == Int64? {
    /// An optional limit in coins.
    static func coins(_ name: String, _ summary: String, upTo most: Int64) -> Self {
        Self(name, summary, rule: "a number of coins from 1 to \(most)", unset: "no limit") { text in
            Int64(text).flatMap { (1...most).contains($0) ? $0 : nil }
        }
    }
}

extension Setting where Value == Bool {
    /// A boolean that is false by default.
    static func bool(_ name: String, _ summary: String) -> Self {
        Self(
            name, summary, rule: Bool.rule, default: "false", completion: .list(["true", "false"]),
            parse: Bool.init(settingText:))
    }
}

extension Setting where Value == Bool? {
    /// An optional boolean.
    static func bool(_ name: String, _ summary: String, unset: String) -> Self {
        Self(
            name, summary, rule: Bool.rule, unset: unset, completion: .list(["true", "false"]),
            parse: Bool.init(settingText:))
    }
}

extension Bool {
    fileprivate static let rule = "true or false"

    fileprivate init?(settingText text: String) {
        switch text.lowercased() {
        case "true", "yes", "on", "1": self = true
        case "false", "no", "off", "0": self = false
        default: return nil
        }
    }
}

extension Setting where Value == Duration {
    /// A duration within a range.
    static func duration(
        _ name: String, _ summary: String, in range: ClosedRange<Duration>, default value: Duration
    ) -> Self {
        Self(
            name, summary, rule: DurationText.rule(range), default: DurationText.text(of: value),
            parse: { DurationText.parse($0, in: range) })
    }
}

extension Setting where Value == Duration? {
    /// An optional duration within a range.
    static func duration(
        _ name: String, _ summary: String, in range: ClosedRange<Duration>, unset: String
    ) -> Self {
        Self(
            name, summary, rule: DurationText.rule(range), unset: unset,
            parse: { DurationText.parse($0, in: range) })
    }
}

extension Setting where Value == Interval {
    /// The time between two runs of repeated work that can be switched off.
    static func interval(
        _ name: String, _ summary: String, in range: ClosedRange<Duration>, default value: Duration
    ) -> Self {
        Self(
            name, summary, rule: "\(DurationText.rule(range)), or off", default: DurationText.text(of: value),
            parse: { Interval(text: $0, in: range) })
    }
}

extension DurationText {
    fileprivate static func rule(_ range: ClosedRange<Duration>) -> String {
        "a duration such as 500ms, 20s or 5m, from \(text(of: range.lowerBound)) to \(text(of: range.upperBound))"
    }

    static func parse(_ text: String, in range: ClosedRange<Duration>) -> Duration? {
        parse(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension Setting where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of several names.
    static func choice(_ name: String, _ summary: String, default value: Value) -> Self {
        let names = Value.allCases.map(\.rawValue)
        return Self(
            name, summary, rule: "one of " + names.joined(separator: ", "), default: value.rawValue,
            completion: .list(names)
        ) { Value(rawValue: $0.lowercased()) }
    }
}
