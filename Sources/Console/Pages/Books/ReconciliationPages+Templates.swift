extension ReconciliationPages {
    static let listTemplate = ConsoleTemplate(
        """
        {{#mayStart}}<form class="line" method="post" action="\(ConsoleAct.reconcile.action())">
        \(FormPart.hidden())
        <div class="field"><label for="from">{{t.from}}</label><input id="from" name="from" type="date" required></div>
        <div class="field"><label for="last">{{t.lastDay}}</label><input id="last" name="last" type="date" required></div>
        <button class="first">{{t.reconcile}}</button></form>
        <p class="quiet">{{t.reconcileHelp}}</p>{{/mayStart}}
        {{^section}}\(FormPart.empty("reconciliationsNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.reconciliation}}</th><th scope="col">{{t.status}}</th>
        <th scope="col">{{t.from}}</th><th scope="col">{{t.to}}</th><th scope="col" class="number">{{t.payments}}</th>
        <th scope="col" class="number">{{t.differences}}</th><th scope="col" class="number">{{t.healed}}</th>
        <th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/reconciliations/{{id}}">{{t.reconciliation}} {{id}}</a></th>
        <td><span class="status {{tone}}">{{status}}</span> {{failure}}</td><td>{{from}}</td><td>{{to}}</td>
        <td class="number">{{payments}}</td><td class="number">{{differences}}</td><td class="number">{{healed}}</td>
        <td>{{started}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <p><span class="status {{tone}}">{{status}}</span> {{from}} – {{to}} {{failure}}</p>
        <h2>{{t.differencesByKind}}</h2>
        <table><tbody>{{#kinds}}<tr><th scope="row"><a href="{{path}}">{{text}}</a></th><td class="number">{{count}}</td></tr>
        {{/kinds}}</tbody></table>
        {{#heal}}<form class="act" method="post" action="\(ConsoleAct.reconcile.action())">
        <h2>{{t.healTitle}}</h2><p>{{t.healHelp}} {{healable}}</p>
        <table class="stacked"><caption>{{t.healPlan}}</caption><thead><tr><th scope="col">imp_uid</th>
        <th scope="col">{{t.difference}}</th><th scope="col">{{t.outcome}}</th></tr></thead><tbody>
        {{#plan}}<tr><th scope="row"><a href="{{path}}"><code class="id">{{impUID}}</code></a></th><td>{{kind}}</td>
        <td>{{will}}</td></tr>
        {{/plan}}</tbody></table>
        \(FormPart.hidden())
        <input type="hidden" name="from" value="{{fromValue}}"><input type="hidden" name="to" value="{{toValue}}">
        <input type="hidden" name="heal" value="yes"><div><button class="first">{{t.heal}}</button></div></form>{{/heal}}
        <h2>{{t.sideBySide}}</h2>
        {{^section}}\(FormPart.empty("differencesNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">imp_uid</th><th scope="col">merchant_uid</th>
        <th scope="col">{{t.difference}}</th><th scope="col">{{t.atGateway}}</th><th scope="col">{{t.inBooks}}</th>
        <th scope="col">{{t.outcome}}</th><th scope="col">{{t.differenceCustomer}}</th><th scope="col">{{t.differenceOwner}}</th></tr></thead>
        <tbody>
        {{#rows}}<tr><th scope="row"><a href="{{path}}"><code class="id">{{impUID}}</code></a></th>
        <td><code class="id">{{merchantUID}}</code></td><td>{{kind}}</td><td>{{gateway}}</td><td>{{books}}</td>
        <td>{{outcome}}
        {{#finding}}<a href="/console/findings/{{finding}}">{{t.findingTitle}} {{finding}}</a>{{/finding}}</td>
        <td>{{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}</td><td>{{owner}} {{note}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let texts: [ConsoleText] =
        differenceTexts + [
            .init(
                "reconciliationsNone", "No day was compared yet. Choose days above and compare them with the gateway.",
                "아직 대사한 날이 없습니다. 위에서 기간을 선택해 PG사와 대사하세요."),
            .init("differencesNone", "No payment of this kind.", "이 유형의 결제가 없습니다."),
            .init("reconciliationsTitle", "Reconciliation", "대사"), .init("reconciliation", "Run", "대사"),
            .init("reconcile", "Compare", "대사 실행"),
            .init(
                "reconcileHelp", "Compares the days with the gateways and changes nothing.",
                "기간을 PG사와 비교만 하고 아무것도 바꾸지 않습니다."),
            .init("payments", "Payments", "결제"), .init("differences", "Differences left", "남은 차이"),
            .init("healed", "Fixed", "장부에 반영됨"), .init("differencesByKind", "Payments by kind", "유형별 결제"),
            .init("difference", "Kind", "유형"), .init("sideBySide", "Side by side", "나란히 보기"),
            .init("atGateway", "Gateway: paid − cancelled", "PG사: 결제 − 취소"),
            .init("inBooks", "Books: credited − taken back", "장부: 적립 − 회수"),
            .init("healTitle", "Fix the differences", "차이를 장부에 반영"),
            .init(
                "healHelp",
                "Compares the same days again, and books what the gateway's records settle. Differences of these kinds now:",
                "같은 기간을 다시 비교하고 PG사의 기록으로 결정되는 차이를 장부에 반영합니다. 해당 유형의 현재 차이:"),
            .init("heal", "Fix", "장부에 반영"),
            .init("run_running", "runs", "진행 중"), .init("run_completed", "completed", "완료"),
            .init("run_failed", "failed", "실패"),
            .init("reconciled_matched", "equal", "일치"),
            .init("reconciled_paid_not_credited", "paid, not credited", "결제됨, 미적립"),
            .init("reconciled_credited_not_paid", "credited, not paid", "적립됨, 미결제"),
            .init("reconciled_amount_differs", "other amount", "금액 불일치"),
            .init("reconciled_cancelled_not_clawed_back", "cancelled, not taken back", "취소됨, 미회수"),
            .init("reconciled_refunded_not_cancelled", "taken back, not cancelled", "회수됨, 미취소"),
            .init("reconciled_refunded_twice", "refunded twice", "이중 환불"),
            .init("reconciled_won_not_given_back", "won, not given back", "승소함, 미반환"),
            .init("reconciled_by_transfer", "by bank transfer", "계좌 이체"),
            .init("reconciled_waiting", "gateway undecided", "PG사 미결"),
            .init("reconciled_unreadable", "unreadable", "읽을 수 없음"),
            .init("healed_credited", "credited", "적립함"), .init("healed_clawed_back", "taken back", "회수함"),
            .init("healed_receipt_waits", "its receipt waits", "결제 확인 대기"),
            .init("healed_needs_person", "a person decides", "담당자 결정 필요"),
        ]
}
