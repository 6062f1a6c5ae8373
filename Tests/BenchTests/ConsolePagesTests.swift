import Foundation
import TestSupport
import Testing

@testable import ledgerd_bench

/// Which pages of the console the bench measures.
@Suite(.timeLimit(.minutes(20))) struct ConsolePagesTests {
    @Test func `each page of the console is measured, or said not to be`() throws {
        // `console.txt` names all routes, as `ConsoleRightsTests` finds them: `about GET: read`.
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden/console.txt")
        let routes = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let pages = Set(
            routes.compactMap { route in route.firstRange(of: " GET: ").map { String(route[..<$0.lowerBound]) } })
        let measured = Set(ConsolePart.Page.allCases.map(\.pattern))
        #expect(pages.count > 40)
        #expect(measured.isDisjoint(with: ConsolePart.Page.unmeasured))
        // Of the pages of a customer's acts, some stand for all.
        let acts = pages.filter { $0.hasPrefix("customers/{user}/") }
        #expect(!measured.isDisjoint(with: acts))
        #expect(measured.union(ConsolePart.Page.unmeasured).union(acts) == pages)
    }
}
