import Ledger

/// The pages in the navigation: five groups, in their order.
struct Navigation: Sendable {
    /// A page in the navigation.
    struct Link: Sendable {
        let path: String
        /// The key of its text.
        let text: String
        let right: Right
        /// What of it waits for people.
        var waits: (@Sendable (WaitingCounts) -> Int64)?
        /// Paths of pages that belong to it, besides those below its own.
        var parts: [String] = []
        /// The roles that have no use for it, and may open it all the same.
        var unusedBy: Set<Person.Role> = []
    }

    /// Pages for the same work.
    struct Group: Sendable {
        let id: String
        /// The key of its text.
        let text: String
        let links: [Link]
    }

    /// All groups; a person sees what the role may open and has a use for.
    static let groups: [Group] = [
        Group(
            id: "today", text: "groupToday",
            links: [
                Link(path: "/console", text: "homeTitle", right: .read),
                Link(path: "/console/live", text: "liveTitle", right: .read),
            ]),
        Group(
            id: "customers", text: "groupCustomers",
            links: [
                Link(path: "/console/search", text: "searchTitle", right: .read, parts: ["/console/customers"]),
                Link(path: "/console/receipts", text: "waitingReceiptsTitle", right: .read, waits: { $0.receipts }),
                Link(path: "/console/refunds", text: "waitingRefundsTitle", right: .read, waits: { $0.refunds }),
                Link(path: "/console/disputes", text: "disputesTitle", right: .readBooks, waits: { $0.disputes }),
                Link(path: "/console/campaigns", text: "campaignsTitle", right: .read),
            ]),
        Group(
            id: "todo", text: "groupToDo",
            links: [
                Link(path: "/console/findings", text: "findingsTitle", right: .read, waits: { $0.findings }),
                Link(
                    path: "/console/approvals", text: "approvalsTitle", right: .read,
                    waits: { $0.approvals + $0.accounts }),
                Link(
                    path: "/console/settlements#unmatched", text: "navigationUnmatched", right: .readBooks,
                    waits: { $0.settlementLines }),
            ]),
        Group(
            id: "books", text: "groupBooks",
            links: [
                Link(path: "/console/finance", text: "financeTitle", right: .readBooks),
                Link(path: "/console/reports", text: "reportsTitle", right: .readBooks),
                Link(
                    path: "/console/ledger", text: "ledgerTitle", right: .readBooks,
                    parts: ["/console/accounts", "/console/entries"]),
                Link(path: "/console/reconciliations", text: "reconciliationsTitle", right: .readBooks),
                Link(path: "/console/settlements", text: "settlementsTitle", right: .readBooks),
                Link(path: "/console/transfers", text: "transfersTitle", right: .readBooks),
                Link(path: "/console/providers", text: "providersTitle", right: .readBooks),
                Link(path: "/console/payouts", text: "payoutsTitle", right: .readBooks),
                Link(
                    path: "/console/adjustments", text: "adjustmentsTitle", right: .readBooks,
                    parts: ["/console/revaluations"]),
                Link(
                    path: "/console/closing", text: "closingTitle", right: .readBooks, waits: { $0.closings }),
                Link(path: "/console/audit", text: "auditTitle", right: .audit),
            ]),
        Group(
            id: "settings", text: "groupSettings",
            links: [
                Link(path: "/console/products", text: "productsTitle", right: .read),
                // Findings lead support to an endpoint, so its page stays open to them.
                Link(
                    path: "/console/endpoints", text: "endpointsTitle", right: .read, unusedBy: [.support, .finance]),
                Link(path: "/console/events", text: "eventsTitle", right: .read, unusedBy: [.support, .finance]),
                Link(path: "/console/about", text: "aboutTitle", right: .read),
            ]),
    ]

    /// The groups that a role sees, without empty ones.
    static func groups(of role: Person.Role) -> [Group] {
        groups.compactMap { group in
            let links = group.links.filter { role.rights.contains($0.right) && !$0.unusedBy.contains(role) }
            return links.isEmpty ? nil : Group(id: group.id, text: group.text, links: links)
        }
    }

    /// The value of `aria-current` of a link on a page; nil: it is another page.
    ///
    /// `page` is the page itself, `true` the one that the page belongs to.
    static func current(_ link: Link, at path: String) -> String? {
        if path == link.path { return "page" }
        // The first page is above all others, and a link into a page is not that page.
        guard link.path != "/console", !link.path.contains("#") else { return nil }
        return ([link.path] + link.parts).contains { path == $0 || path.hasPrefix($0 + "/") } ? "true" : nil
    }

    /// A number of things that wait: `7`, `99+`; nil: nothing waits.
    static func count(_ number: Int64) -> String? {
        if number <= 0 { return nil }
        return number < WaitingCounts.most ? Show.number(number) : "\(WaitingCounts.most - 1)+"
    }

    /// What of the counts the pages list for a role.
    static func counts(_ waiting: WaitingCounts, for role: Person.Role) -> WaitingCounts {
        var counts = waiting
        if !role.rights.contains(.readBooks) { counts.accounts = 0 }
        return counts
    }

    /// What of the groups waits, in all.
    static func total(of groups: [Group], _ counts: WaitingCounts) -> Int64 {
        groups.flatMap(\.links).reduce(0) { $0 + ($1.waits?(counts) ?? 0) }
    }

    static let texts: [ConsoleText] = [
        .init("groupToday", "Today", "오늘"), .init("groupCustomers", "Customers", "고객"),
        .init("groupToDo", "To do", "할 일"), .init("groupBooks", "Books", "장부"),
        .init("groupSettings", "Settings", "설정"), .init("menu", "Menu", "메뉴"),
        .init("navigationUnmatched", "Unmatched settlement lines", "결제 없는 정산 행"),
        .init("waitingCount", "waiting", "건 대기"),
    ]
}

extension Navigation {
    /// The values of the frame's template for a visit.
    ///
    /// - Parameter waiting: nil: it could not be counted; the links have no numbers then.
    static func values(_ visit: Visit, _ waiting: WaitingCounts?) -> [String: Any] {
        let groups = groups(of: visit.person.role)
        let waiting = waiting.map { counts($0, for: visit.person.role) }
        let path = visit.request.uri.path
        let shown = groups.map { group in
            [
                "id": group.id, "text": visit.text(group.text),
                "links": group.links.map { link in
                    var row: [String: Any] = ["path": link.path, "text": visit.text(link.text)]
                    row["current"] = current(link, at: path)
                    row["waits"] = waiting.flatMap { link.waits?($0) }.flatMap(count)
                    return row
                },
            ] as [String: Any]
        }
        var values: [String: Any] = ["groups": shown]
        // Another name than in a link: a template looks for a missing one in what is around.
        values["waitsInAll"] = waiting.flatMap { count(total(of: groups, $0)) }
        return values
    }
}
