extension CustomerPage {
    /// The button that asks the gateway about a payment.
    private static let lookUpButton = """
        {{#lookUp}}<form method="post" action="{{path}}">\(FormPart.hidden())<input type="hidden" name="gateway" value="{{gateway}}">\
        <input type="hidden" name="imp_uid" value="{{impUID}}"><input type="hidden" name="merchant_uid" value="{{merchantUID}}">\
        <button aria-label="{{t.lookUpButton}}: {{merchantUID}}">{{t.lookUpButton}}</button></form>{{/lookUp}}
        """

    static let template = ConsoleTemplate(
        """
        {{#standing}}
        {{#facts}}<dl class="facts">
        <div><dt>{{t.available}}</dt><dd>{{available}}</dd></div><div><dt>{{t.paid}}</dt><dd>{{paid}}</dd></div>
        <div><dt>{{t.bonus}}</dt><dd>{{bonus}}</dd></div><div><dt>{{t.held}}</dt><dd>{{held}}</dd></div>
        {{#hasDebt}}<div><dt>{{t.debt}}</dt><dd>{{debt}}</dd></div>{{/hasDebt}}
        </dl>{{/facts}}
        <p>{{#mayGrant}}<a class="button" href="{{path}}/grant">{{t.grantTitle}}</a> {{/mayGrant}}\
        {{#mayWriteOff}}<a class="button" href="{{path}}/write-off">{{t.writeOffTitle}}</a>{{/mayWriteOff}}</p>

        {{#waiting}}<h2>{{t.waitingTitle}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.payment}}</th><th scope="col">{{t.reason}}</th>
        <th scope="col">{{t.presented}}</th><th scope="col">{{t.nextLookUp}}</th>
        <th scope="col" class="number">{{t.attempts}}</th><th scope="col">{{t.acts}}</th></tr></thead><tbody>
        {{#rows}}<tr id="receipt-{{id}}"><th scope="row"><code>{{impUID}}</code> {{merchantUID}}<br>
        <span class="quiet">{{gateway}}</span></th><td>{{reason}}</td>
        <td>{{#created}}<time datetime="{{value}}">{{text}}</time>{{/created}}</td>
        <td>{{#due}}<time datetime="{{value}}">{{text}}</time>{{/due}}</td><td class="number">{{attempts}}</td>
        <td>\(lookUpButton)</td></tr>
        {{/rows}}</tbody></table>
        {{#hasMore}}<p class="quiet">{{t.latestOnly}}</p>{{/hasMore}}{{/waiting}}

        <h2>{{t.purchasesTitle}}</h2>
        {{^purchases}}<p class="quiet">{{t.none}}</p>{{/purchases}}
        {{#purchases}}<table class="stacked"><thead><tr><th scope="col">{{t.purchase}}</th><th scope="col">{{t.payment}}</th>
        <th scope="col">{{t.credited}}</th><th scope="col" class="number">{{t.amount}}</th>
        <th scope="col" class="number">{{t.coins}}</th><th scope="col">{{t.status}}</th><th scope="col">{{t.acts}}</th>
        </tr></thead><tbody>
        {{#rows}}<tr id="purchase-{{id}}"><th scope="row">{{product}}<br><span class="quiet">{{id}}</span></th>
        <td><code>{{impUID}}</code> {{merchantUID}}<br><span class="quiet">{{gateway}}</span></td>
        <td>{{#credited}}<time datetime="{{value}}">{{text}}</time>{{/credited}}</td>
        <td class="number">{{amount}}{{#refunded}}<br><span class="quiet">−{{refunded}}</span>{{/refunded}}</td>
        <td class="number">{{coins}}</td><td><span class="status {{tone}}">{{status}}</span>\
        {{#isDisputed}} <span class="status wait">{{t.disputed}}</span>{{/isDisputed}}</td>
        <td>{{#refundPath}}<a class="button" href="{{refundPath}}" aria-label="{{t.refundTitle}}: {{product}} {{id}}">\
        {{t.refundTitle}}</a> {{/refundPath}}\
        {{#takeBackPath}}<a class="button" href="{{takeBackPath}}" aria-label="{{t.takeBackTitle}}: {{product}} {{id}}">\
        {{t.takeBackTitle}}</a> {{/takeBackPath}}\(lookUpButton)</td></tr>
        {{/rows}}</tbody></table>
        {{#hasMore}}<p class="quiet">{{t.latestOnly}}</p>{{/hasMore}}{{/purchases}}

        {{#holds}}<h2>{{t.holdsTitle}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.hold}}</th><th scope="col">{{t.reference}}</th>
        <th scope="col">{{t.placed}}</th><th scope="col">{{t.expires}}</th><th scope="col" class="number">{{t.coins}}</th>
        <th scope="col">{{t.acts}}</th></tr></thead><tbody>
        {{#rows}}<tr id="hold-{{id}}"><th scope="row">{{id}}</th><td>{{reference}}</td>
        <td>{{#placed}}<time datetime="{{value}}">{{text}}</time>{{/placed}}</td>
        <td>{{#expires}}<time datetime="{{value}}">{{text}}</time>{{/expires}}</td>
        <td class="number">{{remaining}} / {{coins}}</td>
        <td>{{#voidPath}}<a class="button" href="{{voidPath}}" aria-label="{{t.voidTitle}}: {{id}}">{{t.voidTitle}}</a>\
        {{/voidPath}}</td></tr>
        {{/rows}}</tbody></table>
        {{#hasMore}}<p class="quiet">{{t.latestOnly}}</p>{{/hasMore}}{{/holds}}

        {{#lots}}<h2>{{t.lotsTitle}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.lot}}</th><th scope="col">{{t.kind}}</th>
        <th scope="col">{{t.source}}</th><th scope="col">{{t.acquired}}</th><th scope="col">{{t.expires}}</th>
        <th scope="col" class="number">{{t.left}}</th><th scope="col" class="number">{{t.held}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{id}}</th><td>{{kind}}</td><td>{{source}}</td>
        <td>{{#acquired}}<time datetime="{{value}}">{{text}}</time>{{/acquired}}</td>
        <td>{{#expires}}<time datetime="{{value}}">{{text}}</time>{{/expires}}{{^expires}}{{t.never}}{{/expires}}</td>
        <td class="number">{{remaining}} / {{coins}}</td><td class="number">{{held}}</td></tr>
        {{/rows}}</tbody></table>
        {{#hasMore}}<p class="quiet">{{t.firstOnly}}</p>{{/hasMore}}{{/lots}}

        {{#mayNote}}<h2>{{t.noteTitle}}</h2>
        <form class="act" method="post" action="{{path}}/notes">\(FormPart.hidden())
        <div class="field"><label for="note">{{t.noteText}}</label>
        <textarea id="note" name="text" required maxlength="2000"></textarea></div>
        <div><button>{{t.noteButton}}</button></div></form>{{/mayNote}}
        {{/standing}}

        <h2>{{t.timelineTitle}}</h2>
        {{^hasEvents}}<p class="quiet">{{t.none}}</p>{{/hasEvents}}
        {{#hasEvents}}<table class="stacked"><thead><tr><th scope="col">{{t.time}}</th><th scope="col">{{t.event}}</th>
        <th scope="col">{{t.details}}</th><th scope="col" class="number">{{t.coins}}</th>
        <th scope="col" class="number">{{t.balance}}</th></tr></thead><tbody>
        {{#events}}<tr{{#anchor}} id="{{anchor}}"{{/anchor}}><th scope="row">{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</th>
        <td>{{#tone}}<span class="status {{tone}}">{{kind}}</span>{{/tone}}{{^tone}}{{kind}}{{/tone}}</td>
        <td>{{detail}}{{#reference}}<br><span class="quiet">{{reference}}</span>{{/reference}}
        {{#reversePath}}<br><a href="{{reversePath}}">{{t.reverseTitle}}</a>{{/reversePath}}</td>
        <td class="number">{{coins}}</td><td class="number">{{balance}}</td></tr>
        {{/events}}</tbody></table>{{/hasEvents}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let texts: [ConsoleText] = [
        .init("available", "Available", "사용 가능"), .init("paid", "Paid coins", "유료 코인"),
        .init("bonus", "Bonus coins", "보너스 코인"), .init("held", "On hold", "홀드 중"), .init("debt", "Owed", "미납"),
        .init("waitingTitle", "Receipts that wait", "대기 중인 영수증"),
        .init("purchasesTitle", "Purchases", "구매"), .init("holdsTitle", "Open holds", "진행 중인 홀드"),
        .init("lotsTitle", "Coins by expiry", "만료일별 코인"), .init("timelineTitle", "What happened", "이력"),
        .init("payment", "Payment", "결제"), .init("reason", "Reason", "사유"), .init("presented", "Presented", "접수"),
        .init("nextLookUp", "Next look-up", "다음 조회"), .init("attempts", "Look-ups", "조회 횟수"),
        .init("acts", "Acts", "작업"), .init("purchase", "Purchase", "구매"), .init("credited", "Credited", "적립"),
        .init("amount", "Amount", "금액"), .init("coins", "Coins", "코인"), .init("status", "Status", "상태"),
        .init("hold", "Hold", "홀드"), .init("reference", "Reference", "참조"), .init("placed", "Placed", "생성"),
        .init("expires", "Expires", "만료"), .init("lot", "Lot", "묶음"), .init("kind", "Kind", "종류"),
        .init("source", "From", "출처"), .init("acquired", "Acquired", "취득"), .init("left", "Left", "잔여"),
        .init("time", "Time", "시각"), .init("event", "Event", "내용"), .init("details", "Details", "상세"),
        .init("balance", "Balance", "잔액"),
        .init("latestOnly", "The latest 20 are shown.", "최근 20건만 표시됩니다."),
        .init("firstOnly", "The first 20 are shown.", "처음 20건만 표시됩니다."),
        .init("noteTitle", "Note", "메모"), .init("noteText", "Text", "내용"), .init("noteButton", "Add the note", "메모 추가"),
        .init("lookUpButton", "Ask the gateway", "PG 조회"),
        .init("kind_paid", "paid", "유료"), .init("kind_bonus", "bonus", "보너스"),
        .init("disputed", "disputed", "분쟁 중"),
        .init("status_credited", "credited", "적립됨"), .init("status_partially_refunded", "partly refunded", "부분 환불"),
        .init("status_refunded", "refunded", "환불됨"),
    ]
}
