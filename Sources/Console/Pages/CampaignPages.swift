import Hummingbird
import Ledger
import LedgerServer
import LedgerWire
import WireFormats

/// Campaigns: how far they are, what became of their coins, and what people do about them.
struct CampaignPages: Sendable {
    let desk: ApprovalDesk

    private static let pageSize = 30

    private var acts: CampaignActs { desk.desks.campaigns }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("campaigns", needs: .read, list)
        routes.page("campaigns/{id}", needs: .read, page)
        routes.act(.approveCampaign) { visit in
            try await perform(.approveCampaign, visit) { id, _, person in
                try await acts.approve(id, by: person, named: visit.person.name)
            }
        }
        routes.act(.pauseCampaign) { visit in
            try await perform(.pauseCampaign, visit) { try await acts.pause($0, because: $1, by: $2) }
        }
        routes.act(.resumeCampaign) { visit in
            try await perform(.resumeCampaign, visit) { id, _, person in try await acts.resume(id, by: person) }
        }
        routes.act(.voidCampaign) { visit in
            try await perform(.voidCampaign, visit) { try await acts.void($0, because: $1, by: $2) }
        }
    }

    /// `GET /console/campaigns`: newest first.
    private func list(_ visit: Visit) async throws -> Response {
        let found = try await desk.desks.ledger.campaigns.list(
            after: try visit.cursor(of: "campaigns", as: After<Int64>.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "section": Layout.section(found.elements.map { Self.values(CampaignBody($0), visit) })
        ]
        values["next"] = try visit.next("/console/campaigns", of: "campaigns", found.next)
        return await Layout.page(visit, title: visit.text("campaignsTitle"), Self.listTemplate, values)
    }

    /// `GET /console/campaigns/{id}`.
    private func page(_ visit: Visit) async throws -> Response {
        let campaign = try await acts.find(try visit.context.pathID())
        var values = Self.values(CampaignBody(campaign), visit)
        let isOwn = visit.person.identity.isSamePerson(as: campaign.creator)
        values["isOwn"] = campaign.status == .waiting && isOwn
        func allow(_ act: ConsoleAct, _ name: String, if isPossible: Bool) {
            guard isPossible, act.right.map(visit.may) ?? false else { return }
            values[name] = ["once": RandomToken.make()]
        }
        allow(.approveCampaign, "approve", if: campaign.status == .waiting && !isOwn)
        allow(.pauseCampaign, "pause", if: campaign.status == .active)
        allow(.resumeCampaign, "resume", if: campaign.status == .paused)
        allow(.voidCampaign, "void", if: campaign.status != .voiding)
        return await Layout.page(
            visit, title: "\(visit.text("campaign")): \(campaign.name)", Self.pageTemplate, values)
    }

    /// `POST …/approve`, `…/pause`, `…/resume`, `…/void`.
    private func perform(
        _ act: ConsoleAct, _ visit: Visit, _ work: (Int64, _ reason: String, _ person: String) async throws -> Campaign
    ) async throws -> Response {
        let before = try await acts.find(try visit.context.pathID())
        let reason = act.fields.isEmpty ? "" : try visit.form.text("reason")
        _ = try await desk.perform(
            act, on: "campaign:\(before.id)", visit, reason: reason, seen: before.made, made: \.made
        ) { _ in try await work(before.id, reason, visit.person.caller.rawValue) }
        return visit.redirect(to: "/console/campaigns/\(before.id)", notice: act.notice())
    }
}

extension Campaign {
    fileprivate var made: [String: JSON] { ["status": .string(status.rawValue)] }
}

