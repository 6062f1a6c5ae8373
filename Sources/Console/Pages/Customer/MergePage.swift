import Hummingbird
import Ledger
import LedgerServer

/// Makes two accounts of one person one, or gives a customer another id.
struct MergePage: CustomerAct {
    let ledger: Ledger
    let desk: ApprovalDesk

    /// `GET /console/customers/{user}/merge`: what merging the customer would move; `?into=` names the other one, and `?new=yes`
    /// says that the id is new.
    func page(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireOwnerInPath("user")
        let into = visit.query("into").flatMap(UserID.init(rawValue:))
        let balance = try await ledger.balances.find(of: user)
        var values: [String: Any] = [
            "path": visit.request.uri.path, "back": CustomerPath.page(of: user), "once": RandomToken.make(),
            "user": user.rawValue, "into": into?.rawValue ?? "", "isNew": visit.query("new") == "yes",
            "limit": Show.number(desk.limits.grant),
            "propose": visit.text("proposalRequest_\(AuditAct.mergeUser.rawValue)"),
            "total": Show.number(balance.total), "debt": Show.number(balance.debt),
        ]
        if let into {
            let other = try await ledger.balances.find(of: into)
            values["needsSecond"] = desk.needsSecondPerson(merging: balance, other)
            values["chosen"] = ["otherTotal": Show.number(other.total), "otherDebt": Show.number(other.debt)]
        }
        values["proposals"] = ProposalPart.section(
            try await ledger.approvals.list(about: "user:\(user.rawValue)"), visit)
        return await Layout.page(
            visit, title: "\(visit.text(Self.title)): \(user.rawValue)", Self.template, values)
    }

    /// `POST /console/customers/{user}/merge`: two with more coins than one person can grant need a second person.
    func perform(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireOwnerInPath("user")
        guard let into = UserID(rawValue: try visit.form.text("into")) else {
            throw Problem.invalid(member: "into", "into must be \(UserID.rule)")
        }
        _ = try visit.form.text("reason")
        let balance = try await ledger.balances.find(of: user)
        let other = try await ledger.balances.find(of: into)
        return try await desk.perform(
            MergeOrder(user, into: into, isNewUser: visit.form["new"] == "yes"), of: user, visit,
            seen: try await desk.seen(of: user), needsApproval: desk.needsSecondPerson(merging: balance, other))
    }

    static let template = ConsoleTemplate(
        """
        <p>{{t.mergeHelp}}</p>
        <dl class="facts"><div><dt>{{t.mergeCoins}}</dt><dd>{{total}}</dd></div>
        <div><dt>{{t.debt}}</dt><dd>{{debt}}</dd></div>
        <div><dt>{{t.aloneUpTo}}</dt><dd>{{limit}}</dd></div></dl>
        \(ProposalPart.template)
        <form class="line" method="get" action="{{path}}"><div class="field"><label for="into">{{t.mergeInto}}</label>
        <input id="into" name="into" required maxlength="128" value="{{into}}" autocomplete="off"></div>
        <div class="field"><label><input type="checkbox" name="new" value="yes"{{#isNew}} checked{{/isNew}}> {{t.mergeNew}}</label></div>
        <button>{{t.refundPreview}}</button></form>
        {{#chosen}}<h2>{{t.takeBackResult}}</h2>
        <dl class="facts"><div><dt>{{t.mergeInto}}</dt><dd><code class="id">{{into}}</code></dd></div>
        <div><dt>{{t.mergeOtherCoins}}</dt><dd>{{otherTotal}}</dd></div>
        <div><dt>{{t.mergeOtherDebt}}</dt><dd>{{otherDebt}}</dd></div></dl>
        <p class="warning">{{t.mergeForEver}}</p>
        {{#needsSecond}}<p class="warning">{{t.needsSecond}}</p>{{/needsSecond}}
        <form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        <input type="hidden" name="into" value="{{into}}"><input type="hidden" name="new" value="{{#isNew}}yes{{/isNew}}">
        \(FormPart.reason())
        <div><button class="first">{{#needsSecond}}{{propose}}{{/needsSecond}}\
        {{^needsSecond}}{{t.mergeTitle}}{{/needsSecond}}</button>
        <a class="button" href="{{back}}">{{t.back}}</a></div></form>{{/chosen}}
        {{^chosen}}<p><a class="button" href="{{back}}">{{t.back}}</a></p>{{/chosen}}
        """)

    static let texts: [ConsoleText] = [
        .init("mergeTitle", "Merge or rename", "계정 통합·아이디 변경"),
        .init(
            "mergeHelp",
            "Two accounts of one person become one: all that this customer has becomes the other's. With a new id, this customer is renamed.",
            "한 사람의 두 계정을 하나로 합칩니다. 이 고객의 모든 것이 다른 고객의 것이 됩니다. 새 아이디를 넣으면 이 고객의 아이디가 바뀝니다."),
        .init("mergeCoins", "Coins that move", "옮길 코인"), .init("mergeInto", "Id of the other one", "통합할 고객 아이디"),
        .init("mergeNew", "This id is new", "새 아이디입니다"),
        .init("mergeOtherCoins", "Coins of the other one", "통합할 고객의 코인"),
        .init("mergeOtherDebt", "Owed by the other one", "통합할 고객의 미회수 코인"),
        .init(
            "mergeForEver", "There is no way back. This customer's id refers to the other one from then on.",
            "되돌릴 수 없습니다. 이후 이 고객의 아이디는 다른 고객을 가리킵니다."),
    ]

    static let title = "mergeTitle"
    static let act = ConsoleAct(
        .mergeUser, "customers/{user}/merge", right: .reverse, .init("merge of customers", "고객 통합"),
        done: .init("The customers are one.", "고객을 통합했습니다."),
        fields: [.own("into"), .own("new"), .own("reason")], isLimited: true)

    static let proposal = ProposalDescriber(
        MergeOrder.self, title: .init("Merge of customers", "고객 통합"), button: .init("merge", "고객 통합"),
        asked: [
            ProposalField("former", "Id that is given up", "없어지는 고객 아이디", .text),
            ProposalField("into", "Id of the other one", "통합할 고객 아이디", .text),
            ProposalField("new_user", "This id is new", "새 아이디", .flag),
        ],
        made: [
            .entry, ProposalField("coins", "Coins that moved", "옮긴 코인"),
            ProposalField("debt_moved", "Owed coins that moved", "옮긴 미회수 코인"),
        ]
    ) { proposal, order in
        let balance = try await proposal.ledger.balances.find(of: order.former)
        let other = try await proposal.ledger.balances.find(of: order.into)
        let language = proposal.visit.language
        return [
            "card": proposal.card(
                "mergeTitle",
                [
                    proposal.fact("mergeCoins", Show.coins(balance.total, language)),
                    proposal.fact("mergeInto", order.into.rawValue, isID: true),
                    proposal.fact("mergeOtherCoins", Show.coins(other.total, language)),
                    proposal.fact("mergeOtherDebt", Show.coins(other.debt, language)),
                ])
        ]
    }

    /// It is about the customer, and led to from the top of the customer's page.
    static func id(of _: CustomerObject) -> Int64? { nil }
}
