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
        func paths(of method: String) -> Set<String> {
            let marker = " \(method): "
            return Set(
                routes.compactMap { route in route.firstRange(of: marker).map { String(route[..<$0.lowerBound]) } })
        }
        let pages = paths(of: "GET")
        let measured = Set(ConsolePart.Page.allCases.map(\.pattern))
        #expect(pages.count > 40)
        #expect(measured.isDisjoint(with: ConsolePart.Page.unmeasured))
        // Of the forms of a customer's acts, some on the customer and some on what a customer has stand for all.
        let forms = pages.intersection(paths(of: "POST")).filter { $0.hasPrefix("customers/{user}/") }
        for isOnThing in [false, true] {
            #expect(measured.contains { forms.contains($0) && $0.hasSuffix("/{id}") == isOnThing })
        }
        #expect(measured.union(ConsolePart.Page.unmeasured).union(forms) == pages)
    }
}
