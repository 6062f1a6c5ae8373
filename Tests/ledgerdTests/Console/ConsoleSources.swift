import Foundation

/// The sources of the console, for rules that hold for all its templates and texts.
enum ConsoleSources {
    static let folder = GeneratedBlock.root.appending(path: "Sources/Console")

    /// A source file.
    struct File {
        let name: String
        let text: String

        /// The texts of the file's templates, with the pieces that they name.
        ///
        /// - Parameter pieces: those of all files, ``ConsoleSources/pieces(of:)``.
        func templates(_ pieces: [String: String]) -> [String] {
            text.matches(of: #/ConsoleTemplate\(\s*"""\n(.*?)\n *"""\)/#.dotMatchesNewlines()).map { match in
                var filled = String(match.1)
                // A piece may have pieces of its own.
                for _ in 0..<3 {
                    filled = filled.replacing(#/\\\((?:(\w+)\.)?(\w+)\)/#) { named in
                        pieces["\(named.1.map(String.init) ?? name).\(named.2)"] ?? pieces["\(name).\(named.2)"] ?? ""
                    }
                }
                return filled.replacing(#/\\\n\s*/#, with: "")
            }
        }
    }

    /// The pieces of templates, by type and name, and by file and name.
    static func pieces(of files: [File]) -> [String: String] {
        var pieces: [String: String] = [:]
        for file in files {
            let types = file.text.matches(of: #/(?:enum|struct|extension) (\w+)/#)
            for match in file.text.matches(of: #/let (\w+)(?:: String)? = #?"""\n(.*?)\n *"""/#.dotMatchesNewlines()) {
                let type = types.last { $0.range.lowerBound < match.range.lowerBound }.map { String($0.1) } ?? ""
                // What a piece names without a type is its own type's.
                let piece = String(match.2).replacing(#/\\\((\w+)\)/#) { "\\(\(type).\($0.1))" }
                for owner in [type, file.name] { pieces["\(owner).\(match.1)"] = piece }
            }
        }
        return pieces
    }

    /// - Parameter folder: another target's folder, if it is not the console's.
    static func files(in folder: URL = ConsoleSources.folder) throws -> [File] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        return try found.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
            .map { File(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
    }
}
