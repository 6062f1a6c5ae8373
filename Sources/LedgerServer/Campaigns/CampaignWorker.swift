import Ledger
import Logging
import Metrics
import Timing

/// Gives the coins of campaigns, and voids what is left of them.
///
/// It takes turns with others: while other acts are under way, its rounds are small, and it pauses for as long as each took.
struct CampaignWorker: WorkItemWorker {
    let ledger: Ledger
    let logger: Logger
    let name = "campaigns"
    let metric = "ledgerd_campaigns"

    /// After that, the run is due again at once, and another process may take it.
    ///
    /// It is shorter than the ``lease``.
    private static let slice = Duration.seconds(10)
    /// When a run that has nothing to do looks again: its campaign can begin, end, or have a budget again.
    ///
    /// Who adds users, or approves, resumes or voids a campaign makes it due at once.
    private static let look = Duration.seconds(30)

    /// The pause after an error that passes.
    private static let rest = Duration.seconds(2)

    func work(on run: CampaignRun) async throws -> WorkOutcome<CampaignRun.Decision> {
        do {
            return try await advance(run)
        } catch let error as LedgerError where error.code != .fault && error.code != .invalid {
            // What was reserved comes first then.
            logger.warning("a campaign has to wait", metadata: ["campaign": "\(run.id)", "error": "\(error)"])
            return .postponed(Self.rest, "unavailable")
        }
    }

    private func advance(_ run: CampaignRun) async throws -> WorkOutcome<CampaignRun.Decision> {
        let end = Time.current.instant + Self.slice
        var size = CampaignRoundSize()
        while !Repetition.isOver, Time.current.instant < end {
            let began = Time.current.instant
            switch try await ledger.campaignRuns.next(of: run, most: size.users) {
            case .give(let round): try await give(round)
            case .void(let voids): try await void(voids)
            case .wait: return .postponed(Self.look, "waiting")
            case .over: return .decided(.over, "over")
            }
            let othersAct = ledger.actsUnderWay > 0
            size.change(othersAct: othersAct)
            if othersAct { try await Time.current.sleep(for: Time.current.instant - began) }
        }
        return .postponed(.zero, "running")
    }

    private func give(_ round: CampaignRound) async throws {
        var refused: [(user: UserID, code: String)] = []
        for (user, result) in zip(round.users, await ledger.submitTogether(round.acts)) {
            switch result {
            case .success(let answer):
                if let refusal = answer.refusal { refused.append((user, refusal.row.code ?? "refused")) }
            case .failure(let error):
                try note(error, of: round.campaign)
                refused.append((user, "fault"))
            }
        }
        try await ledger.campaignRuns.finish(round, refused: refused)
        Counter(label: "ledgerd_campaign_users_total", dimensions: [("result", "given")])
            .increment(by: round.users.count - refused.count)
        Counter(label: "ledgerd_campaign_users_total", dimensions: [("result", "refused")]).increment(by: refused.count)
    }

    /// What can't be voided stays: it was used or held meanwhile.
    private func void(_ voids: CampaignVoids) async throws {
        for case .failure(let error) in await ledger.submitTogether(voids.acts) {
            try note(error, of: voids.campaign)
        }
        try await ledger.campaignRuns.finish(voids)
    }

    /// Logs an act that can't be done; others are tried again with their round.
    private func note(_ error: LedgerError, of campaign: Int64) throws(LedgerError) {
        guard error.code == .fault || error.code == .invalid else { throw error }
        logger.error(
            "an act of a campaign can't be done", metadata: ["campaign": "\(campaign)", "error": "\(error)"])
    }
}

/// How many users a round of a campaign has.
///
/// Each round costs a few transactions besides its batch, so large rounds are faster. But other acts wait until the batch is done.
struct CampaignRoundSize: Equatable {
    /// While others act.
    static let smallest = 64
    /// Two full batches, which two writers post at the same time.
    static let largest = 2048

    private(set) var users = smallest

    /// Doubles while nobody else acts, and goes back to the smallest as soon as somebody does.
    mutating func change(othersAct: Bool) {
        users = othersAct ? Self.smallest : min(2 * users, Self.largest)
    }
}
