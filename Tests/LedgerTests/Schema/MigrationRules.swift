@testable import Ledger

/// What a migration may do to a table that can be large: docs/upgrading.md, "Rules for migrations".
///
/// The baseline makes the tables, so these rules are not about it.
enum MigrationRules {
    /// Tables that stay small in the largest shop: a statement that scans one takes milliseconds.
    private static let small: Set<String> = [
        "ledger", "migration", "product", "closed_period", "seal", "settlement_file", "reconciliation_run",
        "transaction_tally", "approval", "dispute_decision", "entry_kind",
    ]

    /// The statements that may run outside a transaction: each can be repeated, and makes nobody wait.
    private static var repeatable: [Regex<(Substring, name: Substring)>] {
        [
            #/DROP INDEX CONCURRENTLY IF EXISTS (?<name>\w+)/#,
            #/CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?<name>\w+) ON .+/#,
            #/ALTER TABLE \S+ VALIDATE CONSTRAINT (?<name>\w+)/#,
        ]
    }

    /// What is wrong with a migration, a line each.
    static func violations(in migration: Migration) -> [String] {
        let statements = statements(of: migration.sql)
        return directiveViolations(of: migration)
            + (migration.runsOutsideTransaction
                ? outsideViolations(statements) : insideViolations(statements))
    }

    private static func directiveViolations(of migration: Migration) -> [String] {
        migration.directives.filter { name, value in
            switch name {
            case "outside-transaction": !value.isEmpty
            case "after-judges": !value.isEmpty || migration.runsOutsideTransaction
            case "compatible-from": value.count != 4 || Int(value) ?? .max >= migration.version
            default: true
            }
        }
        .map { name, value in "the directive @\(name) \(value) is not known" }
    }

    private static func outsideViolations(_ statements: [String]) -> [String] {
        var dropped: Set<Substring> = []
        return statements.compactMap { statement in
            guard let match = repeatable.lazy.compactMap({ statement.wholeMatch(of: $0) }).first else {
                return "outside a transaction: \(statement)"
            }
            if statement.hasPrefix("DROP") { dropped.insert(match.name) }
            // A build that failed leaves an invalid index of the name.
            let isRepeatable = !statement.hasPrefix("CREATE") || dropped.contains(match.name)
            return isRepeatable ? nil : "not dropped first: \(match.name)"
        }
    }

    private static func insideViolations(_ statements: [String]) -> [String] {
        var own = small
        return statements.flatMap { statement -> [String] in
            // The next change of the file in schema/judges would take it back.
            if statement.hasPrefix("CREATE FUNCTION") || statement.hasPrefix("CREATE OR REPLACE FUNCTION") {
                return ["a function is written in schema/judges: \(statement)"]
            }
            if let made = statement.firstMatch(of: #/^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)"?/#) {
                own.insert(String(made.1))
            }
            if let index = statement.firstMatch(of: #/^CREATE (?:UNIQUE )?INDEX .*?ON (?:ONLY )?"?(\w+)"?/#) {
                return own.contains(String(index.1)) ? [] : ["index without CONCURRENTLY: \(statement)"]
            }
            guard let alter = statement.wholeMatch(of: #/ALTER TABLE (?:IF EXISTS )?(?:ONLY )?"?(\w+)"? (.+)/#),
                !own.contains(String(alter.1))
            else { return [] }
            return actions(alter.2).compactMap { action in complaint(action).map { "\($0): \(action)" } }
        }
    }

    /// What makes an action read or write the whole table under its lock; nil: nothing.
    private static func complaint(_ action: String) -> String? {
        let isConstraint = action.contains(#/\b(CHECK|REFERENCES|UNIQUE|PRIMARY KEY|EXCLUDE)\b/#)
        let isColumn = action.contains(#/^ADD (?!CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY|EXCLUDE)/#)
        let isHarmless = !isColumn && action.contains(#/NOT VALID$|USING INDEX/#)
        if action.hasPrefix("ADD") && isConstraint && !isHarmless { return "constraint without NOT VALID" }
        if action.hasPrefix("VALIDATE") { return "validated in a transaction" }
        if isColumn && action.contains(rewriting) { return "column that rewrites the table" }
        if action.contains(#/^ALTER (COLUMN )?\S+ (SET DATA )?TYPE /#) { return "type that rewrites the table" }
        if action.contains(#/^ALTER (COLUMN )?\S+ SET NOT NULL/#) { return "NOT NULL that reads the table" }
        return nil
    }

    /// In a new column: each row gets a value of its own.
    private static var rewriting: Regex<Substring> {
        #/\b(?:STORED|IDENTITY|(?:small|big)?serial)\b|gen_random|random\(|nextval|clock_/#
    }

    /// The statements in one line each, without comments, texts and bodies of functions.
    private static func statements(of sql: String) -> [String] {
        sql.replacing(#/--[^\n]*/#, with: "")
            .replacing(#/(?s)\$\w*\$.*?\$\w*\$/#, with: "''")
            .replacing(#/'[^']*'/#, with: "''")
            .split(separator: ";")
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    /// The parts between the commas that are in no parentheses.
    private static func actions(_ text: Substring) -> [String] {
        var depth = 0
        let parts = text.split { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return character == "," && depth == 0
        }
        return parts.map { String($0.trimmingPrefix(while: \.isWhitespace)) }
    }
}
