/// A target: a limit for a figure, or for its ratio to another figure of the same round.
struct Target: Sendable {
    enum Bound: Sendable, Equatable {
        case atLeast(Double)
        case atMost(Double)

        func holds(_ value: Double) -> Bool {
            switch self {
            case .atLeast(let least): value >= least
            case .atMost(let most): value <= most
            }
        }
    }

    let what: String
    /// The figure's name.
    let figure: String
    /// The name of the figure to divide by; nil: the limit is for the figure itself.
    let base: String?
    let bound: Bound
    var unit = BenchReport.Unit.ratio

    /// The name of the part that measures the figure.
    var part: String { Self.part(of: figure) }

    /// The name of the part that measures a figure.
    static func part(of figure: String) -> String { String(figure.prefix { $0 != "/" }) }

    /// All targets that the scale measures.
    static func all(_ scale: Scale) -> [Target] {
        engine + holds(scale) + finance + receipts(scale) + reads(scale) + bigAccount(scale) + campaign + growth(scale)
            + events + standby + console + process(scale)
    }

    private static let engine = [
        Target(
            what: "purchases, default writers, batches of 1,024, to COPY by one connection",
            figure: Figures.engine("purchases", .standard, 1024), base: Figures.copy(connections: 1),
            bound: .atLeast(1)),
        Target(
            what: "purchases, one writer, batches of 1,024, to COPY by one connection",
            figure: Figures.engine("purchases", .one, 1024), base: Figures.copy(connections: 1), bound: .atLeast(0.45)),
        Target(
            what: "purchases, one writer, batches of 1, to the usual way with one client",
            figure: Figures.engine("purchases", .one, 1), base: Figures.usual(clients: 1), bound: .atLeast(0.65)),
        Target(
            what: "purchases, one writer, batches of 8, to the usual way with one client",
            figure: Figures.engine("purchases", .one, 8), base: Figures.usual(clients: 1), bound: .atLeast(2)),
    ]

    /// Larger batches are never slower.
    private static func holds(_ scale: Scale) -> [Target] {
        let batches = scale.batches.sorted()
        return zip(batches.dropFirst(), batches).map { larger, smaller in
            Target(
                what: "holds with captures, batches of \(larger), to batches of \(smaller)",
                figure: Figures.engine("holds", .one, larger), base: Figures.engine("holds", .one, smaller),
                bound: .atLeast(1))
        }
    }

    private static let finance = [
        Target(
            what: "spends with VAT, to spends without", figure: Figures.finance(.spendsWithVAT),
            base: Figures.finance(.spends), bound: .atLeast(0.7)),
        Target(
            what: "reversals of spends, to spends", figure: Figures.finance(.reversals),
            base: Figures.finance(.spends), bound: .atLeast(0.55)),
        Target(
            what: "captures for a provider with terms, to captures for one without",
            figure: Figures.finance(.capturesWithTerms), base: Figures.finance(.captures), bound: .atLeast(0.7)),
    ]

    private static func receipts(_ scale: Scale) -> [Target] {
        let many = scale.receipts.map(\.clients).max() ?? 0
        let longest = scale.receipts.map(\.delay).max() ?? 0
        return [
            Target(
                what: "receipts, 128 clients, gateway 0 ms, to the best of the usual way",
                figure: Figures.receipts(clients: 128, delay: 0), base: Figures.usualBest, bound: .atLeast(2)),
            Target(
                what: "receipts, 8 clients, gateway 0 ms: p50 to p50 of a balance read",
                figure: Figures.receiptsMedian(clients: 8, delay: 0), base: Figures.balanceMedian, bound: .atMost(8)),
            Target(
                what: "receipts, \(many) clients, gateway \(longest) ms, to gateway 0 ms",
                figure: Figures.receipts(clients: many, delay: longest),
                base: Figures.receipts(clients: many, delay: 0),
                bound: .atLeast(0.8)),
        ]
    }

    private static func reads(_ scale: Scale) -> [Target] {
        [("balance", 0.75), ("purchases", 0.28), ("statement", 0.28), ("products", 0.7)].map { name, least in
            Target(
                what: "reads of \(name) to the constant endpoint, \(scale.readers) connections",
                figure: Figures.read(name), base: Figures.read("constant"), bound: .atLeast(least))
        }
    }

    private static func growth(_ scale: Scale) -> [Target] {
        guard let least = scale.sizes.min(), let most = scale.sizes.max(), least < most else { return [] }
        return Figures.grown.map { rate in
            Target(
                what: "\(rate) at \(most) purchases in the books, to \(least)",
                figure: Figures.growth(most, rate), base: Figures.growth(least, rate), bound: .atLeast(0.45))
        }
    }

    private static func bigAccount(_ scale: Scale) -> [Target] {
        [
            Target(
                what: "other users' p99 while one reverses \(scale.lots) lots, to without",
                figure: Figures.besideBigAccount, base: Figures.withoutBigAccount, bound: .atMost(2))
        ]
    }

    private static let campaign = [
        Target(
            what: "grants of a campaign, with the sending of its list", figure: Figures.campaignGrants, base: nil,
            bound: .atLeast(5_000), unit: .perSecond),
        Target(
            what: "p99 of spends beside a campaign, to without", figure: Figures.spendsBesideCampaign,
            base: Figures.spendsWithoutCampaign, bound: .atMost(2)),
    ]

