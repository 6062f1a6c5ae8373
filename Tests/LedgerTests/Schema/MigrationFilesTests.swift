import Foundation
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct MigrationFilesTests {
    @Test func `the binary's migrations are the folder's files, in order`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".sql") }.sorted()
        #expect(files == Migration.all.map { $0.title + ".sql" })
        let versions = Migration.all.map(\.version)
        #expect(
            zip(versions, versions.dropFirst()).allSatisfy(<), "the numbers rise; one that was reserved may be missing")
        for migration in Migration.all {
            let text = try String(contentsOf: folder.appending(path: migration.title + ".sql"), encoding: .utf8)
            #expect(text == migration.sql, "\(migration.title)")
        }
    }
}
