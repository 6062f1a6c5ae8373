import Hummingbird
import Ledger
import LedgerServer
import LedgerWire
import WireFormats

/// What stores ask about refunds of a customer's purchases: a part of the customer's page, with a form that overrules the rule.
struct RefundQuestionPages: Sendable {
    let desk: ApprovalDesk

    private var acts: RefundQuestionActs { desk.desks.refundQuestions }

    func addRoutes(to routes: inout ConsoleRoutes) { routes.act(.overruleRefundQuestion, overrule) }

    /// `POST /console/customers/{user}/refund-questions/{id}`, as `POST /v1/refund-questions/{id}/overrule`.
    private func overrule(_ visit: Visit) async throws -> Response {
        let user = try visit.context.requireUserInPath()
        let (purchase, question) = try await acts.find(try visit.context.pathID())
        guard purchase.user == user else { throw Problem(.notFound) }
        let reason = try visit.form.text("reason")
        guard let preference = visit.form["preference"].flatMap(RefundPreference.init(rawValue:)) else {
            let names = RefundPreference.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid(member: "preference", "preference must be one of \(names)")
        }
        _ = try await desk.perform(
            .overruleRefundQuestion, on: "refund_question:\(question.id)", visit, user: user,
            reason: "\(preference.rawValue): \(reason)",
            seen: ["preference": question.preference.map { JSON.string($0) } ?? .null]
        ) { _ in
            try await acts.overrule(question.id, to: preference, because: reason, by: visit.person.subject)
        }
        return visit.redirect(to: CustomerPath.page(of: user), notice: ConsoleAct.overruleRefundQuestion.notice())
    }

    /// The rows of the customer's page: all questions about the purchases that it shows.
    static func rows(
        _ asked: [(purchase: Purchase, questions: PurchaseRefundQuestionsBody)], _ visit: Visit
    ) -> [[String: Any]] {
        asked.flatMap { purchase, questions in
            questions.refundQuestions.map { question in row(question, of: purchase, questions, visit) }
        }
    }

    private static func row(
        _ question: RefundQuestionBody, of purchase: Purchase, _ coins: PurchaseRefundQuestionsBody, _ visit: Visit
    ) -> [String: Any] {
        let waits = question.status == RefundQuestion.Status.waiting.rawValue
        var row: [String: Any] = [
            "purchase": String(purchase.id), "product": purchase.product, "id": String(question.id),
            "gateway": question.gateway, "why": question.storeReason ?? "",
            "status": visit.text("refundQuestion_\(question.status)"),
            "tone": waits ? "wait" : tone(of: question.status),
            "used": "\(Show.number(coins.usedCoins)) / \(Show.number(coins.coins))",
            "unused": Show.number(coins.unusedCoins),
            "isWithoutConsent": question.reason == RefundQuestion.noConsent,
        ]
        row["asked"] = visit.time(question.askedAt)
        row["deadline"] = visit.time(question.deadline)
        row["answers"] = visit.time(question.answersAt)
        row["answer"] = question.preference.map { visit.text("refundPreference_\($0)") }
        row["percentage"] = question.percentage.map { percent($0) }
        row["overruled"] = question.overruledBy.map { ["by": $0, "reason": question.overruledBecause ?? ""] }
        row["outcome"] = question.outcome.map { visit.text("refundOutcome_\($0)") }
        if waits, visit.may(.refund) {
            let path = CustomerPath.page(of: purchase.user)
            row["form"] =
                [
                    "action": "\(path)/refund-questions/\(question.id)", "once": RandomToken.make(),
                    "choices": RefundPreference.allCases.map {
                        ["value": $0.rawValue, "text": visit.text("refundPreference_\($0.rawValue)")]
                    },
                ] as [String: Any]
        }
        return row
    }

    private static func tone(of status: String) -> String {
        switch status {
        case RefundQuestion.Status.answered.rawValue: "good"
        case RefundQuestion.Status.unanswered.rawValue: "bad"
        default: "wait"
        }
    }

