import Foundation

/// The sources of the console, for rules that hold for all its templates and texts.
enum ConsoleSources {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Console")

    /// A source file.
    struct File {
        let name: String
        let text: String

        /// The texts of the file's templates, with the file's own pieces in them.
        var templates: [String] {
            let pieces = Dictionary(
                text.matches(of: #/let (\w+)(?:: String)? = #?"""\n(.*?)\n *"""/#.dotMatchesNewlines())
                    .map { (String($0.1), String($0.2)) }, uniquingKeysWith: { first, _ in first })
            return text.matches(of: #/ConsoleTemplate\(\s*"""\n(.*?)\n *"""\)/#.dotMatchesNewlines()).map {
                Self.filled(String($0.1), pieces)
            }
        }

        private static func filled(_ template: String, _ pieces: [String: String]) -> String {
            var filled = template
            // A piece may have pieces of its own.
            for _ in 0..<3 {
                filled = filled.replacing(#/\\\((\w+)\)/#) { pieces[String($0.1)] ?? "" }
            }
            return filled.replacing(#/\\\n\s*/#, with: "")
        }
    }

    /// - Parameter folder: another target's folder, if it is not the console's.
    static func files(in folder: URL = ConsoleSources.folder) throws -> [File] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        return try found.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
            .map { File(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
    }
}
