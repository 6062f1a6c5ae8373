import Foundation
import Testing

/// README.ko.md has the same content as README.md.
///
/// EndToEndTests/Readme runs the commands of both.
@Suite(.timeLimit(.minutes(20))) struct ReadmePageTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `both languages show the same commands`() throws {
        let english = try commands(in: "README.md")
        #expect(english.count > 30)
        #expect(try commands(in: "README.ko.md") == english)
    }

    @Test func `both languages link the same pages and pictures, and each exists`() throws {
        let english = try links(in: "README.md").filter { $0 != "README.ko.md" }
        #expect(try links(in: "README.ko.md").filter { $0 != "README.md" } == english)
        for page in english {
            let path = root.appending(path: String(page.prefix { $0 != "#" })).path
            #expect(FileManager.default.fileExists(atPath: path), "\(page)")
        }
    }

    /// The lines of the code blocks without their comments.
    private func commands(in file: String) throws -> [Substring] {
        var isCode = false
        var lines: [Substring] = []
        for line in try text(of: file).split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode, !line.hasPrefix("#") {
                lines.append(line.prefix(upTo: line.firstRange(of: /\s+#\s/)?.lowerBound ?? line.endIndex))
            }
        }
        return lines
    }

    private func links(in file: String) throws -> Set<String> {
        let text = try text(of: file)
        return Set(text.matches(of: /\]\(([^)]+)\)|src="([^"]+)"/).map { String($0.1 ?? $0.2 ?? "") })
    }

    private func text(of file: String) throws -> String {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }
}
