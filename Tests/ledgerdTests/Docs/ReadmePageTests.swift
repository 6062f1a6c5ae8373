import Foundation
import Testing

/// The pages in Korean have the same content as those in English, and the list of pages has all.
///
/// EndToEndTests/Readme runs the commands of READMEs and tours.
@Suite(.timeLimit(.minutes(20))) struct ReadmePageTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [("README", 10), ("docs/tour", 20)])
    func `both languages show the same commands`(page: String, atLeast least: Int) throws {
        let english = try commands(in: page + ".md")
        #expect(english.count > least)
        #expect(try commands(in: page + ".ko.md") == english)
    }

    @Test(arguments: ["README", "docs/tour", "docs/README"])
    func `both languages link the same pages and pictures, and each exists`(page: String) throws {
        let english = try links(in: page + ".md")
        #expect(Set(try links(in: page + ".ko.md").map(inEnglish)) == Set(english.map(inEnglish)))
        let folder = root.appending(path: page).deletingLastPathComponent()
        for link in english.union(try links(in: page + ".ko.md")) {
            let path = folder.appending(path: String(link.prefix { $0 != "#" })).path
            #expect(FileManager.default.fileExists(atPath: path), "\(link)")
        }
    }

    @Test func `the list of pages has each page`() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)
            .filter { $0.hasSuffix(".md") && !$0.hasSuffix(".ko.md") && $0 != "README.md" }
        #expect(pages.count > 20)
        let listed = try links(in: "docs/README.md")
        for page in pages { #expect(listed.contains(page), "docs/README.md does not list \(page)") }
    }

    @Test(arguments: ["README.md", "README.ko.md"]) func `a README has at most 120 lines`(page: String) throws {
        #expect(try text(of: page).split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    /// The page of a link without the heading, with the name that the page has in English.
    private func inEnglish(_ link: String) -> String {
        String(link.prefix { $0 != "#" }).replacing(".ko.md", with: ".md")
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
