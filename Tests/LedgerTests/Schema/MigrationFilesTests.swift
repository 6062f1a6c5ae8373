import Foundation
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct MigrationFilesTests {
    @Test func `the binary's migrations are the folder's files, in order`() throws {
        let migrations = Array(Migration.all.dropFirst())
        #expect(try Self.files("migrations") == migrations.map { $0.title + ".sql" })
        let versions = Migration.all.map(\.version)
        #expect(
            zip(versions, versions.dropFirst()).allSatisfy(<), "the numbers rise; one that was reserved may be missing")
        for migration in migrations {
            #expect(try Self.text("migrations/\(migration.title).sql") == migration.sql, "\(migration.title)")
        }
    }

    @Test func `the baseline is the files of schema, their tables before their triggers`() throws {
        let baseline = try #require(Migration.all.first)
        #expect(baseline.title == "0148_baseline")
        let texts = try Self.files("schema").map { try Self.text("schema/\($0)") }
        #expect(texts.count >= 10)
        let mark = "\n-- @after-judges\n"
        let parts = texts.map { $0.components(separatedBy: mark) }
        #expect(parts.allSatisfy { $0.count <= 2 }, "a file says \(mark) once at most")
        let statements = baseline.aroundJudges
        #expect(statements.before == parts.map { $0[0] }.joined(separator: "\n"))
        #expect(statements.after == parts.compactMap { $0.count > 1 ? $0[1] : nil }.joined(separator: "\n"))
    }

    /// A ledger has it under its checksum, so it stays as it is: what changes is a migration.
    @Test func `the baseline is the one that was merged`() {
        #expect(Baseline.migration.checksum == "8b71ba0066eb71d8c2ddd5e3d70499332c35b2ca8d526ff2e985e5ab0d3690a1")
    }

    @Test func `the binary's judges are the folder's files`() throws {
        #expect(try Self.files("schema/judges") == JudgeFile.written.map { $0.name + ".sql" })
        for file in JudgeFile.written {
            #expect(try Self.text("schema/judges/\(file.name).sql") == file.sql, "\(file.name)")
        }
    }

    @Test func `each line of the folded migrations is read`() throws {
        let lines = try Self.text("schema/folded.sha256").split(separator: "\n")
        let folded = Baseline.folded
        #expect(lines == folded.map { "\($0.checksum)  \($0.title).sql" })
        #expect(folded.first?.title == "0001_ledger" && folded.last?.version == Baseline.version)
        let isInOrder = zip(folded, folded.dropFirst()).allSatisfy { one, next in
            one.version < next.version || one.version == next.version && next.title.hasSuffix("_baseline")
        }
        #expect(isInOrder, "an earlier baseline follows the last migration that it stood for")
        #expect(folded.allSatisfy { $0.checksum.utf8.count == 64 })
    }

    /// The names of the files of SQL in a folder of the repository, in order.
    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path())
            .filter { $0.hasSuffix(".sql") }.sorted()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
}
