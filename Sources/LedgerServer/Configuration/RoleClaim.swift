import Foundation
package import Ledger
package import WireFormats

/// The claim of an ID token with a person's roles, and what its values mean.
package struct RoleClaim: Sendable {
    /// The claim's name, or a path with dots into objects.
    let name: String
    /// The values of each role.
    let values: [Person.Role: Set<String>]

    init(name: String, values: [Person.Role: Set<String>]) {
        self.name = name
        self.values = values
    }

    init(_ settings: SettingValues) throws(ConfigurationError) {
        name = try settings[Settings.console.roleClaim]
        values = [
            .viewer: Set(try settings[Settings.console.viewers]),
            .support: Set(try settings[Settings.console.support]),
            .finance: Set(try settings[Settings.console.finance]),
            .administrator: Set(try settings[Settings.console.administrators]),
        ]
    }

    /// The role with the most rights that the claims give; nil: none.
    package func role(of claims: JSON) -> Person.Role? {
        let given = Set(Self.texts(value(in: claims)))
        return Person.Role.allCases.last { role in values[role].map { !$0.isDisjoint(with: given) } ?? false }
    }

    /// A claim can have dots in its name, such as a URL.
    private func value(in claims: JSON) -> JSON? {
        if let value = claims[name] { return value }
        return name.split(separator: ".").reduce(claims as JSON?) { $0?[String($1)] }
    }

    private static func texts(_ value: JSON?) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.compactMap(\.text)
        default: []
        }
    }
}
