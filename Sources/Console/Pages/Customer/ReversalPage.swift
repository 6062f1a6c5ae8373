import Hummingbird
import Ledger
import LedgerServer

/// Takes back a spend or a capture, whole or in part.
struct ReversalPage: CustomerAct {
    let ledger: Ledger
    let desk: ApprovalDesk

    private func redemption(_ visit: Visit) async throws -> Redemption {
        let user = try visit.context.requireUserInPath()
        guard let redemption = try await ledger.redemptions.find(try visit.context.pathID()), redemption.user == user
        else { throw Problem(Refusal.noSuchRedemption) }
        return redemption
    }

    /// `GET /console/customers/{user}/reverse/{id}`: what is left of the spend or capture with this journal entry, and how
    /// many coins of it have a place.
    func page(_ visit: Visit) async throws -> Response {
        let redemption = try await redemption(visit)
        let proposals = try await ledger.approvals.list(about: "entry:\(redemption.id)")
        let fitting = try await ledger.redemptions.fitting(of: redemption)
        let voided = redemption.coins(of: try await ledger.lots.voided(of: redemption), amongReturned: fitting)
        return await Layout.page(
            visit, title: "\(visit.text(Self.title)): \(redemption.user.rawValue)", Self.template,
            [
                "path": visit.request.uri.path, "back": CustomerPath.page(of: redemption.user),
                "once": RandomToken.make(), "entry": String(redemption.id), "left": Show.number(redemption.coins),
                "fitting": Show.number(fitting), "coins": String(fitting),
                "provider": redemption.provider?.rawValue ?? "", "proposals": ProposalPart.section(proposals, visit),
                "isPossible": fitting > 0, "isDone": redemption.coins == 0, "lacksPlace": fitting < redemption.coins,
                "limit": Show.number(desk.limits.grant), "voided": voided > 0 ? Show.number(voided) : "",
            ])
    }

    /// `POST /console/customers/{user}/reverse/{id}`; if more comes back in all than one person can grant, it needs a
    /// second person.
    func perform(_ visit: Visit) async throws -> Response {
        let redemption = try await redemption(visit)
        let coins = try visit.form.requireCoins()
        let fitting = try await ledger.redemptions.fitting(of: redemption)
        let needsApproval = desk.needsSecondPerson(coins, of: redemption)
        if needsApproval, try await !desk.hasPerformed(visit) {
            try Self.require(coins, of: redemption, fitting: fitting)
        }
        return try await desk.perform(
            ReversalOrder(redemption: redemption.id, coins: coins), of: redemption.user, visit,
            seen: try await desk.seen(of: redemption, fitting: fitting), needsApproval: needsApproval)
    }

    /// Refuses what the act would refuse: a second person could not approve it.
    private static func require(_ coins: Coins, of redemption: Redemption, fitting: Int64) throws(Problem) {
        guard redemption.coins > 0 else { throw Problem(Refusal.alreadyReversed) }
        guard coins.count <= redemption.coins else {
            throw Problem(Refusal.exceedsRedemption(required: coins.count, available: redemption.coins))
        }
        guard coins.count <= fitting else {
            throw Problem(Refusal.noPlaceForCoins(required: coins.count, available: fitting))
        }
    }

    static let template = ConsoleTemplate(
        """
        <p>{{t.reverseHelp}}</p>
        \(ProposalPart.template)
        <dl class="facts"><div><dt>{{t.reverseEntry}}</dt><dd>{{entry}}</dd></div>
        <div><dt>{{t.reverseLeft}}</dt><dd>{{left}}</dd></div>
        <div><dt>{{t.reverseFitting}}</dt><dd>{{fitting}}</dd></div>
        {{#voided}}<div><dt>{{t.reverseVoided}}</dt><dd>{{voided}}</dd></div>{{/voided}}
        {{#provider}}<div><dt>{{t.reverseProvider}}</dt><dd>{{provider}}</dd></div>{{/provider}}
        <div><dt>{{t.aloneUpTo}}</dt><dd>{{limit}}</dd></div></dl>
        {{#lacksPlace}}<p class="warning" role="status">{{t.reverseLacksPlace}}</p>{{/lacksPlace}}
        {{#isPossible}}<form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        <div class="field"><label for="coins">{{t.coins}}</label>
        <input id="coins" name="coins" required inputmode="numeric" value="{{coins}}" autocomplete="off"></div>
        \(FormPart.reason())
        <div><button class="first">{{t.reverseTitle}}</button> <a class="button" href="{{back}}">{{t.back}}</a></div>
        </form>{{/isPossible}}
        {{#isDone}}<p class="problem" role="alert">{{t.reverseDone}}</p>{{/isDone}}
        {{^isPossible}}<p><a class="button" href="{{back}}">{{t.back}}</a></p>{{/isPossible}}
        """)

