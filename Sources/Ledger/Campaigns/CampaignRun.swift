import Foundation
package import Postgres

/// The run of a campaign: it gives coins to the users of the list, or voids what is left of them.
///
/// One process has its lease. What it has done is stored with the campaign, so another one goes on after it.
package struct CampaignRun: WorkItem, Equatable {
    package enum Decision: String, Sendable {
        /// The campaign has ended or is voided.
        case over
    }

    /// The campaign's id.
    package let id: Int64
    package let attempts: Int64

    package init(id: Int64, attempts: Int64) {
        self.id = id
        self.attempts = attempts
    }
}

extension CampaignRun: StoredWorkItem {
    static let table = "campaign_run"
    static let columns = "campaign_run.id, campaign_run.attempts"

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> CampaignRun {
        try row.make(at: &column, CampaignRun.init)
    }
}

/// The runs of campaigns that are not over.
package typealias CampaignRuns = WorkList<CampaignRun>

/// What a run does next.
package enum CampaignStep: Sendable {
    /// Gives coins to users, whose coins are reserved.
    case give(CampaignRound)
    /// Voids what is left of grants.
    case void(CampaignVoids)
    /// Nothing now.
    case wait
    /// Nothing any more.
    case over
}

/// Users of a campaign's list who are given coins together.
package struct CampaignRound: Sendable, Equatable {
    package let campaign: Int64
    /// The number of the last one.
    let last: Int64
    package let users: [UserID]

    /// The acts that give the coins.
    package var acts: [GrantFromCampaign] { users.map { GrantFromCampaign(campaign: campaign, user: $0) } }
}

/// Grants of a campaign of which what is left is voided together.
package struct CampaignVoids: Sendable, Equatable {
    package let campaign: Int64
    /// How often the campaign was voided, with this time.
    let pass: Int64
    let reason: String
    let lots: [Lot]

    /// The acts that void what is in the wallets.
    ///
    /// Their keys are of no caller of the service: a process that ended has used them, too.
    package var acts: [VoidGrant] {
        guard let caller = UserID(rawValue: "campaign/\(campaign)") else { return [] }
        return lots.filter { $0.remaining > 0 }.compactMap { lot in
            CallerKey("void/\(pass)/\(lot.id)", of: caller).map {
                VoidGrant(idempotencyKey: $0, of: lot, reason: reason)
            }
        }
    }
}

extension CampaignRuns {
    /// The next step of a run; the coins of its users are reserved then.
    ///
    /// - Parameter most: the most users of the step.
    package func next(of run: CampaignRun, most: Int) async throws(LedgerError) -> CampaignStep {
        try await reading {
            switch try await pools.work.run(run.advance(most: most)) {
            case "give":
                let rows = try await pools.work.run(run.round)
                return .give(
                    CampaignRound(campaign: run.id, last: rows.first?.last ?? 0, users: rows.compactMap(\.user)))
            case "void":
                guard let (pass, reason, after) = try await pools.work.run(run.voiding) else { return .over }
                let lots = try await pools.work.run(Lot.ofCampaign(run.id, after: after, limit: most))
                return .void(CampaignVoids(campaign: run.id, pass: pass, reason: reason, lots: lots))
            case "over": return .over
            default: return .wait
            }
        }
    }

    /// Stores that the users have their coins, but for those whom the ledger refused: their coins are free again.
    ///
    /// - Parameter refused: the users, with the codes of the refusals.
    package func finish(
        _ round: CampaignRound, refused: [(user: UserID, code: String)]
    ) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(Self.finish(round.campaign, upTo: round.last, refused: refused))
        }
    }

    static func finish(
        _ campaign: Int64, upTo last: Int64 = 0, refused: [(user: UserID, code: String)]
    ) -> PostgresQuery<Int> {
        .affected(
            "SELECT finish_campaign_users($1, $2, $3, $4)",
            [campaign, last, refused.map(\.user.rawValue), refused.map(\.code)])
    }

    /// Stores that what was left of the grants is voided; if there are none, the campaign is voided.
    package func finish(_ voids: CampaignVoids) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(
                PostgresQuery<Int>.affected(
                    "SELECT finish_campaign_voids($1, $2, $3)", [voids.campaign, voids.pass, voids.lots.last?.id]))
        }
    }
}

extension CampaignRun {
    fileprivate func advance(most: Int) -> PostgresQuery<String> {
        .one("SELECT advance_campaign($1, $2)", [id, Int64(most)])
    }

    /// The users whose coins are reserved, and who may not have them yet.
    fileprivate var round: PostgresQuery<[(last: Int64, user: UserID?)]> {
        PostgresQuery(
            """
            SELECT campaign.taken_to, listed.user_id
            FROM campaign
            LEFT JOIN LATERAL (
                SELECT user_id, number FROM campaign_user
                WHERE campaign_id = campaign.id AND number > campaign.done_to AND number <= campaign.taken_to
                    AND refusal IS NULL
                ORDER BY number
                OFFSET 0
            ) AS listed ON true
            WHERE campaign.id = $1
            """, [id]
        ) { row in (last: try row[0], user: try row[1]) }
    }

    /// Which time the campaign is voided, why, and how far.
    fileprivate var voiding: PostgresQuery<(pass: Int64, reason: String, after: Int64)?> {
        .first(
            "SELECT void_pass, status_reason, voided_to FROM campaign WHERE id = $1 AND status = 'voiding'", [id]
        ) { row in (pass: try row[0], reason: try row[1], after: try row[2]) }
    }
}
