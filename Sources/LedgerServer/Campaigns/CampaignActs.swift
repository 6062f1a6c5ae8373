package import Ledger
import LedgerWire
import Timing

/// What is done about campaigns, at every door.
package struct CampaignActs: Sendable {
    let ledger: Ledger
    let limits: GrantLimits

    /// Creates a campaign, which waits for a second person above the limit of one; a repeat of the same returns it.
    ///
    /// - Parameter caller: the service or person. Its budget counts as granted by them today.
    /// - Throws: `grant_limit_exceeded`; `campaign_exists`; ``InputFault``.
    func create(_ draft: CampaignDraft, by caller: UserID) async throws -> Campaign {
        try draft.check()
        // A repeat is the same campaign, also when its time is over.
        if try await !ledger.campaigns.isTaken(draft.name) {
            try draft.checkTimes()
            try await limits.check(draft, by: caller, in: ledger)
        }
        let id = try await ledger.campaigns.create(
            draft, by: caller.rawValue, needsApproval: draft.budget.count > limits.perPerson)
        guard let id else { throw Problem(.campaignExists) }
        return try await find(id)
    }

    /// - Throws: `not_found`.
    package func find(_ id: Int64) async throws -> Campaign {
        guard let campaign = try await ledger.campaigns.find(id) else { throw RefusedAct(.noSuchCampaign) }
        return campaign
    }

    /// Adds users to the list of a campaign; who is on it stays.
    ///
    /// - Throws: `not_found`; `campaign_closed`; `invalid_request`.
    func add(
        _ users: [CampaignUser], to id: Int64, isDryRun: Bool
    ) async throws -> CampaignUsersAdded {
        switch try await ledger.campaigns.add(users, to: id, isDryRun: isDryRun) {
        case .success(let added): return added
        case .failure(.notFound): throw RefusedAct(.noSuchCampaign)
        case .failure(.exceedsMost): throw InputFault("users", "must have at most most_per_user coins each")
        case .failure(.hasCode): throw Problem.campaignClosed(.hasCode, "the users of the campaign claim the coins")
        case .failure(let refusal): throw Problem.campaignClosed(refusal)
        }
    }

    /// Adds the users of a file; nobody, if a line can't be read.
    ///
    /// Each part is added by itself, so a repeat adds what an interrupted upload has left out.
    ///
    /// - Throws: as ``add(_:to:isDryRun:)``.
    func add(
        _ file: CampaignUserFile, to id: Int64, isDryRun: Bool
    ) async throws -> CampaignUsersAdded {
        var all = CampaignUsersAdded()
        do {
            var (unread, checked) = (file, file)
            while try !checked.next(Campaigns.batch).isEmpty { await Task.yield() }
            while case let users = try unread.next(Campaigns.batch), !users.isEmpty {
                let added = try await add(users, to: id, isDryRun: isDryRun)
                all.added += added.added
                all.present += added.present
                all.coins += added.coins
                // Nothing of a dry run is there when the next part is counted.
                all.lacking = isDryRun && all.lacking > 0 ? all.lacking + added.coins : added.lacking
            }
        } catch let fault as CampaignUserFile.Fault {
            throw Problem.invalid(member: "body", "line \(fault.line) \(fault.rule)")
        }
        return all
    }

    /// Gives a user the coins of the campaign with this code, once.
    ///
    /// - Throws: `not_found`; `campaign_closed`; ``RefusedAct``.
    func claim(_ code: String, for user: UserID) async throws -> (campaign: Campaign, granted: Granted) {
        // Nothing is reserved for whom nothing can be granted.
        guard !user.isForgotten else { throw RefusedAct(.userForgotten) }
        switch try await ledger.campaigns.claim(code, for: user) {
        case .failure(.notFound): throw Problem(.notFound, "no campaign has this code")
        case .failure(let refusal): throw Problem.campaignClosed(refusal)
        case .success(let id):
            let answer = try await ledger.submit(GrantFromCampaign(campaign: id, user: user))
            switch answer.outcome {
            case .refused(let refusal):
                try await ledger.campaigns.release(id, of: user, because: refusal.row.code ?? "refused")
                throw RefusedAct(refusal)
            case .done(let granted):
                // Another id of the person may have claimed, too: what is reserved beyond the grant is free again.
                if answer.isRepeat { try await ledger.campaigns.release(id, of: user, because: "already_claimed") }
                return (try await find(id), granted)
            }
        }
    }

    /// Lets a campaign begin that waits for a second person; a repeat changes nothing.
    ///
    /// - Throws: `not_found`; `approval_by_proposer`; `campaign_closed`: it does not wait.
    ///
    /// - Parameter name: the person's name, for people; nil: it is not known.
    package func approve(_ id: Int64, by person: String, named name: String? = nil) async throws -> Campaign {
        let before = try await find(id)
        let isOwn = Identity(person, named: name).isSamePerson(as: before.creator)
        if before.status == .waiting, isOwn { throw Problem(.approvalByProposer) }
        let isDone = try await ledger.campaigns.approve(id, by: person)
        let campaign = try await find(id)
        guard isDone || campaign.approvedBy == person else { throw Problem.notWaiting }
        return campaign
    }

    /// Pauses a campaign; a repeat changes nothing.
    ///
    /// - Throws: `not_found`; `campaign_closed`: it is not active.
    package func pause(_ id: Int64, because reason: String, by caller: String) async throws -> Campaign {
        _ = try await ledger.campaigns.pause(id, because: reason, by: caller)
        let campaign = try await find(id)
        guard campaign.status == .paused else { throw Problem.notActive(campaign) }
        return campaign
    }

    /// Resumes a campaign; a repeat changes nothing.
    ///
    /// - Throws: `not_found`; `campaign_closed`: it is not paused.
    package func resume(_ id: Int64, by caller: String) async throws -> Campaign {
        let isDone = try await ledger.campaigns.resume(id, by: caller)
        let campaign = try await find(id)
        guard isDone || campaign.status == .active else { throw Problem.notActive(campaign) }
        return campaign
    }

    /// Voids what is left of a campaign's coins, which takes time; nothing is given from now on.
    ///
    /// - Throws: `not_found`.
    package func void(_ id: Int64, because reason: String, by caller: String) async throws -> Campaign {
        _ = try await ledger.campaigns.void(id, because: reason, by: caller)
        return try await find(id)
    }
}

