import Foundation

/// The list of all constants of a type, which stands in the source that declares them.
///
/// `LEDGERD_UPDATE_DOCS=1` writes the list anew; the next build has it.
struct ConstantList {
    /// The source's path in the repository.
    let page: String
    /// The type of the constants.
    let type: String
    /// The list's name.
    let name: String

    /// The list as it stands in the source, and as the constants are declared.
    func compared() throws -> (committed: String, declared: String) {
        let source = try String(contentsOf: GeneratedBlock.root.appending(path: page), encoding: .utf8)
        let declaration = try Regex("static let (`?\\w+`?) = \(type)\\(", as: (Substring, Substring).self)
        let declared = Self.lines(of: source.matches(of: declaration).map { String($0.output.1) })
        let block = GeneratedBlock(page: page, anchors: ["static let \(name): [\(type)] = [\n"], end: "    ]\n")
        return (try block.committed(comparedWith: declared), declared)
    }

    /// As many names in a line as the format of sources allows.
    private static func lines(of names: [String]) -> String {
        var lines: [String] = []
        for name in names.map({ $0 + "," }) {
            if let last = lines.last, last.count + 1 + name.count <= 116 {
                lines[lines.count - 1] += " " + name
            } else {
                lines.append("        " + name)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