    private static let events = [
        Target(
            what: "receipts, 128 clients, with the publisher and one reader of events, to without",
            figure: Figures.receiptsWithEvents, base: Figures.receiptsWithoutEvents, bound: .atLeast(0.95)),
        Target(
            what: "events numbered per second from a backlog", figure: Figures.eventsPublished, base: nil,
            bound: .atLeast(50_000), unit: .perSecond),
        Target(
            what: "from the recording of an entry to the answer of a long poll, p99", figure: Figures.eventDelay,
            base: nil, bound: .atMost(300), unit: .milliseconds),
        Target(
            what: "deliveries to many endpoints of which one hangs: the others' p99 to p99 when none hangs",
            figure: Figures.deliveryDelayBesideHanging, base: Figures.deliveryDelay, bound: .atMost(1.2)),
    ]

    private static let standby = [64, 1024].map { batch in
        Target(
            what: "purchases, batches of \(batch), with a synchronous standby on the same machine, to without",
            figure: Figures.standby(.synchronous, batch), base: Figures.standby(.alone, batch), bound: .atLeast(0.6))
    }

    private static let console = ConsolePart.Page.allCases.map { page in
        Target(
            what: "the console's page \"\(page.rawValue)\", p99", figure: Figures.console(page), base: nil,
            bound: .atMost(100), unit: .milliseconds)
    }

    private static func process(_ scale: Scale) -> [Target] {
        [("idle", 40.0), ("loaded", 150), ("\(scale.idle) idle connections", 250)].map { state, most in
            Target(
                what: "resident memory, \(state)", figure: Figures.memory(state), base: nil, bound: .atMost(most),
                unit: .mebibytes)
        } + [
            Target(what: "start to ready", figure: Figures.ready, base: nil, bound: .atMost(0.3), unit: .seconds)
        ]
    }
}

struct TargetResult: Sendable {
    let target: Target
    /// The values of the rounds; nil: not measured, or void.
    var spread: Spread?
    /// Why the result is void; nil: it is not.
    var problem: String?
    /// The name of the figure that was not measured; nil: all were.
    var missing: String?

    var verdict: String {
        if let problem { return "VOID: \(problem)" }
        guard spread != nil else {
            return "not measured" + (missing.map { ", needs \(Target.part(of: $0))" } ?? "")
        }
        return isMissed ? "missed" : "met"
    }

    /// Whether the median does not keep the bound.
    var isMissed: Bool { spread.map { !target.bound.holds($0.median) } ?? false }
}

/// The names of the figures.
enum Figures {
    enum Writers: String, CaseIterable {
        case one = "1 writer"
        case standard = "default writers"
    }

    static func engine(_ act: String, _ writers: Writers, _ batch: Int) -> String {
        "engine/\(act)/\(writers.rawValue)/batches of \(batch)"
    }
    static func finance(_ act: FinancePart.Act) -> String { "finance/\(act.rawValue)" }
    static func copy(connections: Int) -> String { "copy/\(connections) connection(s)" }
    static func usual(clients: Int) -> String { "usual/\(clients) client(s)" }
    static let usualBest = "usual/best"
    static func receipts(clients: Int, delay: Int) -> String { "receipts/\(clients) clients/gateway \(delay) ms" }
    static func receiptsMedian(clients: Int, delay: Int) -> String { receipts(clients: clients, delay: delay) + "/p50" }
    static func console(_ page: ConsolePart.Page) -> String { "console/\(page.rawValue)" }
    static let balanceMedian = "reads/balance, 8 connections/p50"
    static func read(_ name: String) -> String { "reads/\(name)" }
    static func growth(_ purchases: Int, _ rate: String) -> String { "growth/\(purchases)/\(rate)" }
    /// The rates that the growth part measures at every size.
    static let grown = [
        "purchases, batches of 1", "purchases, batches of 1024", "spends, batches of 1024", "constant", "balance",
        "purchases", "statement", "products", "receipts",
    ]
    /// Names of other ledgers' figures, which no target compares.
    static func peer(_ name: String, clients: Int) -> String { "peers/\(name)/\(clients) client(s)" }
    static let withoutBigAccount = "big-account/others' p99 without"
    static let besideBigAccount = "big-account/others' p99 beside a reversal"
    static let campaignGrants = "campaign/grants"
    static let spendsWithoutCampaign = "campaign/spends' p99 without"
    static let spendsBesideCampaign = "campaign/spends' p99 beside it"
    static let eventsPublished = "events/published from a backlog"
    static let receiptsWithoutEvents = "events/receipts without"
    static let receiptsWithEvents = "events/receipts with publisher and reader"
    static let eventDelay = "events/recorded to answered, p99"
    static let deliveryDelay = "endpoints/recorded to delivered, p99"
    static let deliveryDelayBesideHanging = "endpoints/recorded to delivered beside one that hangs, p99"
    enum Standby: String {
        case alone
        case synchronous
    }

    static func standby(_ standby: Standby, _ batch: Int) -> String {
        "standby/\(standby.rawValue)/purchases, batches of \(batch)"
    }
    static func memory(_ when: String) -> String { "memory/\(when)" }
    static let ready = "start/ready"
}
