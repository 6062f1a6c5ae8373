import CEmbedded

/// The schema that a new ledger begins with: `schema/`, one file per concept.
///
/// It is what the migrations up to its number made, and those that followed an earlier baseline. They are no longer part of
/// the binary: of each there is the checksum, by which a ledger that began with them is recognised and taken over
/// (docs/decisions/0180-a-baseline-of-the-schema.md).
enum Baseline {
    /// The files as one migration, under the number of the last one that they stand for.
    static let migration = Migration(
        version: version, name: "baseline", sql: sql(of: embedded_tables().all.map(\.text)))

    static let version = folded.last?.version ?? 0

    /// What the baseline stands for, in order: migrations, and earlier baselines after the last one that each stood for.
    static let folded: [Folded] = embedded_folded().text.split(separator: "\n").compactMap(Folded.init(line:))

    /// What a ledger has that is at the baseline, if it has these migrations: all from the earlier baseline that it began
    /// with, or from the first migration.
    static func road(of applied: [AppliedMigration]) -> [Folded] {
        let beginnings = folded.filter(\.isBaseline)
        let beginning = beginnings.last { one in
            applied.contains { $0.version == one.version && $0.checksum == one.checksum }
        }
        let road = folded.filter { !$0.isBaseline && $0.version > beginning?.version ?? 0 }
        return (beginning.map { [$0] } ?? []) + road
    }

    /// A migration that is no longer part of the binary, or an earlier baseline.
    struct Folded: Sendable {
        let version: Int
        /// The file's name without its extension.
        let title: String
        /// SHA-256 of the file, in hexadecimal.
        let checksum: String

        var isBaseline: Bool { title.hasSuffix("_baseline") }

        /// Reads a line as `sha256sum` writes it.
        ///
        /// `MigrationFilesTests` finds a line that is none.
        fileprivate init?(line: Substring) {
            let words = line.split(separator: " ")
            guard words.count == 2, words[1].hasSuffix(".sql"),
                let (version, _) = Migration.parts(ofFile: String(words[1].dropLast(".sql".count)))
            else { return nil }
            self.version = version
            title = String(words[1].dropLast(".sql".count))
            checksum = String(words[0])
        }
    }

    /// The tables of all files before the triggers of all files, because the judges' functions come in between.
    private static func sql(of files: [String]) -> String {
        let parts = files.map { $0.aroundJudges }
        let triggers = parts.compactMap(\.after)
        return parts.map(\.before).joined(separator: "\n") + "\n\(Migration.judgesMark)\n"
            + triggers.joined(separator: "\n")
    }
}

extension Migration {
    /// The line in a migration where the judges' files are applied that have changed.
    ///
    /// Triggers come after it, because they need their functions, and tables before it, because functions need those.
    static let judgesMark = "-- @after-judges"

    /// The statements before and after ``judgesMark``.
    ///
    /// Without the mark, `before` has all, and `after` is nil.
    package var aroundJudges: (before: String, after: String?) { sql.aroundJudges }
}

extension String {
    /// As ``Migration/aroundJudges``.
    fileprivate var aroundJudges: (before: String, after: String?) {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        guard let mark = lines.firstIndex(where: { $0 == Migration.judgesMark }) else { return (self, nil) }
        return (
            lines[..<mark].joined(separator: "\n"), lines[lines.index(after: mark)...].joined(separator: "\n")
        )
    }
}