extension CampaignPages {
    private static func values(_ campaign: CampaignBody, _ visit: Visit) -> [String: Any] {
        let (progress, costs) = (campaign.progress, campaign.costs)
        var values: [String: Any] = [
            "id": String(campaign.id), "name": campaign.name, "status": visit.text("campaign_\(campaign.status)"),
            "tone": campaign.status == "active" ? "good" : campaign.status == "voided" ? "bad" : "wait",
            "coins": Show.number(campaign.coins), "most": Show.number(campaign.mostPerUser),
            "budget": Show.number(campaign.budget), "reason": campaign.reason, "note": campaign.note ?? "",
            "code": campaign.code ?? "", "creator": campaign.createdBy, "approver": campaign.approvedBy ?? "",
            "listed": Show.number(progress.listed), "waiting": Show.number(progress.waiting),
            "users": Show.number(progress.users), "refused": Show.number(progress.refused),
            "given": Show.number(costs.given), "used": Show.number(costs.used), "expired": Show.number(costs.expired),
            "voided": Show.number(costs.voided), "open": Show.number(costs.open),
            "toGive": Show.number(costs.toGive), "expected": Show.number(costs.expected),
        ]
        values["why"] = campaign.statusReason.map { reason in
            reason == Campaign.budgetMet && campaign.changedBy == nil ? visit.text("campaignBudgetMet") : reason
        }
        values["starts"] = visit.time(campaign.startsAt)
        values["ends"] = visit.time(campaign.endsAt)
        values["expires"] = visit.time(campaign.coinsExpireAt)
        values["days"] = campaign.coinDays.map { Show.number($0) }
        return values
    }

    static let listTemplate = ConsoleTemplate(
        """
        {{^section}}\(FormPart.empty("campaignsNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.campaign}}</th><th scope="col">{{t.status}}</th>
        <th scope="col" class="number">{{t.campaignBudget}}</th><th scope="col" class="number">{{t.campaignUsers}}</th>
        <th scope="col" class="number">{{t.campaignGiven}}</th><th scope="col" class="number">{{t.campaignUsed}}</th>
        <th scope="col" class="number">{{t.campaignOpen}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/campaigns/{{id}}">{{name}}</a></th>
        <td><span class="status {{tone}}">{{status}}</span>{{#why}} {{why}}{{/why}}</td><td class="number">{{budget}}</td>
        <td class="number">{{users}}</td><td class="number">{{given}}</td><td class="number">{{used}}</td>
        <td class="number">{{open}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div class="key"><dt>{{t.status}}</dt><dd><span class="status {{tone}}">{{status}}</span>\
        {{#why}} {{why}}{{/why}}</dd></div>
        <div><dt>{{t.campaignCoins}}</dt><dd>{{coins}}</dd></div><div><dt>{{t.campaignMost}}</dt><dd>{{most}}</dd></div>
        <div><dt>{{t.campaignBudget}}</dt><dd>{{budget}}</dd></div><div><dt>{{t.campaignReason}}</dt><dd>{{reason}}</dd></div>
        <div><dt>{{t.campaignNote}}</dt><dd>{{note}}</dd></div><div><dt>{{t.campaignCode}}</dt><dd>{{code}}</dd></div>
        {{#starts}}<div><dt>{{t.campaignStarts}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/starts}}
        {{#ends}}<div><dt>{{t.campaignEnds}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/ends}}
        {{#expires}}<div><dt>{{t.campaignExpires}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/expires}}
        {{#days}}<div><dt>{{t.campaignDays}}</dt><dd>{{days}}</dd></div>{{/days}}
        <div><dt>{{t.campaignCreator}}</dt><dd>{{creator}}</dd></div>
        <div><dt>{{t.campaignApprover}}</dt><dd>{{approver}}</dd></div></dl>
        {{#isOwn}}<p role="status">{{t.campaignOwn}}</p>{{/isOwn}}
        {{#approve}}\(ConsoleAct.approveCampaign.form("campaignApprove")){{/approve}}
        <h2>{{t.campaignProgress}}</h2>
        <dl class="facts"><div><dt>{{t.campaignListed}}</dt><dd>{{listed}}</dd></div>
        <div><dt>{{t.campaignWaiting}}</dt><dd>{{waiting}}</dd></div><div><dt>{{t.campaignUsers}}</dt><dd>{{users}}</dd></div>
        <div><dt>{{t.campaignRefused}}</dt><dd>{{refused}}</dd></div></dl>
        <h2>{{t.campaignCosts}}</h2>
        <dl class="facts"><div><dt>{{t.campaignGiven}}</dt><dd>{{given}}</dd></div>
        <div><dt>{{t.campaignUsed}}</dt><dd>{{used}}</dd></div><div><dt>{{t.campaignExpired}}</dt><dd>{{expired}}</dd></div>
        <div><dt>{{t.campaignVoided}}</dt><dd>{{voided}}</dd></div><div><dt>{{t.campaignOpen}}</dt><dd>{{open}}</dd></div>
        <div><dt>{{t.campaignToGive}}</dt><dd>{{toGive}}</dd></div>
        <div><dt>{{t.campaignExpected}}</dt><dd>{{expected}}</dd></div></dl>
        {{#resume}}\(ConsoleAct.resumeCampaign.form("campaignResume")){{/resume}}
        {{#pause}}<details><summary>{{t.campaignPause}}</summary>
        \(ConsoleAct.pauseCampaign.form("campaignPause", ids: ["reason": "reason-pause"], isFirst: false))</details>{{/pause}}
        {{#void}}<details><summary>{{t.campaignVoid}}</summary><p>{{t.campaignVoidHelp}}</p>
        \(ConsoleAct.voidCampaign.form("campaignVoid", ids: ["reason": "reason-void"], isFirst: false))</details>{{/void}}
        """)

