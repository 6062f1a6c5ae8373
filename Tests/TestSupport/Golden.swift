package import Foundation

/// The files below Tests/Golden: what clients, scripts and stored rows rely on, as the code says it.
///
/// `LEDGERD_UPDATE_GOLDEN=1` writes them.
package enum Golden {
    /// Expects that a golden file has these lines.
    ///
    /// A line of several lines, such as a help text, stands in the file as several.
    ///
    /// - Parameter test: the file of the test, which has the name of its suite.
    /// - Throws: ``Difference``, which fails the test.
    package static func expect(_ lines: [String], in name: String, test: String = #fileID) throws {
        let text = lines.joined(separator: "\n") + "\n"
        let file = root.appending(path: "Tests/Golden/\(name)")
        guard ProcessInfo.processInfo.environment["LEDGERD_UPDATE_GOLDEN"] != "1" else {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let committed = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        guard committed != text else { return }
        let changes = changes(from: committed, to: text)
        let suite = test.split(separator: "/").last?.prefix { $0 != "." } ?? ""
        throw Difference(
            description: """
                Tests/Golden/\(name) and the code differ in \(changes.count) lines (-: the file, +: the code):
                \(changes.prefix(20).joined(separator: "\n"))
                If that is meant, LEDGERD_UPDATE_GOLDEN=1 ./dev test \(suite) writes the file; commit it with the reason.
                """)
    }

    /// The code says something else than a golden file.
    package struct Difference: Error, CustomStringConvertible {
        package let description: String
    }

    /// The repository.
    package static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    }

    /// The lines that were removed and inserted, each with its number, in the order of the file.
    private static func changes(from old: String, to new: String) -> [String] {
        let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
        return new.difference(from: old).map { change -> (number: Int, text: String) in
            switch change {
            case .remove(let offset, let line, _): (offset, "-\(offset + 1): \(line)")
            case .insert(let offset, let line, _): (offset, "+\(offset + 1): \(line)")
            }
        }.sorted { $0.number < $1.number }.map(\.text)
    }
}
