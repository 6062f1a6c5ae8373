import Hummingbird
import Ledger
import LedgerServer
import WireFormats

// What fixing will do, and one difference with who works on it.
extension ReconciliationPages {
    /// How many differences a plan shows.
    private static let planned = 100

    /// What fixing will do with each difference that the gateway's records may settle.
    func plan(_ run: ReconciliationRun, _ visit: Visit) async throws -> [[String: Any]] {
        let kinds = ReconciliationKind.allCases.filter(\.isHealable)
        let found = try await ledger.reconciliations.listItems(of: run.id, kinds, limit: Self.planned).elements
        let contexts = try await ledger.reconciliations.contexts(of: found)
        return found.map { item in
            var row = Self.item(item, contexts[item.id], of: run.id, visit)
            row["will"] = Self.forecast(item, contexts[item.id], visit)
            return row
        }
    }

    /// What fixing will do with a difference, as far as the books tell before the gateway is asked again.
    private static func forecast(
        _ item: ReconciliationItem, _ context: DifferenceContext?, _ visit: Visit
    ) -> String {
        let (gateway, books) = (item.comparison.gateway, item.comparison.books)
        let currency = gateway?.currency ?? Currency.won.code
        switch item.comparison.kind {
        case .cancelledNotClawedBack:
            let cancelled = gateway?.cancelledAmount ?? 0
            let known =
                (books?.refundedAmount ?? 0) - (books?.transferredAmount ?? 0) + (books?.pendingRefundAmount ?? 0)
            return "\(visit.text("willTakeBack")): \(Show.money(max(0, cancelled - known), currency))"
        case .paidNotCredited:
            guard let user = context.flatMap({ $0.presenter ?? $0.orderer }) else { return visit.text("willLeave") }
            let left = (gateway?.amount ?? 0) - (gateway?.cancelledAmount ?? 0)
            return "\(visit.text("willCredit")): \(Show.money(left, currency)), \(user.rawValue)"
        default: return visit.text("willLeave")
        }
    }

    private func find(_ visit: Visit) async throws -> DifferenceActs.Found {
        try await desk.desks.differences.find(try visit.context.pathID("line"), of: try visit.context.pathID())
    }

    /// `GET /console/reconciliations/{id}/items/{line}`.
    func difference(_ visit: Visit) async throws -> Response {
        let found = try await find(visit)
        let (run, item) = (found.run, found.item)
        var values = Self.item(item, found.context, of: run, visit)
        values["run"] = String(run)
        values["search"] = SearchPage.address(of: item.comparison.payment.paymentID)
        values["acts"] = found.acts.map { act in
            [
                "act": visit.text("findingAct_\(act.kind.rawValue)"), "by": act.by, "whom": act.whom ?? "",
                "reason": act.reason ?? "", "time": visit.show(act.actedAt),
            ]
        }
        if visit.may(.keepBooks) {
            values["forms"] = [
                "once": RandomToken.make(), "onceNote": RandomToken.make(), "id": String(run), "line": String(item.id),
                "isMine": found.context?.owner == visit.person.name,
            ]
        }
        return await Layout.page(
            visit, title: item.comparison.payment.paymentID, isID: true, Self.differenceTemplate, values)
    }

    /// `POST …/take` and `…/leave`.
    ///
    /// As `POST /v1/reconciliations/{id}/items/{item}/assign`.
    func assign(_ visit: Visit) async throws -> Response {
        let takes = visit.request.uri.path.split(separator: "/").last == "take"
        return try await act(
            visit, takes ? .assign : .unassign, .assignDifference, whom: takes ? visit.person.name : nil)
    }

    /// `POST …/note`.
    ///
    /// As `POST /v1/reconciliations/{id}/items/{item}/notes`.
    func note(_ visit: Visit) async throws -> Response {
        try await act(visit, .note, .noteDifference, reason: try visit.form.text("reason"))
    }

    private func act(
        _ visit: Visit, _ kind: DifferenceAct.Kind, _ act: ConsoleAct, whom: String? = nil, reason: String? = nil
    ) async throws -> Response {
        let found = try await find(visit)
        let (run, item, payment) = (found.run, found.item, found.item.comparison.payment)
        _ = try await desk.perform(act, on: "payment:\(payment.paymentID)", visit, reason: reason ?? "") {
            try await desk.desks.differences.act(
                kind, on: item.id, of: run, by: $0.caller.rawValue, whom: whom, reason: reason)
        }
        return visit.redirect(to: "/console/reconciliations/\(run)/items/\(item.id)", notice: act.notice())
    }

    static let differenceTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.difference}}</dt><dd>{{kind}} {{outcome}}</dd></div>
        <div><dt>imp_uid</dt><dd><code class="id">{{impUID}}</code></dd></div>
        <div><dt>merchant_uid</dt><dd><code class="id">{{merchantUID}}</code></dd></div>
        <div><dt>{{t.atGateway}}</dt><dd>{{gateway}}</dd></div><div><dt>{{t.inBooks}}</dt><dd>{{books}}</dd></div>
        <div><dt>{{t.differenceOwner}}</dt><dd>{{owner}}</dd></div></dl>
        <p>{{#customer}}<a class="button" href="{{path}}">{{name}}</a> {{/customer}}
        {{#finding}}<a class="button" href="/console/findings/{{finding}}">{{t.findingTitle}} {{finding}}</a> {{/finding}}
        <a class="button" href="{{search}}">{{t.searchTitle}}: {{impUID}}</a></p>
        {{#forms}}{{^isMine}}<form class="act" method="post" action="\(ConsoleAct.assignDifference.action())">
        \(FormPart.hidden())<div><button class="first">{{t.differenceTake}}</button></div></form>{{/isMine}}
        {{#isMine}}<form class="act" method="post" action="\(ConsoleAct.assignDifference.action(1))">
        \(FormPart.hidden())<div><button>{{t.differenceLeave}}</button></div></form>{{/isMine}}
        <form class="act" method="post" action="\(ConsoleAct.noteDifference.action())">\(FormPart.hidden("onceNote"))
        \(FormPart.reason(label: "differenceNote"))
        <div><button>{{t.differenceAddNote}}</button></div></form>{{/forms}}
        {{^acts}}<p class="quiet">{{t.differenceUntouched}}</p>{{/acts}}
        <ul>{{#acts}}<li>{{time}} {{by}}: {{act}} {{whom}} {{reason}}</li>
        {{/acts}}</ul>
        <p><a href="/console/reconciliations/{{run}}">{{t.back}}</a></p>
        """)

    static let differenceTexts: [ConsoleText] = [
        .init("differenceOwner", "Person in charge", "담당자"), .init("differenceTake", "Take it", "내가 맡기"),
        .init("differenceLeave", "Give it back", "담당 해제"), .init("differenceNote", "Note", "메모"),
        .init("differenceAddNote", "Keep the note", "메모 저장"),
        .init("differenceUntouched", "Nobody has taken or noted anything yet.", "아직 담당자나 메모가 없습니다."),
        .init("healPlan", "What will be done, if the gateway still says so", "PG사 기록이 그대로이면 처리될 내용"),
        .init("willTakeBack", "coins of this amount are taken back", "이 금액의 코인 회수"),
        .init("willCredit", "is credited", "적립"),
        .init("willLeave", "stays for a person: nobody presented or ordered it", "제출하거나 주문한 고객이 없어 담당자가 결정"),
        .init("differenceCustomer", "Customer", "고객"),
    ]
}
