import Foundation
import Testing

/// `Package.versions` pins every package that a build uses; `./dev` makes `Package.resolved` of it.
@Suite(.timeLimit(.minutes(20))) struct PackageVersionsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let file = root.appending(path: "Package.versions")

    @Test func `the packages of this build are those of Package.versions`() throws {
        let resolved = try Self.resolved()
        guard ProcessInfo.processInfo.environment["LEDGERD_UPDATE_VERSIONS"] == nil else {
            return try Data(resolved.map { $0 + "\n" }.joined().utf8).write(to: Self.file)
        }
        let listed = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(
            resolved == listed,
            "LEDGERD_UPDATE_VERSIONS=1 ./dev test PackageVersionsTests writes it anew, after swift package update")
    }

    @Test func `every direct dependency is pinned to one version`() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let listed = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let pinned = manifest.matches(of: /\.package\(url: "([^"]+)", exact: "([^"]+)"[,)]/)
        #expect(pinned.count > 10)
        #expect(pinned.count == manifest.matches(of: /\.package\(/).count)
        for pin in pinned {
            let columns = listed.map { $0.split(separator: " ") }.first { $0.last == pin.1 }
            #expect(columns?[1] == pin.2, "\(pin.1)")
        }
    }

    /// Name, version, revision and address of each package, as SwiftPM resolved them.
    private static func resolved() throws -> [String] {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable {
                    let version: String
                    let revision: String
                }
                let identity: String
                let location: String
                let state: State
            }
            let pins: [Pin]
        }
        let file = try Data(contentsOf: root.appending(path: "Package.resolved"))
        return try JSONDecoder().decode(Resolved.self, from: file).pins.sorted { $0.identity < $1.identity }
            .map { "\($0.identity) \($0.state.version) \($0.state.revision) \($0.location)" }
    }
}
