import Foundation
import Ledger
import LedgerServer

/// A tile of the first page: some figures about one matter.
struct HomeTile: Sendable {
    /// A figure with its name.
    struct Fact: Sendable, Equatable {
        let name: String
        let value: String
        /// The page that shows what it is made of.
        var link: String?
    }

    let id: String
    let title: String
    /// The page that has more.
    let link: String
    var facts: [Fact] = []
    var note: String?
    var isFailed = false

    var values: [String: Any] {
        var values: [String: Any] = [
            "id": id, "title": title, "page": link, "isFailed": isFailed,
            "facts": facts.map { fact in
                var row: [String: Any] = ["name": fact.name, "value": fact.value]
                row["link"] = fact.link
                return row
            },
        ]
        if !isFailed { values["note"] = note }
        return values
    }
}

/// What a tile shows, and who may read it.
struct HomeSource: Sendable {
    typealias Reading = @Sendable (HomePage, Visit, HomeMoments) async throws -> [HomeTile.Fact]

    let id: String
    /// The key of its title.
    let title: String
    let link: String
    let rights: Set<Right>
    /// The key of its note.
    var note: String?
    let read: Reading

    /// All tiles, in their order.
    static let all: [HomeSource] = [
        HomeSource(
            id: "sales", title: "tileSales", link: "/console/finance", rights: [.readBooks], note: "tileSalesNote"
        ) { try await $0.sales($1, $2) },
        HomeSource(id: "books", title: "tileBooks", link: "/console/ledger", rights: [.readBooks]) {
            home, visit, _ in try await home.books(visit)
        },
        HomeSource(id: "findings", title: "tileFindings", link: "/console/findings", rights: [.readBooks]) {
            try await $0.findingAges($1, $2)
        },
        HomeSource(id: "run", title: "tileRun", link: "/console/reconciliations", rights: [.readBooks]) {
            home, visit, _ in try await home.lastRun(visit)
        },
        HomeSource(
            id: "outstanding", title: "tileOutstanding", link: "/console/settlements", rights: [.readBooks],
            note: "tileOutstandingNote"
        ) { try await $0.outstanding($1, $2) },
        HomeSource(
            id: "closing", title: "tileClosing", link: "/console/closing", rights: [.readBooks], note: "tileClosingNote"
        ) { try await $0.closing($1, $2) },
        HomeSource(
            id: "vat", title: "tileVAT", link: "/console/reports", rights: [.readBooks], note: "tileVATNote"
        ) { try await $0.vat($1, $2) },
        HomeSource(id: "live", title: "liveTitle", link: "/console/live", rights: [.readBooks, .manageEndpoints]) {
            try await $0.liveFigures($1, $2)
        },
        HomeSource(id: "health", title: "tileHealth", link: "/console/live", rights: [.readBooks, .manageEndpoints]) {
            home, visit, _ in try await home.health(visit)
        },
    ]
}
