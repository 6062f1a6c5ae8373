import ArgumentParser
import Foundation
import Ledger

/// The person who acts.
struct PersonOption: ParsableArguments {
    @Option(help: "The name of the person who does it (default: the user name in the system).") var by: String?

    /// Who acts.
    ///
    /// A name that nobody gave is told to the person, once.
    var name: String {
        if by == nil { Self.tellDefault }
        return unchecked
    }

    private var unchecked: String { by ?? Self.userName }
    private static let userName = ProcessInfo.processInfo.userName

    private static let tellDefault: Void = StandardError.print(
        "--by is not given: it is done by \(userName), the user name in the system.")

    func validate() throws { _ = try caller }

    /// Who acts, as a caller.
    var user: UserID {
        get throws {
            _ = name
            return try caller
        }
    }

    private var caller: UserID {
        get throws {
            guard let caller = UserID(rawValue: unchecked) else { throw ValidationError("--by must be \(UserID.rule)") }
            return caller
        }
    }

    /// A key of the person's.
    func key(_ text: String) throws -> CallerKey {
        _ = name
        guard let key = CallerKey(text, of: try caller) else {
            throw ValidationError("--key must be a short text of printable ASCII characters")
        }
        return key
    }
}

/// The text of an option, such as a reason, by the rule for texts in requests (``NonEmpty``).
enum TextOption {
    static func text(_ text: String) throws -> String {
        if let fault = NonEmpty.fault(of: text) { throw ValidationError(fault) }
        return text
    }
}
