import Hummingbird
import Ledger
import LedgerServer

/// Takes back coins of a grant that was a mistake, whole or in part.
struct GrantVoidPage: CustomerAct {
    let ledger: Ledger
    let desk: ApprovalDesk

    private func grant(_ visit: Visit) async throws -> VoidableGrant {
        let user = try visit.context.requireUserInPath()
        return try await desk.desks.grants.find(try visit.context.pathID(), of: user)
    }

    /// `GET /console/customers/{user}/void-grant/{id}`: what voiding the grant with this journal entry would take;
    /// `?coins=` for a part.
    func page(_ visit: Visit) async throws -> Response {
        try await page(visit, try await grant(visit), part: try visit.chosenCoins(), isChanged: false)
    }

    /// - Parameter part: the coins to void; nil: all that can be.
    private func page(
        _ visit: Visit, _ grant: VoidableGrant, part: Coins?, isChanged: Bool
    ) async throws -> Response {
        let lot = grant.lot
        let coins = part?.count ?? grant.available
        let refusal = grant.refusal(of: coins)
        var values: [String: Any] = [
            "path": visit.request.uri.path, "back": CustomerPath.page(of: lot.user), "once": RandomToken.make(),
            "entry": String(lot.journalEntryID), "issuer": lot.issuer ?? "", "granted": Show.number(lot.coins),
            "before": Show.number(grant.voided), "available": Show.number(grant.available),
            "held": Show.number(lot.held), "limit": Show.number(desk.limits.grant), "isChanged": isChanged,
            "coins": Show.number(coins), "coinsValue": String(coins), "availableValue": String(grant.available),
            "extent": part == nil ? Extent.all.rawValue : Extent.part.rawValue, "isPart": part != nil,
            "isPossible": refusal == nil, "left": Show.number(max(0, grant.available - coins)),
            "needsSecond": desk.needsSecondPerson(coins, of: grant),
            "propose": visit.text("proposalRequest_\(AuditAct.voidGrant.rawValue)"),
        ]
        values["proposals"] = ProposalPart.section(
            try await ledger.approvals.list(about: "entry:\(lot.journalEntryID)"), visit)
        if let refusal { values["refusal"] = ConsoleRefusal.text(Problem(refusal), visit.language) }
        return await Layout.page(
            visit, title: "\(visit.text(Self.title)): \(lot.user.rawValue)", status: isChanged ? .conflict : .ok,
            Self.template, values)
    }

    /// Whether all that can be voided was chosen, and what comes back later; or so many coins.
    private enum Extent: String { case all, part }

    /// `POST /console/customers/{user}/void-grant/{id}`: only of what the page showed; if more of the grant is voided in all
    /// than one person can grant, it needs a second person.
    func perform(_ visit: Visit) async throws -> Response {
        let grant = try await grant(visit)
        let coins = try visit.form.requireCoins()
        guard let extent = Extent(rawValue: try visit.form.text("extent")) else {
            throw Problem.invalid(member: "extent", "the form is not the console's own; open the page again")
        }
        _ = try visit.form.text("reason")
        let part = extent == .part ? coins : nil
        if try await !desk.hasPerformed(visit) {
            guard visit.form["available"] == String(grant.available), part != nil || coins.count == grant.available
            else { return try await page(visit, grant, part: part, isChanged: true) }
            if let refusal = grant.refusal(of: coins.count) { throw Problem(refusal) }
        }
        do {
            return try await desk.perform(
                GrantVoidOrder(grant: grant.lot.journalEntryID, coins: coins, isWhole: part == nil),
                of: grant.lot.user, visit, seen: try await desk.seen(of: grant),
                needsApproval: desk.needsSecondPerson(coins.count, of: grant))
        } catch let problem as Problem where problem.code == .changedMeanwhile || problem.code == .exceedsOwnLimit {
            // The customer used some of the coins, or others voided them.
            return try await page(visit, try await self.grant(visit), part: part, isChanged: true)
        }
    }

    static let template = ConsoleTemplate(
        """
        {{#isChanged}}<p class="warning" role="alert">{{t.voidGrantChanged}}</p>{{/isChanged}}
        {{#refusal}}<p class="problem" role="alert">{{refusal}}</p>{{/refusal}}
        <p>{{t.voidGrantHelp}}</p>
        <dl class="facts"><div><dt>{{t.voidGrantEntry}}</dt><dd><code class="id">{{entry}}</code></dd></div>
        <div><dt>{{t.source}}</dt><dd>{{issuer}}</dd></div>
        <div><dt>{{t.voidGrantGiven}}</dt><dd>{{granted}}</dd></div>
        <div><dt>{{t.voidGrantBefore}}</dt><dd>{{before}}</dd></div>
        <div><dt>{{t.voidGrantAvailable}}</dt><dd>{{available}}</dd></div>
        <div><dt>{{t.voidGrantHeld}}</dt><dd>{{held}}</dd></div>
        <div><dt>{{t.aloneUpTo}}</dt><dd>{{limit}}</dd></div></dl>
        \(ProposalPart.template)
        <form class="line" method="get" action="{{path}}"><div class="field"><label for="part">{{t.voidGrantCoins}}</label>
        <input id="part" name="coins" required inputmode="numeric" value="{{coinsValue}}" autocomplete="off"></div>
        <button>{{t.refundPreview}}</button>
        {{#isPart}}<a class="button" href="{{path}}">{{t.voidGrantAll}}</a>{{/isPart}}</form>
        {{#isPossible}}<h2>{{t.takeBackResult}}</h2>
        <dl class="facts"><div><dt>{{t.voidGrantCoins}}</dt><dd>{{coins}}</dd></div>
        <div><dt>{{t.voidGrantLeft}}</dt><dd>{{left}}</dd></div></dl>
        <p>{{#isPart}}{{t.voidGrantOfPart}}{{/isPart}}{{^isPart}}{{t.voidGrantOfAll}}{{/isPart}}</p>
        {{#needsSecond}}<p class="warning">{{t.needsSecond}}</p>{{/needsSecond}}
        <form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        <input type="hidden" name="coins" value="{{coinsValue}}"><input type="hidden" name="extent" value="{{extent}}">
        <input type="hidden" name="available" value="{{availableValue}}">
        \(FormPart.reason())
        <div><button class="first">{{#needsSecond}}{{propose}}{{/needsSecond}}\
        {{^needsSecond}}{{t.voidGrantTitle}}{{/needsSecond}} {{coins}}</button>
        <a class="button" href="{{back}}">{{t.back}}</a></div></form>{{/isPossible}}
        {{^isPossible}}<p><a class="button" href="{{back}}">{{t.back}}</a></p>{{/isPossible}}
        """)

