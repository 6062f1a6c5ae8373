import ArgumentParser

/// The options of the filter and the description of an endpoint.
struct FilterOptions: ParsableArguments {
    @Option(help: "A description for people.") var description: String?
    @Option(help: "The types of events to send, separated by commas; to change: empty for all.") var types: String?
    @Option(help: "The users whose events to send, separated by commas; to change: empty for everybody's.") var users:
        String?

    func validate() throws {
        do { _ = try description.checkedDescription() } catch { throw ValidationError("--description \(error.rule)") }
    }

    var checkedTypes: [String]? {
        get throws {
            guard let names = try Self.names(types, of: "--types") else { return nil }
            return try Optional(names).checkedTypes()
        }
    }

    var checkedUsers: [String]? {
        get throws {
            guard let names = try Self.names(users, of: "--users") else { return nil }
            return try Optional(names).checkedUsers()
        }
    }

    /// The names of an option; empty: all; nil: the option is not given.
    ///
    /// - Throws: `ValidationError` for nothing but commas, which is a mistake and not all.
    private static func names(_ text: String?, of option: String) throws -> [String]? {
        guard let text else { return nil }
        let names = text.commaSeparated
        guard !names.isEmpty || text.isEmpty else {
            throw ValidationError("\(option) must be names separated by commas, or empty for all.")
        }
        return names
    }
}