extension CampaignDraft {
    fileprivate func check() throws(InputFault) {
        guard mostPerUser.count >= coins.count else { throw InputFault("most_per_user", "must be at least coins") }
        guard budget.count >= mostPerUser.count else { throw InputFault("budget", "must be at least most_per_user") }
        guard coinsExpireAt == nil || coinDays == nil else {
            throw InputFault("coin_days", "must not be given with coins_expire_at")
        }
    }

    fileprivate func checkTimes() throws(InputFault) {
        let begin = startsAt ?? Time.current.now
        if let endsAt, endsAt <= begin { throw InputFault("ends_at", "must be after starts_at") }
        if let coinsExpireAt, coinsExpireAt <= begin {
            throw InputFault("coins_expire_at", "must be after starts_at")
        }
    }
}

extension Problem {
    fileprivate static func campaignClosed(_ refusal: CampaignRefusal, _ detail: String? = nil) -> Problem {
        Problem(.campaignClosed, detail, members: ["campaign_state": .string(refusal.rawValue)])
    }

    fileprivate static func notActive(_ campaign: Campaign) -> Problem {
        Problem(
            .campaignClosed, "the campaign is \(campaign.status.rawValue)",
            members: ["campaign_state": .string(campaign.status.rawValue)])
    }

    fileprivate static let notWaiting = Problem(
        .campaignClosed, "the campaign does not wait for a second person",
        members: ["campaign_state": .string("not_waiting")])
}
