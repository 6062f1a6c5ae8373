extension FindingPages {
    static let listTemplate = ConsoleTemplate(
        """
        <form class="line" method="get" action="/console/findings">
        <div class="field"><label for="kind">{{t.findingKind}}</label><select id="kind" name="kind">
        <option value="">{{t.allActs}}</option>{{#kinds}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/kinds}}</select></div>
        <div class="field"><label for="status">{{t.status}}</label><select id="status" name="status">
        {{#statuses}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>{{/statuses}}</select></div>
        <div class="field"><label for="whose">{{t.findingOwner}}</label><select id="whose" name="whose">
        <option value="">{{t.allActs}}</option>{{#owners}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/owners}}</select></div>
        <div class="field"><label for="age">{{t.findingAge}}</label><select id="age" name="age">
        <option value="">{{t.allActs}}</option>{{#ages}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/ages}}</select></div>
        <div class="field"><label for="sort">{{t.findingSort}}</label><select id="sort" name="sort">
        {{#sorts}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>{{/sorts}}</select></div>
        <button>{{t.filter}}</button>
        <details{{#isNamed}} open{{/isNamed}}><summary>{{t.findingNames}}</summary><div>
        <div class="field"><label for="user">{{t.searchUser}}</label><input id="user" name="user" value="{{user}}" maxlength="128"
        autocomplete="off" spellcheck="false" autocapitalize="off"></div>
        <div class="field"><label for="payment">imp_uid, payment_id</label><input id="payment" name="payment" value="{{paymentName}}"
        maxlength="64" autocomplete="off" spellcheck="false" autocapitalize="off"></div>
        <div class="field"><label for="order">merchant_uid</label><input id="order" name="order" value="{{order}}" maxlength="64"
        autocomplete="off" spellcheck="false" autocapitalize="off"></div>
        <div class="field"><label for="person">{{t.findingPerson}}</label><input id="person" name="person" value="{{personName}}"
        maxlength="128" autocomplete="off"></div>
        <button>{{t.filter}}</button></div></details></form>
        {{^section}}<p class="empty" role="status">{{#isFiltered}}{{t.findingsNone}} <a href="/console/findings">{{t.findingsAll}}</a>\
        {{/isFiltered}}{{^isFiltered}}{{t.findingsClear}}{{/isFiltered}}</p>{{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.findingTitle}}</th>
        <th scope="col" class="number">{{t.amount}}</th><th scope="col">{{t.findingPaid}}</th><th scope="col">{{t.payment}}</th>
        <th scope="col">{{t.searchUser}}</th><th scope="col">{{t.findingOwner}}</th><th scope="col">{{t.findingFound}}</th>
        </tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/findings/{{id}}">{{kind}} {{id}}</a></th>
        <td class="number">{{#payment}}{{amount}}{{/payment}}{{#excess}}{{measured}}{{/excess}}</td>
        <td>{{#paid}}<time datetime="{{value}}">{{text}}</time>{{/paid}}</td>
        <td>{{#payment}}<code class="id">{{impUID}}</code> <code class="id">{{merchantUID}}</code>{{/payment}}</td>
        <td>{{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}</td><td>{{assignee}}</td>
        <td>{{#found}}<time datetime="{{value}}">{{text}}</time>{{/found}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <p><span class="status {{tone}}">{{status}}</span> {{#kinds}}<span class="status">{{text}}</span> {{/kinds}}</p>
        {{#wrongAmount}}<p>{{wrongAmount}}</p>{{/wrongAmount}}
        <dl class="facts">{{#payment}}<div><dt>{{t.amount}}</dt><dd>{{amount}}</dd></div>
        <div><dt>imp_uid</dt><dd><code class="id">{{impUID}}</code></dd></div>
        <div><dt>merchant_uid</dt><dd><code class="id">{{merchantUID}}</code></dd></div>
        <div><dt>{{t.purchaseGateway}}</dt><dd>{{gateway}}</dd></div>{{/payment}}
        {{#endpoint}}<div><dt>{{t.findingEndpoint}}</dt><dd><a href="/console/endpoints/{{endpoint}}">{{endpoint}}</a></dd></div>{{/endpoint}}
        {{#excess}}<div><dt>{{t.findingHour}}</dt><dd>{{hour}}</dd></div>
        <div><dt>{{t.findingMeasured}}</dt><dd>{{measured}}</dd></div>
        <div><dt>{{t.findingLimit}}</dt><dd>{{limit}}</dd></div>{{/excess}}
        {{#paid}}<div><dt>{{t.findingPaid}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/paid}}
        {{#found}}<div><dt>{{t.findingFound}}</dt><dd><time datetime="{{value}}">{{text}}</time></dd></div>{{/found}}
        <div><dt>{{t.findingOwner}}</dt><dd>{{assignee}}</dd></div>
        {{#customer}}<div><dt>{{t.searchUser}}</dt><dd><a href="{{path}}">{{name}}</a></dd></div>{{/customer}}</dl>
        \(ProposalPart.template)
        <h2>{{t.findingClaims}}</h2>
        {{^claims}}<p class="quiet">{{t.noneClaims}}</p>{{/claims}}
        <ul>{{#claims}}<li><a href="{{path}}">{{name}}</a>, {{time}}</li>{{/claims}}</ul>
        <h2>{{t.findingActs}}</h2>
        {{^acts}}<p class="quiet">{{t.noneActs}}</p>{{/acts}}
        <ul>{{#acts}}<li>{{time}} {{by}}: {{act}} {{whom}} <q>{{reason}}</q></li>
        {{/acts}}</ul>
        {{#forms}}<h2>{{t.findingDo}}</h2>
        <form class="line" method="post" action="\(ConsoleAct.assignFinding.action())">
        \(FormPart.hidden())
        {{^isMine}}<button>{{t.findingTake}}</button>{{/isMine}}
        {{#isMine}}<button formaction="\(ConsoleAct.assignFinding.action(1))">{{t.findingLeave}}</button>{{/isMine}}</form>
        \(ConsoleAct.noteFinding.form("noteButton", ids: ["reason": "note"], once: "onceNote", isFirst: false))
        \(settleForms)
        {{#mayResolve}}<form class="act" method="post" action="\(ConsoleAct.resolveFinding.action())">
        <h3>{{t.findingResolveTitle}}</h3>
        \(FormPart.hidden("onceEnd"))
        \(FormPart.reason("end-reason"))
        <div><button>{{t.findingResolve}}</button></div></form>{{/mayResolve}}{{/forms}}
        """)

    static let newUserTemplate = ConsoleTemplate(
        """
        <p class="warning" role="alert">{{t.findingNewUser}}</p>
        <dl class="facts">{{#payment}}<div><dt>{{t.amount}}</dt><dd>{{amount}}</dd></div>
        <div><dt>merchant_uid</dt><dd>{{merchantUID}}</dd></div>{{/payment}}
        <div><dt>{{t.searchUser}}</dt><dd>{{user}}</dd></div><div><dt>{{t.reason}}</dt><dd>{{reason}}</dd></div></dl>
        <form class="act" method="post" action="\(ConsoleAct.claimFinding.action())">
        \(FormPart.hidden("onceClaim"))
        <input type="hidden" name="user" value="{{user}}"><input type="hidden" name="new_user" value="{{user}}">
        <input type="hidden" name="amount" value="{{amountValue}}">
        <input type="hidden" name="reason" value="{{reason}}">
        <div><button>{{t.findingClaim}}</button>
        <a class="button first" href="/console/findings/{{id}}">{{t.back}}</a></div></form>
        """)

    static let texts: [ConsoleText] = [
        .init(
            "findingNewUser",
            "Nothing is known of this customer: no coins, order or receipt. Is the id right? Coins can't be moved.",
            "이 고객의 코인, 주문, 결제 확인 기록이 없습니다. 아이디가 맞나요? 적립한 코인은 나중에 옮길 수 없습니다."),
        .init(
            "problem_user_unknown", "There is no order, purchase, receipt or coin of the user.",
            "이 사용자의 주문, 구매, 결제 확인, 코인 기록이 없습니다."),
        .init("findingsTitle", "Findings", "확인 필요 결제"), .init("findingTitle", "Finding", "확인 필요 결제"),
        .init("findingKind", "Kind", "유형"), .init("findingOwner", "Works on it", "담당"),
        .init("findingPerson", "Works on it or decided it", "담당자 또는 처리자"),
        .init("findingNames", "Filter by customer, payment or person", "고객, 결제, 담당자로 조회"),
        .init("findingAge", "Found", "발견 후 지난 기간"), .init("findingSort", "Order", "정렬"),
        .init("findingAge_day", "a day ago or longer", "1일 이상"),
        .init("findingAge_days", "3 days ago or longer", "3일 이상"),
        .init("findingAge_week", "a week ago or longer", "7일 이상"),
        .init("findingAge_month", "30 days ago or longer", "30일 이상"),
        .init("findingSort_oldest", "oldest first", "오래된 순"), .init("findingSort_newest", "newest first", "최신순"),
        .init("findingsNone", "No finding is like this.", "조건에 맞는 건이 없습니다."), .init("findingsAll", "Show all", "전체 보기"),
        .init("findingsClear", "No payment needs a decision.", "확인이 필요한 결제가 없습니다."),
        .init("findingFound", "Found", "발견 시각"), .init("findingPaid", "Paid", "결제 시각"),
        .init("findingEndpoint", "Endpoint", "엔드포인트"),
        .init("findingHour", "Hour from", "해당 시간(시작)"), .init("findingMeasured", "In this hour", "해당 시간 합계"),
        .init("findingLimit", "Limit", "한도"),
        .init("findingClaims", "Who presented the payment", "이 결제를 제출한 고객"),
        .init("findingActs", "What was done", "처리 내역"), .init("findingDo", "What to do", "처리"),
        .init("findingTake", "I work on it", "내가 담당"), .init("findingLeave", "Leave it to others", "담당 해제"),
        .init("findingNote", "Note", "메모"),
        .init("findingClaimTitle", "Credit the payment to a customer", "고객에게 결제 적립"),
        .init(
            "findingClaimHelp",
            "The gateway is asked again. The payment of an order goes to the order's customer only.",
            "PG사에 다시 확인합니다. 주문의 결제는 주문한 고객에게만 적립됩니다."),
        .init("findingClaim", "Credit", "적립"),
        .init("findingResolveTitle", "Resolve without a credit", "적립 없이 해결"),
        .init("findingResolve", "Resolve", "해결"),
        .init("findingStatus_open", "open", "미해결"), .init("findingStatus_resolved", "resolved", "해결됨"),
        .init("findingWhose_nobody", "nobody", "담당 없음"), .init("findingWhose_mine", "me", "나"),
        .init("findingAct_assign", "assigned", "담당 지정"), .init("findingAct_unassign", "left to others", "담당 해제"),
        .init("findingAct_note", "noted", "메모"), .init("findingAct_resolve", "resolved", "해결"),
        .init("findingAct_claim", "credited to", "적립 대상"),
        .init("findingAct_refund", "money back asked for", "환불 요청"),
        .init(
            "problem_payment_unconfirmed", "The gateway does not confirm the payment now, and nothing was done.",
            "지금은 PG사에서 결제를 확인할 수 없어 아무것도 처리하지 않았습니다."),
        .init(
            "problem_price_not_bookable",
            "The payment waits for a rate of its currency. Nothing was done: publish one, then try again.",
            "통화의 환율을 기다리는 결제여서 아무것도 처리하지 않았습니다. 환율을 등록한 뒤 다시 시도하세요."),
        .init(
            "problem_worth_out_of_range",
            "The payment is worth no won or more than a trillion, and no rate changes that. Nothing was done: give it back.",
            "원화로 1원 미만이거나 1조 원을 넘는 결제이며 환율을 등록해도 바뀌지 않습니다. 아무것도 처리하지 않았습니다. "
                + "환불하세요."),
        .init("finding_paid_unclaimed", "paid, claimed by nobody", "주인을 모르는 결제"),
        .init("finding_payment_partially_cancelled", "partly cancelled", "부분 취소됨"),
        .init("finding_amount_mismatch", "amount of no product", "상품과 금액 불일치"),
        .init("finding_currency_mismatch", "another currency", "통화 불일치"),
        .init("finding_price_not_bookable", "paid, without a usable rate", "쓸 수 있는 환율이 없는 결제"),
        .init("finding_unknown_store_product", "unknown product of a store", "등록되지 않은 스토어 상품"),
        .init("finding_store_purchase_unconsumed", "not consumed at the store", "스토어 소비 처리 안 됨"),
        .init("finding_refund_question_unanswered", "store's question about a refund unanswered", "스토어 환불 문의 미응답"),
        .init("finding_merchant_uid_already_credited", "order credited before", "이미 적립된 주문"),
        .init("finding_order_not_found", "without an order", "주문 없음"),
        .init("finding_order_belongs_to_another_user", "another customer's order", "다른 고객의 주문"),
        .init("finding_order_expired", "order expired", "만료된 주문"),
        .init("finding_refund_undecided", "refund undecided", "환불 미결"),
        .init("finding_refunded_twice", "refunded twice", "이중 환불"),
        .init("finding_claimed_by_several", "claimed by several", "여러 고객이 제출"),
        .init("finding_paid_at_in_future", "paid in the future", "미래 시각의 결제"),
        .init("finding_payment_disputed", "payment disputed", "결제 분쟁"),
        .init("finding_dispute_won_after_loss", "won after it was booked as lost", "패소 기장 후 승소"),
        .init("finding_dispute_unreadable", "dispute unreadable", "분쟁 내역 읽기 불가"),
        .init("finding_refund_reversed", "refund taken back by the store", "스토어가 되돌린 환불"),
        .init("finding_endpoint_failing", "endpoint disabled", "엔드포인트 비활성화"),
        .init("finding_custody_short", "too little in custody", "별도관리 금액 부족"),
        .init("finding_liability_above_limit", "liability grew above the limit", "선수금 증가 한도 초과"),
        .init("finding_bonus_above_limit", "bonus coins above the limit", "보너스 지급 한도 초과"),
        .init("finding_spends_above_limit", "spends above the limit", "코인 사용 한도 초과"),
    ]
}