    static let texts: [ConsoleText] = [
        .init("reverseTitle", "Take back", "사용 취소"),
        .init(
            "reverseHelp", "The coins go back to the customer, into the lots that they came from.",
            "코인을 원래 적립 건으로 고객에게 돌려줍니다."),
        .init("reverseEntry", "Entry", "전표"), .init("reverseLeft", "Coins that did not come back", "아직 돌려주지 않은 코인"),
        .init("reverseFitting", "Of them with a place in their lots", "그중 적립 건에 자리가 있는 코인"),
        .init(
            "reverseLacksPlace",
            "Not all have a place: coins of a dispute that was won came back into their lots. The others can come back when coins of these lots are used again.",
            "일부 코인은 적립 건에 자리가 없습니다. 승소한 분쟁의 코인이 먼저 돌아왔기 때문입니다. 나머지는 그 적립 건의 코인이 다시 쓰인 뒤에 돌려줄 수 있습니다."),
        .init("reverseVoided", "Of them of voided grants, and voided at once", "그중 지급이 취소되어 바로 취소되는 코인"),
        .init("reverseProvider", "Provider who loses the coins", "코인을 잃는 파트너"),
        .init("reverseDone", "All coins came back already.", "이미 모두 돌려주었습니다."),
    ]

    static let title = "reverseTitle"
    static let act = ConsoleAct(
        .reverse, "customers/{user}/reverse/{id}", right: .reverse, .init("take back", "사용 취소"),
        done: .init("The coins came back.", "코인을 돌려주었습니다."), fields: [.own("coins"), .reason], isLimited: true)

    static let proposal = ProposalDescriber(
        ReversalOrder.self, title: .init("Taking back of a spend", "사용 취소"),
        button: .init("take back", "사용 취소"),
        asked: [
            ProposalField("entry", "Entry of the spend", "사용 전표", .id),
            ProposalField("coins", "Coins to give back", "돌려줄 코인"),
        ],
        seen: [
            ProposalField("left", "Coins of the spend that did not come back", "이 사용에서 아직 돌려주지 않은 코인"),
            ProposalField("fitting", "Of them with a place in their lots", "그중 적립 건에 자리가 있는 코인"),
            ProposalField("returned_before", "Coins of it that came back before", "이미 돌려준 코인"),
        ],
        made: [.entry, ProposalField("coins", "Coins that came back", "돌려준 코인")]
    ) { try await $0.reversal($1) }

    static func id(of object: CustomerObject) -> Int64? {
        guard case .entry(let entry) = object, ["spend", "capture"].contains(entry.kind) else { return nil }
        return entry.journalEntryID
    }
}

extension ProposalObject {
    fileprivate func reversal(_ order: ReversalOrder) async throws -> [String: Any] {
        guard let balance = try await balance(),
            let redemption = try await ledger.redemptions.find(order.redemption)
        else { return [:] }
        let fitting = try await ledger.redemptions.fitting(of: redemption)
        let facts = [
            fact("reverseEntry", String(redemption.id), isID: true),
            fact("spentCoins", Show.coins(redemption.coins + redemption.returned, visit.language)),
            fact("reverseLeft", Show.coins(redemption.coins, visit.language)),
            fact("reverseFitting", Show.coins(fitting, visit.language)),
            fact("reverseProvider", redemption.provider?.rawValue ?? visit.text("none")),
        ]
        let voided = redemption.coins(
            of: try await ledger.lots.voided(of: redemption), amongReturned: order.coins.count)
        let back = order.coins.count - voided
        let paysDebt = min(balance.debt, back)
        return [
            "card": card("reverseEntry", facts),
            "lacksPlace": approval.isOpen && order.coins.count > fitting && fitting < redemption.coins,
            "balance": approval.isOpen
                ? table([
                    line("available", balance.paid + balance.bonus, back - paysDebt),
                    line("debt", balance.debt, -paysDebt),
                ]) : [],
        ]
    }
}
