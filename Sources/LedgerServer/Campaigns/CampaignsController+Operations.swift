import LedgerWire

extension CampaignsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listCampaigns", "/v1/campaigns", .serviceRead, .acts, "List the campaigns, newest first",
                page: ListBody<CampaignBody>.self)
        ) { $0.list },
        Route(
            .write(
                "createCampaign", .post, "/v1/campaigns", .serviceGrant, .acts,
                "Create a campaign",
                """
                It gives coins to many users, once to each, until its budget is met. With a `code` its users claim the coins; \
                without one, add the users. A budget above the limit of one person waits until a person approves it. The name \
                is the key: a repeat of the same returns the same campaign.
                """,
                body: .json(
                    CampaignRequestBody.self,
                    .init(
                        "list", "for a list of users",
                        [
                            "name": "spring", "coins": 10, "budget": 500, "coin_days": 30, "reason": "spring campaign",
                            "note": "Spring is here!",
                        ]),
                    .init(
                        "code", "for whoever claims it",
                        [
                            "name": "welcome 2036", "coins": 5, "budget": 1000, "ends_at": "2036-01-31T15:00:00Z",
                            "reason": "welcome campaign", "code": "WELCOME36",
                        ])),
                answers: [.created(CampaignBody.self, "The campaign.", headers: [.location])],
                refusals: [.grantLimitExceeded, .campaignExists, .idempotencyKeyReused],
                meanings: [403: "The token lacks the scope, or the campaign exceeds a limit."])
        ) { $0.create },
        Route(
            .read(
                "getCampaign", "/v1/campaigns/{id}", .serviceRead, .acts,
                "Get a campaign, how far it is, and what became of its coins",
                parameters: [.campaign], answers: [.ok(CampaignBody.self, "The campaign.")], refusals: [.notFound])
        ) { $0.show },
        Route(
            .write(
                "addCampaignUsers", .post, "/v1/campaigns/{id}/users", .serviceGrant, .acts,
                "Add users to the list of a campaign",
                "At most 10,000. Who is on the list already stays as they are, so a repeat adds nobody twice.",
                parameters: [.campaign],
                body: .json(
                    CampaignUsersRequestBody.self,
                    .init("users", ["users": [["user": "ann"], ["user": "bob", "coins": 5]]]),
                    .init("dry", "only count them", ["users": [["user": "ann"]], "dry_run": true])),
                answers: [.ok(CampaignUsersBody.self, "What became of them.")],
                refusals: [.notFound, .campaignClosed])
        ) { $0.add },
        Route(
            .write(
                "uploadCampaignUsers", .post, "/v1/campaigns/{id}/users/file", .serviceGrant, .acts,
                "Add the users of a file to the list of a campaign",
                """
                A CSV file in UTF-8 of at most 64 MiB: the id of a user in each line, and the coins, if they are others than \
                the campaign's. A first line with the names `user`, `coins` is skipped. If a line can't be read, nobody is \
                added. After an interruption, send the file again.
                """,
                parameters: [
                    .campaign,
                    .query("dry_run", .flag(default: false), "whether to count the users without adding them"),
                ],
                body: .csv(.init("users", "user,coins\nann\nbob,5\n")),
                answers: [.ok(CampaignUsersBody.self, "What became of them.")],
                refusals: [.notFound, .campaignClosed])
        ) { $0.upload },
        Route(
            .write(
                "pauseCampaign", .post, "/v1/campaigns/{id}/pause", .serviceGrant, .acts, "Pause a campaign",
                "Users whose coins are being posted get them. A repeat changes nothing.",
                parameters: [.campaign],
                body: .json(CampaignStopRequestBody.self, .init("pause", ["reason": "the shop is down"])),
                answers: [.ok(CampaignBody.self, "The campaign, which is paused.")],
                refusals: [.notFound, .campaignClosed])
        ) { $0.pause },
        Route(
            .write(
                "resumeCampaign", .post, "/v1/campaigns/{id}/resume", .serviceGrant, .acts, "Resume a campaign",
                "A repeat changes nothing.",
                parameters: [.campaign], answers: [.ok(CampaignBody.self, "The campaign, which is active.")],
                refusals: [.notFound, .campaignClosed])
        ) { $0.resume },
        Route(
            .write(
                "voidCampaign", .post, "/v1/campaigns/{id}/void", .serviceGrant, .acts,
                "Void what is left of a campaign's coins",
                """
                Nothing is given from now on. What the wallets have of each grant is voided, which takes time: `status` is \
                `voiding` meanwhile. Coins on hold stay; when their holds have ended, void the campaign again.
                """,
                parameters: [.campaign],
                body: .json(CampaignStopRequestBody.self, .init("void", ["reason": "the wrong users"])),
                answers: [.ok(CampaignBody.self, "The campaign.")], refusals: [.notFound])
        ) { $0.void },
        Route(
            .write(
                "claimCampaign", .post, "/v1/users/{user}/claims", .serviceGrant, .acts,
                "Claim a campaign's coins for a user",
                """
                Gives the coins of the campaign with this code, once. A repeat, also under another id of the same \
                person, returns the first grant, with the balance as it is now.
                """,
                parameters: [.user],
                body: .json(CampaignClaimRequestBody.self, .init("claim", ["code": "WELCOME36"])),
                answers: [.created(CampaignClaimBody.self, "The coins are granted.")],
                refusals: [.notFound, .campaignClosed, .alreadyExpired])
        ) { $0.claim },
    ]

    static func make(with deps: Deps) throws -> Self? { CampaignsController(acts: deps.desks.campaigns) }
}
