import Foundation
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// The first page: what waits and how the business stands, by role.
///
/// Each tile reads a bounded number of rows and fails alone.
struct HomePage: Sendable {
    let ledger: Ledger
    let live: LiveController
    let keptSales = HomeSales()

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("", needs: .read, page)
    }

    /// `GET /console`; with `?q=`, where the search was before, it goes to the search.
    private func page(_ visit: Visit) async throws -> Response {
        if let name = visit.query("q") {
            return visit.redirect(to: SearchPage.address(of: name))
        }
        let now = Time.current.now
        async let waiting = Self.read("to do", visit) { try await self.toDo(visit) }
        async let customers = Self.read("customers", visit) { try await self.lastCustomers(of: visit.person) }
        let tiles = await tiles(visit, HomeMoments(now: now, in: visit.timeZone))
        let values: [String: Any] = [
            "toDo": Self.values(await waiting, visit, at: now), "tiles": tiles.map(\.values),
            "customers": Self.values(await customers),
        ]
        return await Layout.page(visit, title: visit.text("homeTitle"), Self.template, values)
    }

    /// What a tile reads; nil: it can't be read now.
    private static func read<Value: Sendable>(
        _ name: String, _ visit: Visit, _ read: @Sendable () async throws -> Value
    ) async -> Value? {
        do {
            return try await read()
        } catch {
            visit.context.logger.warning(
                "a part of the console's first page can't be read", metadata: ["part": "\(name)", "error": "\(error)"])
            return nil
        }
    }

    /// The tiles of figures that the person may read, in their order.
    private func tiles(_ visit: Visit, _ moments: HomeMoments) async -> [HomeTile] {
        let sources = HomeSource.all.filter { visit.person.role.rights.isSuperset(of: $0.rights) }
        return await withTaskGroup(of: (Int, HomeTile).self) { group in
            for (place, source) in sources.enumerated() {
                group.addTask {
                    var tile = HomeTile(id: source.id, title: visit.text(source.title), link: source.link)
                    let facts = await Self.read(source.id, visit) { try await source.read(self, visit, moments) }
                    tile.facts = facts ?? []
                    tile.isFailed = facts == nil
                    tile.note = source.note.map { visit.text($0) }
                    return (place, tile)
                }
            }
            var tiles: [(Int, HomeTile)] = []
            for await tile in group { tiles.append(tile) }
            return tiles.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func values(_ items: [ToDoItem]?, _ visit: Visit, at now: Date) -> [String: Any] {
        guard let items else { return ["isFailed": true] }
        if items.isEmpty { return ["isEmpty": true] }
        let rows = items.map { item in
            var row: [String: Any] = [
                "what": item.what, "link": item.link,
                "age": Age.text(of: now.timeIntervalSince(item.since), visit.language),
            ]
            row["since"] = visit.time(item.since)
            if let user = item.user { row["customer"] = ["name": user.rawValue, "page": CustomerPath.page(of: user)] }
            return row
        }
        return ["section": [["rows": rows]]]
    }

    private static func values(_ users: [UserID]?) -> [String: Any] {
        guard let users else { return ["isFailed": true] }
        if users.isEmpty { return ["isEmpty": true] }
        return ["list": [["users": users.map { ["name": $0.rawValue, "page": CustomerPath.page(of: $0)] }]]]
    }
}

extension HomePage {
    private static let mostActs = 50
    private static let mostCustomers = 8

    /// The customers whom the person helped last, latest first.
    ///
    /// The audit records acts, and nothing records who only looked. It reads the latest acts by `audit_of_person`.
    private func lastCustomers(of person: Person) async throws -> [UserID] {
        let acts = try await ledger.audit.list(AuditFilter(subject: person.subject), limit: Self.mostActs)
        var users: [UserID] = []
        for user in acts.elements.compactMap(\.user) where !users.contains(user) { users.append(user) }
        return Array(users.prefix(Self.mostCustomers))
    }
}
