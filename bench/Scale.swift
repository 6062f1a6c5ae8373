/// How much is measured.
struct Scale: Sendable {
    /// How often everything is measured.
    var rounds = 3
    /// How long a rate is measured, after a warm-up of a quarter of it.
    var seconds = 4.0
    /// How many commands the engine commits at once.
    var batches = [1, 64, 256, 1024]
    /// Users of the engine alone.
    var users = 10_000
    /// Purchases that are copied; at each batch size, the full one.
    var copied = 50_000
    /// Clients of the usual way.
    var sessions = [1, 8, 16, 32, 64]
    /// Connections that read.
    var readers = 64
    /// Users that read, each with 25 purchases.
    var customers = 1_000
    /// What the receipts are presented under: clients, and how late the gateway answers.
    var receipts = Scale.receipts(many: 2_000, delays: [0, 50, 200])
    /// Open connections on which nothing happens.
    var idle = 10_000
    /// How often the service is started.
    var starts = 5
    /// Purchases in the books before the rates are measured.
    var sizes = [0, 1_000_000, 10_000_000]
    /// Postings that are exported.
    var exported = 1_000_000
    /// Settings of ledgerd, by the names of its environment, beside those that the bench needs.
    var settings: [String: String] = [:]

    /// A warm-up's seconds.
    var warmUp: Double { seconds / 4 }

    /// Little of everything: it shows that the bench works, and no speed.
    static let quick = Scale(
        rounds: 1, seconds: 0.15, batches: [1, 1024], users: 100, copied: 2_048, sessions: [1], readers: 16,
        customers: 40, receipts: receipts(many: 200, delays: [0, 50]), idle: 200, starts: 1, sizes: [0, 4_000],
        exported: 4_000)

    /// The clients that present receipts at the same time, and the gateway's delay in milliseconds.
    struct Presenting: Sendable {
        let clients: Int
        let delay: Int
    }

    /// A few clients and some at every delay; many with the shortest and the longest.
    private static func receipts(many: Int, delays: [Int]) -> [Presenting] {
        delays.flatMap { delay in [8, 128].map { Presenting(clients: $0, delay: delay) } }
            + [delays.min(), delays.max()].compactMap(\.self).map { Presenting(clients: many, delay: $0) }
    }
}
