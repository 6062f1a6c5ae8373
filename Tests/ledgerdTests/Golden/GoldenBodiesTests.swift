import Foundation
import LedgerWire
import TestSupport
import Testing

/// The bytes of every body of LedgerWire: names and order of members, and whether a missing one is null or left out.
@Suite(.timeLimit(.minutes(20))) struct GoldenBodiesTests {
    /// Each type's first line has its optional members, its second one has none; bodies inside have none.
    @Test func `every body is written as it always was, and read as it is written`() throws {
        var lines: [String] = []
        for body in try Self.bodies() {
            let list = (body.type as? any ListedBody.Type).map { ", in lists \"\($0.listName)\"" } ?? ""
            let (whole, least) = (try Self.text(of: body.type, levels: 1), try Self.text(of: body.type, levels: 0))
            lines += ["\(body.name)\(list)", "  \(whole)"] + (least == whole ? [] : ["  \(least)"])
        }
        for cursor in ["cursor", nil] {
            let page = ListBody<ProductBody>(name: "products", items: [], nextCursor: cursor)
            lines.append("ListBody \(try Self.text(page))")
        }
        try Golden.expect(lines, in: "bodies.txt")
    }

    /// All bodies that LedgerWire's sources declare, by name.
    private static func bodies() throws -> [(name: String, type: any Codable.Type)] {
        let folder = Golden.root.appending(path: "Sources/LedgerWire")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var bodies: [(name: String, type: any Codable.Type)] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            var outer: Name?
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let declaration = /( {4})?(public struct|public enum|extension) (\w+)(.*)\{.*/
                guard let match = line.wholeMatch(of: declaration) else { continue }
                let (isInside, kind) = (match.1 != nil, match.2)
                let name = Name(String(match.3), isEnum: kind == "public enum", in: isInside ? outer : nil)
                if !isInside { outer = name }
                guard kind != "extension", match.4.contains(/(En|Co)dable/) else { continue }
                let type = try #require(
                    _typeByName(name.mangled) as? any Codable.Type, "\(name.text) is not Codable, so no sample is made")
                bodies.append((name.text, type))
            }
        }
        #expect(bodies.count > 130)
        return bodies.sorted { $0.name < $1.name }
    }

    /// A type's name as it is written, and as the runtime finds it: nothing else finds a type by its name.
    private struct Name {
        let text: String
        let mangled: String

        init(_ name: String, isEnum: Bool, in outer: Name?) {
            text = (outer.map { $0.text + "." } ?? "") + name
            mangled = (outer?.mangled ?? "10LedgerWire") + "\(name.utf8.count)\(name)\(isEnum ? "O" : "V")"
        }
    }

    private static func text<Body: Codable>(of type: Body.Type, levels: Int) throws -> String {
        let text = try text(try Sampler.make(type, levels: levels))
        let read = try WireJSON.makeDecoder().decode(type, from: Data(text.utf8))
        #expect(try self.text(read) == text)
        return text
    }

    private static func text(_ body: some Encodable) throws -> String {
        String(decoding: try WireJSON.makeEncoder().encode(body), as: UTF8.self)
    }
}