    /// Thousandths of a percent, such as 33.333 %.
    static func percent(_ thousandths: Int64) -> String {
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return "\(whole) %" }
        var digits = String(1000 + rest).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(whole).\(digits) %"
    }
}

extension RefundQuestionPages {
    /// The part of the customer's page, where the context has `questions`.
    static let template = """
        {{#questions}}<h2>{{t.refundQuestionsTitle}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.purchase}}</th><th scope="col">{{t.refundQuestionAsked}}</th>
        <th scope="col">{{t.refundQuestionDeadline}}</th><th scope="col" class="number">{{t.refundQuestionUsed}}</th>
        <th scope="col">{{t.refundQuestionAnswer}}</th><th scope="col">{{t.status}}</th></tr></thead><tbody>
        {{#rows}}<tr id="refund-question-{{id}}"><th scope="row">{{product}} <code class="id">{{purchase}}</code><br>\
        <span class="quiet">{{gateway}}</span></th>
        <td>{{#asked}}<time datetime="{{value}}">{{text}}</time>{{/asked}}<br><span class="quiet">{{why}}</span></td>
        <td>{{#deadline}}<time datetime="{{value}}">{{text}}</time>{{/deadline}}</td>
        <td class="number">{{used}}<br><span class="quiet">{{t.refundQuestionUnused}} {{unused}}</span></td>
        <td>{{answer}}{{#percentage}} <span class="quiet">{{percentage}}</span>{{/percentage}}\
        {{#isWithoutConsent}}{{t.refundQuestionNoConsent}}{{/isWithoutConsent}}\
        {{#answers}}<br><span class="quiet"><time datetime="{{value}}">{{text}}</time></span>{{/answers}}\
        {{#overruled}}<br><span class="quiet">{{by}}: {{reason}}</span>{{/overruled}}
        {{#form}}<details><summary>{{t.refundQuestionOverrule}} {{id}}</summary>
        <form class="act" method="post" action="{{action}}">\(FormPart.hidden())
        \(FormPart.reason("question-reason-{{id}}"))
        <div>{{#choices}}<button name="preference" value="{{value}}">{{text}}</button> {{/choices}}</div></form></details>{{/form}}</td>
        <td><span class="status {{tone}}">{{status}}</span>{{#outcome}}<br>{{outcome}}{{/outcome}}</td></tr>
        {{/rows}}</tbody></table>{{/questions}}
        """

    static let texts: [ConsoleText] = [
        .init("refundQuestionsTitle", "A store asks about a refund", "스토어 환불 문의"),
        .init("refundQuestionAsked", "Asked", "문의 시각"), .init("refundQuestionDeadline", "Answer until", "응답 기한"),
        .init("refundQuestionUsed", "Used", "사용"), .init("refundQuestionUnused", "unused:", "미사용:"),
        .init("refundQuestionAnswer", "Answer", "응답"),
        .init("refundQuestionNoConsent", "no consent: nothing is sent", "동의 없음: 전송하지 않음"),
        .init("refundQuestionOverrule", "Choose another answer", "다른 응답 선택"),
        .init("refundQuestion_waiting", "to be answered", "응답 대기"), .init("refundQuestion_answered", "answered", "응답함"),
        .init("refundQuestion_unconsented", "no consent", "동의 없음"),
        .init("refundQuestion_unanswered", "not answered in time", "기한 내 미응답"),
        .init("refundQuestion_ended", "decided before", "응답 전 결정됨"),
        .init("refundPreference_grant_full", "refund all", "전액 환불"),
        .init("refundPreference_grant_prorated", "refund the unused part", "미사용분 환불"),
        .init("refundPreference_decline", "refund nothing", "환불 거절"),
        .init("refundOutcome_refunded", "the store refunded", "스토어가 환불함"),
        .init("refundOutcome_declined", "the store declined", "스토어가 거절함"),
    ]
}