    static let texts: [ConsoleText] = [
        .init("campaignsTitle", "Campaigns", "캠페인"), .init("campaign", "Campaign", "캠페인"),
        .init(
            "campaignsNone",
            "No campaign yet. A service or a terminal creates one, to give coins to many users within a budget.",
            "캠페인이 없습니다. 서비스나 터미널에서 캠페인을 만들어 여러 사용자에게 예산 안에서 코인을 지급합니다."),
        .init("campaignCoins", "Coins a user", "1인당 코인"), .init("campaignMost", "Most coins a user", "1인당 최대 코인"),
        .init("campaignBudget", "Budget (coins)", "예산(코인)"), .init("campaignReason", "Reason", "사유"),
        .init("campaignNote", "Note to users", "사용자 안내"), .init("campaignCode", "Code", "코드"),
        .init("campaignStarts", "Begins", "시작"), .init("campaignEnds", "Ends", "종료"),
        .init("campaignExpires", "Coins expire", "코인 만료"), .init("campaignDays", "Days until coins expire", "코인 유효 일수"),
        .init("campaignCreator", "Created by", "만든 사람"), .init("campaignApprover", "Approved by", "승인한 사람"),
        .init(
            "campaignOwn", "You created this campaign: another person has to approve it.",
            "본인이 만든 캠페인입니다. 다른 담당자가 승인해야 합니다."),
        .init("campaignApprove", "Approve", "승인"), .init("campaignPause", "Pause", "일시 중지"),
        .init("campaignResume", "Resume", "재개"), .init("campaignVoid", "Void what is left", "남은 코인 회수"),
        .init(
            "campaignVoidHelp",
            "What the wallets have of its coins is taken back, and nothing is given any more. Coins on hold stay.",
            "지갑에 남은 이 캠페인의 코인을 회수하고 더 지급하지 않습니다. 보류 중인 코인은 그대로 둡니다."),
        .init("campaignBudgetMet", "The budget is used up.", "예산을 모두 사용했습니다."),
        .init("campaignProgress", "Progress", "진행 상황"), .init("campaignListed", "Users on the list", "명단 사용자"),
        .init("campaignWaiting", "Users who wait", "대기 사용자"), .init("campaignUsers", "Users with coins", "지급한 사용자"),
        .init("campaignRefused", "Refused users", "지급하지 못한 사용자"), .init("campaignCosts", "Coins", "코인"),
        .init("campaignGiven", "Given", "지급"), .init("campaignUsed", "Used", "사용"),
        .init("campaignExpired", "Expired", "만료"), .init("campaignVoided", "Voided", "회수"),
        .init("campaignOpen", "Open", "남음"), .init("campaignToGive", "To be given", "지급 예정"),
        .init("campaignExpected", "Expected to be used", "사용 예상"),
        .init("campaign_waiting", "waits for approval", "승인 대기"), .init("campaign_active", "active", "진행 중"),
        .init("campaign_paused", "paused", "일시 중지"), .init("campaign_ended", "ended", "종료"),
        .init("campaign_voiding", "being voided", "회수 중"), .init("campaign_voided", "voided", "회수 완료"),
    ]
}
