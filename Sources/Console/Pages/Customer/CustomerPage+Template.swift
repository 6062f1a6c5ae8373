extension CustomerPage {
    /// The button that asks the gateway about a payment.
    static let lookUpButton = """
        {{#lookUp}}<form method="post" action="{{path}}">\(FormPart.hidden())<input type="hidden" name="gateway" value="{{gateway}}">\
        <input type="hidden" name="imp_uid" value="{{impUID}}"><input type="hidden" name="merchant_uid" value="{{merchantUID}}">\
        <button aria-label="{{t.lookUpButton}}: {{merchantUID}}">{{t.lookUpButton}}</button></form>{{/lookUp}}
        """

    static let template = ConsoleTemplate(
        """
        \(CustomerTroubles.template)
        {{#standing}}
        {{#facts}}<dl class="facts">
        <div class="key"><dt>{{t.available}}</dt><dd>{{available}}</dd></div><div><dt>{{t.paid}}</dt><dd>{{paid}}</dd></div>
        <div><dt>{{t.bonus}}</dt><dd>{{bonus}}</dd></div><div><dt>{{t.held}}</dt><dd>{{held}}</dd></div>
        {{#hasDebt}}<div><dt>{{t.debt}}</dt><dd>{{debt}}</dd></div>{{/hasDebt}}
        </dl>{{/facts}}
        {{#thresholds}}<p class="quiet">{{t.thresholdsTitle}} {{t.thresholdsBelow}}: {{below}}; {{t.thresholdsAbove}}: {{above}}</p>\
        {{/thresholds}}
        {{#merged}}<p class="warning">{{t.mergedInto}} <a href="{{path}}"><code class="id">{{id}}</code></a></p>{{/merged}}
        {{#formers}}<p class="quiet">{{t.mergedFrom}} <a href="{{path}}"><code class="id">{{id}}</code></a></p>{{/formers}}
        <p>{{#mayGrant}}<a class="button" href="{{path}}/grant">{{t.grantTitle}}</a> {{/mayGrant}}\
        {{#mayWriteOff}}<a class="button" href="{{path}}/write-off">{{t.writeOffTitle}}</a> {{/mayWriteOff}}\
        {{#mayMerge}}<a class="button" href="{{path}}/merge">{{t.mergeTitle}}</a>{{/mayMerge}}</p>

        <h2>{{t.purchasesTitle}}</h2>
        {{^purchases}}<p class="quiet">{{t.nonePurchases}}</p>{{/purchases}}
        {{#purchases}}<table class="stacked"><thead><tr><th scope="col">{{t.purchase}}</th><th scope="col">{{t.payment}}</th>
        <th scope="col">{{t.paidAt}}</th><th scope="col">{{t.credited}}</th><th scope="col" class="number">{{t.amount}}</th>
        <th scope="col" class="number">{{t.coins}}</th><th scope="col">{{t.status}}</th><th scope="col">{{t.acts}}</th>
        </tr></thead><tbody>
        {{#rows}}<tr id="purchase-{{id}}"><th scope="row">{{title}}<br><span class="quiet">{{product}} <code class="id">{{id}}</code></span></th>
        <td><code class="id">{{impUID}}</code> <code class="id">{{merchantUID}}</code><br><span class="quiet">{{gateway}}</span></td>
        <td>{{#paid}}<time datetime="{{value}}">{{text}}</time>{{/paid}}</td>
        <td>{{#credited}}<time datetime="{{value}}">{{text}}</time>{{/credited}}</td>
        <td class="number">{{amount}}{{#refunded}}<br><span class="quiet">−{{refunded}}</span>{{/refunded}}</td>
        <td class="number">{{coins}}{{#bonus}}<br><span class="quiet">+{{bonus}}</span>{{/bonus}}</td>
        <td><span class="status {{tone}}">{{status}}</span>\
        {{#isDisputed}} <span class="status wait">{{t.disputed}}</span>{{/isDisputed}}\
        {{#isDouble}} <span class="status bad">{{t.likelyDouble}}</span>{{/isDouble}}</td>
        <td>{{#refundPath}}<a class="button" href="{{refundPath}}" aria-label="{{t.refundTitle}}: {{product}} {{id}}">\
        {{t.refundTitle}}</a> {{/refundPath}}\
        {{#links}}<a class="button" href="{{path}}" aria-label="{{title}}: {{product}} {{id}}">\
        {{title}}</a> {{/links}}\(lookUpButton)</td></tr>
        {{/rows}}</tbody></table>
        {{#hasMore}}<p class="quiet">{{t.latestOnly}}</p>{{/hasMore}}{{/purchases}}

        \(RefundQuestionPages.template)

        {{#topUp}}<h2>{{t.topUpTitle}}</h2>
        \(TopUpPages.standing)
        <p>{{#links}}<a class="button" href="{{path}}">{{title}}</a> {{/links}}</p>{{/topUp}}

        {{#spends}}<h2>{{t.spendsTitle}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.time}}</th><th scope="col">{{t.kind}}</th>
        <th scope="col">{{t.details}}</th><th scope="col" class="number">{{t.coins}}</th><th scope="col">{{t.acts}}</th>
        </tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</th><td>{{kind}}</td>
        <td>{{detail}}{{#reference}} <span class="quiet">{{reference}}</span>{{/reference}}</td><td class="number">{{coins}}</td>
        <td>{{#links}}<a class="button" href="{{path}}">{{title}}</a>{{/links}}</td></tr>
        {{/rows}}</tbody></table>{{/spends}}

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
        <th scope="col" class="number">{{t.left}}</th><th scope="col" class="number">{{t.held}}</th>\
        {{#mayVoid}}<th scope="col">{{t.acts}}</th>{{/mayVoid}}</tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{id}}</th><td>{{kind}}</td><td>{{source}}</td>
        <td>{{#acquired}}<time datetime="{{value}}">{{text}}</time>{{/acquired}}</td>
        <td>{{#expires}}<time datetime="{{value}}">{{text}}</time>{{/expires}}{{^expires}}{{t.never}}{{/expires}}</td>
        <td class="number">{{remaining}} / {{coins}}</td><td class="number">{{held}}</td>\
        {{#mayVoid}}<td>{{#links}}<a class="button" href="{{path}}" aria-label="{{title}}: {{id}}">\
        {{title}}</a>{{/links}}</td>{{/mayVoid}}</tr>
        {{/rows}}</tbody></table>
        {{#hasMore}}<p class="quiet">{{t.firstOnly}}</p>{{/hasMore}}{{/lots}}

        {{/standing}}

        <h2>{{t.timelineTitle}}</h2>
        {{^hasEvents}}<p class="quiet">{{t.noneEvents}}</p>{{/hasEvents}}
        {{#hasEvents}}<table class="stacked"><thead><tr><th scope="col">{{t.time}}</th><th scope="col">{{t.event}}</th>
        <th scope="col">{{t.details}}</th><th scope="col" class="number">{{t.coins}}</th>
        <th scope="col" class="number">{{t.balance}}</th></tr></thead><tbody>
        {{#events}}<tr{{#anchor}} id="{{anchor}}"{{/anchor}}><th scope="row">{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</th>
        <td>{{#tone}}<span class="status {{tone}}">{{kind}}</span>{{/tone}}{{^tone}}{{kind}}{{/tone}}</td>
        <td>{{detail}}{{#reference}} <div class="quiet">{{reference}}</div>{{/reference}}
        {{#links}}<div><a href="{{path}}">{{title}}</a></div>{{/links}}</td>
        <td class="number">{{coins}}</td><td class="number">{{balance}}</td></tr>
        {{/events}}</tbody></table>{{/hasEvents}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}

        {{#standing}}<h2>{{t.notesTitle}}</h2>
        {{#notes}}<ul>{{#rows}}<li>{{text}}<br><span class="quiet">{{by}}, {{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</span></li>
        {{/rows}}</ul>{{#hasMore}}<p class="quiet">{{t.latestOnly}}</p>{{/hasMore}}{{/notes}}
        {{^notes}}<p class="quiet">{{t.noneNotes}}</p>{{/notes}}
        {{#mayNote}}<form class="act" method="post" action="{{path}}/notes">\(FormPart.hidden())
        <div class="field"><label for="note">{{t.noteText}}</label>
        <textarea id="note" name="text" required maxlength="2000"></textarea></div>
        <div><button>{{t.noteButton}}</button></div></form>
        <p><a class="button" href="{{path}}/export">{{t.exportCustomer}}</a></p>{{/mayNote}}
        {{#mayForget}}<p><a class="button" href="{{path}}/forget">{{t.title_ask-to-forget}}</a></p>{{/mayForget}}{{/standing}}
        """)

    static let unknownTemplate = ConsoleTemplate(
        """
        <p role="status">{{t.noRecordText}} <code class="id">{{name}}</code></p>
        <form class="line" method="get" action="{{search}}"><div class="field"><label for="again">{{t.searchTitle}}</label>
        <input id="again" name="q" type="search" value="{{name}}" autocomplete="off" spellcheck="false" autocapitalize="off"></div>
        <button>{{t.searchButton}}</button></form>
        \(SearchPage.askForm)
        {{#mayGrant}}<p class="quiet">{{t.noRecordGrant}} <a href="{{path}}/grant">{{t.grantTitle}}</a></p>{{/mayGrant}}
        """)

    static let texts: [ConsoleText] = [
        .init("available", "Available", "사용 가능"), .init("paid", "Paid coins", "유료 코인"),
        .init("bonus", "Bonus coins", "보너스 코인"), .init("held", "On hold", "보류 중"), .init("debt", "Owed", "미회수 코인"),
        .init("mergedInto", "This customer was merged into", "이 고객은 다음 고객으로 통합되었습니다:"),
        .init("mergedFrom", "Formerly also", "이전 아이디:"),
        .init("thresholdsTitle", "Own thresholds of available coins.", "이 고객만의 사용 가능 코인 알림 기준."),
        .init("thresholdsBelow", "Below", "미만"), .init("thresholdsAbove", "Above", "초과"),
        .init("waitingTitle", "Receipts that wait or were refused", "결제 확인 대기 및 거절"),
        .init("spendsTitle", "Spends", "사용"), .init("notesTitle", "Notes", "메모"),
        .init("exportCustomer", "Download all that is held about the customer", "이 고객에 관해 보관하는 모든 정보 내려받기"),
        .init("likelyDouble", "probably paid twice", "중복 결제 의심"),
        .init("noRecordTitle", "No record of this customer", "이 고객의 기록이 없습니다"),
        .init(
            "noRecordText", "There are no coins, orders, receipts or notes of", "다음 고객의 코인, 주문, 결제 확인, 메모가 없습니다:"),
        .init("noRecordGrant", "Is the customer new, and the id right?", "새 고객이고 아이디가 맞나요?"),
        .init("purchasesTitle", "Purchases", "구매"), .init("holdsTitle", "Open holds", "진행 중인 보류"),
        .init("lotsTitle", "Coins by expiry", "보유 코인(만료일 순)"), .init("timelineTitle", "What happened", "이력"),
        .init("payment", "Payment", "결제"), .init("reason", "Reason", "사유"), .init("presented", "Presented", "접수"),
        .init("nextLookUp", "Next look-up", "다음 조회"), .init("attempts", "Look-ups", "조회 횟수"),
        .init("acts", "Acts", "작업"), .init("purchase", "Purchase", "구매"), .init("credited", "Credited", "적립 시각"),
        .init("amount", "Amount", "금액"), .init("coins", "Coins", "코인"), .init("status", "Status", "상태"),
        .init("hold", "Hold", "보류"), .init("reference", "Reference", "참조"), .init("placed", "Placed", "생성"),
        .init("expires", "Expires", "만료"), .init("lot", "Lot", "적립 건"), .init("kind", "Kind", "종류"),
        .init("source", "From", "출처"), .init("acquired", "Acquired", "취득"), .init("left", "Left", "잔여"),
        .init("time", "Time", "시각"), .init("event", "Event", "내용"), .init("details", "Details", "상세"),
        .init("balance", "Balance", "잔액"),
        .init("latestOnly", "The latest 20 are shown.", "최근 20건만 표시됩니다."),
        .init("firstOnly", "The first 20 are shown.", "처음 20건만 표시됩니다."),
        .init("noteTitle", "Note", "메모"), .init("noteText", "Text", "내용"), .init("noteButton", "Add the note", "메모 추가"),
        .init("lookUpButton", "Ask the gateway", "PG사 조회"),
        .init("kind_paid", "paid", "유료"), .init("kind_bonus", "bonus", "보너스"),
        .init("disputed", "disputed", "분쟁 중"),
        .init("status_credited", "credited", "적립됨"), .init("status_partially_refunded", "partly refunded", "부분 환불"),
        .init("status_refunded", "refunded", "환불됨"),
    ]
}
