/// What a migration's file says of itself, in comment lines that begin with `-- @`.
///
/// See docs/upgrading.md, "Rules for migrations", and decisions 0119, 0123 and 0180. `-- @after-judges` is in ``judgesMark``.
extension Migration {
    /// `-- @outside-transaction`: each statement commits alone, as `CREATE INDEX CONCURRENTLY` requires.
    ///
    /// Such a migration must be repeatable, because one that was interrupted runs again from its start.
    package var runsOutsideTransaction: Bool { directives["outside-transaction"] != nil }

    /// `-- @compatible-from 0027`: the newest migration that an earlier binary must know to serve this schema.
    ///
    /// Nil: no earlier binary can.
    var compatibleFrom: Int? { directives["compatible-from"].flatMap { Int($0) } }

    /// The values of the directives by name.
    var directives: [Substring: Substring] {
        let lines = sql.split(separator: "\n").filter { $0.hasPrefix(Self.directive) }
        let pairs = lines.map { line in
            let words = line.dropFirst(Self.directive.count).split(separator: " ", maxSplits: 1)
            return (words.first ?? "", words.count > 1 ? words[1] : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static let directive = "-- @"

    /// The statements `DROP FUNCTION IF EXISTS`, each at the beginning of a line.
    var dropsOfFunctions: [String] {
        sql.split(separator: ";").compactMap { part in
            part.range(of: "\nDROP FUNCTION IF EXISTS").map { String(part[$0.lowerBound...]) }
        }
    }

    /// The statements without the comment lines between them.
    ///
    /// Only for a migration outside a transaction: a semicolon ends a statement wherever it is. `MigrationRulesTests`
    /// allows no other statements there.
    var statements: [String] {
        sql.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
            .split(separator: ";")
            .map { String($0.trimmingPrefix(while: \.isWhitespace)) }
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
