/// A client presented an identifier that the gateway could never have made.
public struct MalformedIdentifier: Error, Hashable, Sendable, CustomStringConvertible {
    /// The wire name of the member at fault, such as `imp_uid`.
    public let field: String

    /// The rule it breaks, fit to be shown to the client.
    public let rule: String

    /// The field and the rule; never the value, which a stranger chose.
    public var description: String { "\(field) \(rule)" }

    init(field: String, rule: String) {
        self.field = field
        self.rule = rule
    }
}
