import Foundation
import LedgerTestSupport

/// Other ledgers in PostgreSQL, with their own schema and functions, in turns with the usual way.
///
/// Whoever measures fetches them: this repository contains none of their code.
struct PeersPart: ComparedPart {
    static let name = "peers"

    /// How to have peers measured.
    static let explanation = """
        The part peers measures other ledgers if LEDGERD_BENCH_PEERS is a directory with a folder for each, such as \
        clones of pgledger and formance; docs/performance.md says what a folder contains.
        """

    /// The directory of the peers' folders; nil: no peers are measured.
    static var directory: URL? {
        ProcessInfo.processInfo.environment["LEDGERD_BENCH_PEERS"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
    }

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        guard let directory = Self.directory else {
            show("  not measured. \(Self.explanation)")
            return try await body([])
        }
        let peers = try Peer.all(in: directory)
        try await Program.inDirectory { try await lend(peers[...], [], in: $0, scale, body) }
    }

    /// Makes a database for each peer, one after the other, and lends all contenders.
    private func lend(
        _ peers: ArraySlice<Peer>, _ contenders: [Contender], in directory: URL, _ scale: Scale,
        _ body: ([Contender]) async throws -> Void
    ) async throws {
        guard let peer = peers.first else { return try await body(contenders) }
        try await TestLedger.withEmptyDatabase { database in
            for script in peer.schema { try await Program.psql(script, at: database.url, in: directory) }
            try await Program.psql(peer.setUp(users: scale.users), at: database.url, in: directory)
            let own = peer.clients.map { clients in
                let figure = Figures.peer(peer.name, clients: clients)
                return Contender(part: Self.name, figures: [figure], beside: [Figures.usual(clients: 1)]) { _ in
                    let (rate, _) = try await PGBench.run(
                        peer.purchase(users: scale.users), sessions: clients, seconds: scale.slice.seconds,
                        at: database.url, in: directory)
                    return [Sample(figure: figure, value: rate, unit: .perSecond)]
                }
            }
            try await lend(peers.dropFirst(), contenders + own, in: directory, scale, body)
        }
    }
}
