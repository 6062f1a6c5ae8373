import Hummingbird
import Ledger
import LedgerServer

/// An act on something that a customer has: its page, and what the rest of the console needs of it.
///
/// A new one is a file and a place in ``CustomerActs/all``.
protocol CustomerAct: Sendable {
    static var act: ConsoleAct { get }
    static var proposal: ProposalDescriber { get }
    /// The key of the text that is the title and the links to the page.
    static var title: String { get }
    static var template: ConsoleTemplate { get }
    static var texts: [ConsoleText] { get }

    /// The id in the address of the page about this; nil: the act is not for it.
    static func id(of object: CustomerObject) -> Int64?

    init(ledger: Ledger, desk: ApprovalDesk)

    func page(_ visit: Visit) async throws -> Response
    /// Does what the page's form asks for, or proposes it.
    func perform(_ visit: Visit) async throws -> Response
}

/// Something on a customer's page.
enum CustomerObject {
    case purchase(Purchase)
    case lot(Lot)
    case entry(StatementEntry)
}

enum CustomerActs {
    static let all: [any CustomerAct.Type] = [
        GrantVoidPage.self, ReversalPage.self, TakeBackPage.self, MergePage.self,
    ]

    /// Links to the pages of the acts that the person may do on the object: `path` and `title` of each.
    static func links(from object: CustomerObject, of user: UserID, _ visit: Visit) -> [[String: String]] {
        all.compactMap { page in
            guard let right = page.act.right, visit.may(right), let id = page.id(of: object) else { return nil }
            let path = page.act.paths[0].replacing("customers/{user}", with: CustomerPath.page(of: user))
            return ["path": path.replacing("{id}", with: String(id)), "title": visit.text(page.title)]
        }
    }
}

extension CustomerAct {
    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page(of: Self.act, page)
        routes.act(Self.act, perform)
    }
}
