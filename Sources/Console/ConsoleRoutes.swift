import Hummingbird
import Ledger
import LedgerServer

/// Registers the console's pages and acts, each with the right that it needs.
struct ConsoleRoutes {
    /// A page or act.
    struct Entry: Sendable {
        let method: HTTPRequest.Method
        /// The path's pattern below `/console`.
        let path: String
        /// Nil: everybody who is signed in.
        let right: Right?
    }

    typealias Handler = @Sendable (Visit) async throws -> Response

    private let group: RouterGroup<LedgerdRequestContext>
    private let gate: ConsoleGate
    private let figures: Figures
    private let merges: Merges
    /// All pages and acts, for the test of who may do what.
    private(set) var entries: [Entry] = []

    /// - Parameters:
    ///   - figures: counts what waits, for the navigation of every page.
    ///   - merges: tells whom the id of a customer refers to.
    init(_ group: RouterGroup<LedgerdRequestContext>, gate: ConsoleGate, figures: Figures, merges: Merges) {
        self.group = group
        self.gate = gate
        self.figures = figures
        self.merges = merges
    }

    /// Adds a page.
    mutating func page(_ path: String, needs right: Right?, _ handler: @escaping Handler) {
        add(.get, path, right, handler)
    }

    /// Adds an act, which its forms send.
    mutating func act(_ act: ConsoleAct, _ handler: @escaping Handler) {
        for path in act.paths { add(.post, path, act.right, handler) }
    }

    /// Adds the page of an act, which shows what it would do.
    mutating func page(of act: ConsoleAct, _ handler: @escaping Handler) {
        for path in act.paths { add(.get, path, act.right, handler) }
    }

    /// Adds a page that a form sends for, and that changes nothing.
    mutating func upload(_ path: String, needs right: Right, _ handler: @escaping Handler) {
        add(.post, path, right, handler)
    }

    private mutating func add(
        _ method: HTTPRequest.Method, _ path: String, _ right: Right?, _ handler: @escaping Handler
    ) {
        entries.append(Entry(method: method, path: path, right: right))
        group.on(RouterPath(path), method: method) { [gate, figures, merges] request, context in
            switch try await gate.enter(request, context, needs: right) {
            case .visit(var visit):
                // Only when a page is rendered: files and most forms show no navigation.
                visit.countWaiting = { await Self.count(figures, context) }
                if let user = try? context.requireOwnerInPath("user") {
                    visit.context = try await context.naming(user, in: merges)
                }
                return try await handler(visit)
            case .signIn(let response): return response
            }
        }
    }

    /// How much waits; nil if it can't be counted: a page is shown without numbers then.
    private static func count(_ figures: Figures, _ context: LedgerdRequestContext) async -> WaitingCounts? {
        do {
            return try await figures.waitingCounts()
        } catch {
            context.logger.warning("what waits could not be counted for a page", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