    static let texts: [ConsoleText] = [
        .init("voidGrantTitle", "Void the grant", "지급 취소"),
        .init(
            "voidGrantHelp",
            "For coins that were granted by mistake. Only coins in the wallet are taken: those on hold can be voided when their hold has ended.",
            "잘못 지급한 코인을 취소합니다. 지갑에 있는 코인만 취소하며, 보류 중인 코인은 보류가 끝난 뒤 취소할 수 있습니다."),
        .init("voidGrantEntry", "Entry of the grant", "지급 전표"), .init("voidGrantGiven", "Coins granted", "지급한 코인"),
        .init("voidGrantBefore", "Voided before", "이미 취소한 코인"),
        .init("voidGrantAvailable", "Can be voided", "취소할 수 있는 코인"), .init("voidGrantHeld", "On hold", "보류 중인 코인"),
        .init("voidGrantCoins", "Coins to void", "취소할 코인"), .init("voidGrantAll", "All of them", "전부"),
        .init("voidGrantLeft", "Of the grant stay in the wallet", "지갑에 남는 이 지급의 코인"),
        .init(
            "voidGrantOfAll", "If a spend of its coins is taken back later, they are voided at once.",
            "이 코인의 사용을 나중에 취소하면 돌아온 코인도 바로 취소됩니다."),
        .init(
            "voidGrantOfPart", "Only these. If a spend of its coins is taken back later, they stay with the customer.",
            "이 코인만 취소합니다. 나중에 사용을 취소하여 돌아온 코인은 고객에게 남습니다."),
        .init(
            "voidGrantChanged",
            "Coins of the grant were used, held, returned or voided meanwhile. Check the new numbers.",
            "그사이 이 지급의 코인이 사용, 보류, 반환 또는 취소되었습니다. 새 숫자를 확인하세요."),
    ]

    static let title = "voidGrantTitle"
    static let act = ConsoleAct(
        .voidGrant, "customers/{user}/void-grant/{id}", right: .grant, .init("void of a grant", "코인 지급 취소"),
        done: .init("The coins are voided.", "코인 지급을 취소했습니다."),
        fields: [.own("coins"), .own("extent"), .own("available"), .own("reason")], isLimited: true)

    static let proposal = ProposalDescriber(
        GrantVoidOrder.self, title: .init("Void of a grant", "코인 지급 취소"),
        button: .init("void", "지급 취소"),
        asked: [
            ProposalField("grant", "Entry of the grant", "지급 전표", .id),
            ProposalField("coins", "Coins to void", "취소할 코인"),
            ProposalField("whole", "Also what comes back later", "나중에 돌아오는 코인도 취소", .flag),
        ],
        seen: [
            ProposalField("available", "Coins of the grant that can be voided", "이 지급에서 취소할 수 있는 코인"),
            ProposalField("grant_held", "Coins of the grant on hold", "이 지급에서 보류 중인 코인"),
            ProposalField("granted", "Coins granted", "지급한 코인"),
            ProposalField("voided_before", "Coins of it that were voided before", "이미 취소한 코인"),
        ],
        made: [
            .entry, ProposalField("coins", "Coins voided", "취소한 코인"),
            ProposalField("left", "Coins of the grant that stay in the wallet", "지갑에 남은 이 지급의 코인"),
            ProposalField("grant_held", "Coins of the grant on hold", "이 지급에서 보류 중인 코인"),
        ]
    ) { try await $0.grantVoid($1) }

    static func id(of object: CustomerObject) -> Int64? {
        switch object {
        case .lot(let lot) where lot.purchaseID == nil && lot.originID == nil: lot.journalEntryID
        case .entry(let entry) where entry.kind == EntryKind.grant.rawValue: entry.journalEntryID
        default: nil
        }
    }
}

extension ProposalObject {
    fileprivate func grantVoid(_ order: GrantVoidOrder) async throws -> [String: Any] {
        guard let balance = try await balance(), let grant = try await ledger.lots.voidable(order.grant) else {
            return [:]
        }
        let facts = [
            fact("voidGrantEntry", String(grant.lot.journalEntryID), isID: true),
            fact("voidGrantGiven", Show.coins(grant.lot.coins, visit.language)),
            fact("voidGrantBefore", Show.coins(grant.voided, visit.language)),
            fact("voidGrantAvailable", Show.coins(grant.available, visit.language)),
            fact("voidGrantHeld", Show.coins(grant.lot.held, visit.language)),
            fact("source", grant.lot.issuer ?? visit.text("none")),
        ]
        return [
            "card": card("voidGrantEntry", facts),
            "balance": after(balance, bonus: -order.coins.count),
        ]
    }
}
