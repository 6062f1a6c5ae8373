import Foundation

/// The amounts of what is measured.
struct Scale: Sendable {
    /// The number of rounds.
    var rounds = 3
    /// Seconds per measured rate, after a warm-up of a quarter of that.
    var seconds = 4.0
    /// Slices that these seconds are divided into, where figures take turns.
    var slices = 4
    /// The batch sizes of the engine: acts per commit.
    var batches = [1, 8, 64, 256, 1024]
    /// Users in the engine part.
    var users = 10_000
    /// Purchases to copy, in full batches.
    var copied = 50_000
    /// Acts of each kind in a slice of the finance part.
    var prepared = 10_000
    /// Clients of the usual part.
    var sessions = [1, 8, 16, 32, 64]
    /// Connections of the reads part.
    var readers = 64
    /// Users that read, each with 25 purchases.
    var customers = 1_000
    /// The loads of the receipts part: clients, and the gateway's delay.
    var receipts = Scale.receipts(many: 2_000, delays: [0, 50, 200])
    /// Idle connections of the memory part.
    var idle = 10_000
    /// Endpoints of the endpoints part; each gets every event.
    var endpoints = 1_000
    /// Events that are delivered to each endpoint, one each ``seconds``.
    var delivered = 10
    /// Users of the console part, with two purchases each.
    var consoleUsers = 1_000_000
    /// The number of starts in the start part.
    var starts = 5
    /// Purchases in the books of the growth part.
    var sizes = [0, 1_000_000, 10_000_000]
    /// Lots of the big account.
    var lots = 50_000
    /// Users of a campaign.
    var granted = 100_000
    /// Postings to export.
    var exported = 1_000_000
    /// Cores that PostgreSQL and ledgerd may use.
    var cores = ProcessInfo.processInfo.activeProcessorCount
    /// Additional settings of ledgerd, by environment name.
    var settings: [String: String] = [:]

    /// Seconds of a warm-up.
    var warmUp: Double { seconds / 4 }

    /// The amounts of one slice.
    var slice: Scale {
        var slice = self
        slice.seconds = seconds / Double(slices)
        return slice
    }

    /// Little of everything, to show that the bench works.
    static let quick = Scale(
        rounds: 1, seconds: 0.15, slices: 1, batches: [1, 8, 1024], users: 100, copied: 2_048, prepared: 500,
        sessions: [1], readers: 16, customers: 40, receipts: receipts(many: 200, delays: [0, 50]), idle: 200,
        endpoints: 20, delivered: 5, consoleUsers: 200, starts: 1, sizes: [0, 4_000], lots: 300, granted: 2_000,
        exported: 4_000)

    /// The clients that present receipts at the same time, and the gateway's delay in milliseconds.
    struct Presenting: Sendable {
        let clients: Int
        let delay: Int
    }

    /// 8 and 128 clients at every delay, and many clients with the shortest and the longest delay.
    private static func receipts(many: Int, delays: [Int]) -> [Presenting] {
        delays.flatMap { delay in [8, 128].map { Presenting(clients: $0, delay: delay) } }
            + [delays.min(), delays.max()].compactMap(\.self).map { Presenting(clients: many, delay: $0) }
    }
}
