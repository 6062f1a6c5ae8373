/// An identifier that no gateway can have created.
public struct MalformedIdentifier: Error, Hashable, Sendable, CustomStringConvertible {
    /// The wire name of the member, such as `imp_uid`.
    public let field: String

    /// The broken rule, for the client.
    public let rule: String

    /// The field and the rule; never the value, which is untrusted.
    public var description: String { "\(field) \(rule)" }

    init(field: String, rule: String) {
        self.field = field
        self.rule = rule
    }
}
