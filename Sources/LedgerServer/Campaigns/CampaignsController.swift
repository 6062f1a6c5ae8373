import Hummingbird
import Ledger
import LedgerWire

/// Campaigns: coins that are given to many users.
struct CampaignsController: Sendable {
    let acts: CampaignActs

    /// The most bytes of a list of users in a body: 10,000 of the longest ids.
    private static let maxListSize = 8 << 20
    /// The most bytes of a file: a million users with ids of 50 characters and coins.
    static let maxFileSize = 64 << 20

    /// `POST /v1/campaigns`.
    func create(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let caller = UserID(rawValue: try context.requirePrincipal().subject) else {
            throw Problem.subjectInvalid
        }
        let body = try await request.decode(as: CampaignRequestBody.self, context: context)
        let campaign = try await acts.create(try body.draft, by: caller)
        return try Response(
            status: .created, headers: [.location: "/v1/campaigns/\(campaign.id)"], json: CampaignBody(campaign))
    }

    /// `GET /v1/campaigns`: newest first.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await acts.ledger.campaigns.list(after: page.after, limit: page.limit)
        return try page.answer(CampaignBody.listName, found.elements.map(CampaignBody.init), next: found.next)
    }

    /// `GET /v1/campaigns/{id}`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: CampaignBody(try await acts.find(try context.pathID())))
    }

    /// `POST /v1/campaigns/{id}/users`: who is on the list stays.
    func add(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try JSONBody.decode(
            CampaignUsersRequestBody.self, from: try await JSONBody.read(request, limit: Self.maxListSize))
        guard (1...CampaignUsersRequest.mostUsers).contains(body.users.count) else {
            throw Problem.invalid(pointer: "/users", "/users must have 1 to \(CampaignUsersRequest.mostUsers) users")
        }
        let isDryRun = body.dryRun ?? false
        let added = try await acts.add(
            body.users.map { CampaignUser($0.user.id, coins: $0.coins?.coins) }, to: try context.pathID(),
            isDryRun: isDryRun)
        return try Response(json: CampaignUsersBody(added, isDryRun: isDryRun))
    }

    /// `POST /v1/campaigns/{id}/users/file`: the same of a CSV file.
    func upload(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let id = try context.pathID()
        let isDryRun = try Query(request, ["dry_run"]).parsed("dry_run", "true or false") { Bool($0) } ?? false
        let bytes = try await request.file(["text/csv"], limit: Self.maxFileSize)
        let file: CampaignUserFile
        do throws(CampaignUserFile.Fault) { file = try CampaignUserFile(bytes) } catch {
            throw Problem.invalid(member: "body", "the file \(error.rule)")
        }
        return try Response(
            json: CampaignUsersBody(try await acts.add(file, to: id, isDryRun: isDryRun), isDryRun: isDryRun))
    }

    /// `POST /v1/campaigns/{id}/pause`.
    func pause(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await stop(request, context) { try await acts.pause($0, because: $1, by: $2) }
    }

    /// `POST /v1/campaigns/{id}/resume`.
    func resume(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(
            json: CampaignBody(
                try await acts.resume(try context.pathID(), by: try context.requirePrincipal().subject)))
    }

    /// `POST /v1/campaigns/{id}/void`: begins to void what is left.
    func void(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await stop(request, context) { try await acts.void($0, because: $1, by: $2) }
    }

    /// `POST /v1/users/{user}/claims`: the coins of a campaign, once.
    func claim(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        let body = try await request.decode(as: CampaignClaimRequestBody.self, context: context)
        let (campaign, granted) = try await acts.claim(body.code.value, for: user)
        return try Response(status: .created, json: CampaignClaimBody(campaign, granted))
    }

    private func stop(
        _ request: Request, _ context: LedgerdRequestContext,
        _ act: (Int64, _ reason: String, _ caller: String) async throws -> Campaign
    ) async throws -> Response {
        let id = try context.pathID()
        let body = try await request.decode(as: CampaignStopRequestBody.self, context: context)
        return try Response(
            json: CampaignBody(try await act(id, body.reason.value, try context.requirePrincipal().subject)))
    }
}
