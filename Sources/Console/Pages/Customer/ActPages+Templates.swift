extension ActPages {
    static let reason = """
        <div class="field"><label for="reason">{{t.reason}}</label>
        <input id="reason" name="reason" required maxlength="256" autocomplete="off" aria-describedby="reason-help">
        <small id="reason-help">{{t.reasonHelp}}</small></div>
        """

    static let cancel = #"<a class="button" href="{{back}}">{{t.back}}</a>"#

    static let refundTemplate = ConsoleTemplate(
        """
        {{#isChanged}}<p class="warning" role="alert">{{t.refundChanged}}</p>{{/isChanged}}
        {{#refusal}}<p class="problem" role="alert">{{refusal}}</p>{{/refusal}}
        <dl class="facts"><div><dt>{{t.purchase}}</dt><dd>{{product}}</dd></div>
        <div><dt>imp_uid, payment_id</dt><dd><code class="id">{{impUID}}</code></dd></div>
        <div><dt>merchant_uid</dt><dd><code class="id">{{merchantUID}}</code></dd></div></dl>
        \(ProposalPart.template)
        <form class="line" method="get" action="{{path}}"><div class="field"><label for="part">{{t.refundCoins}}</label>
        <input id="part" name="coins" inputmode="numeric" value="{{coinsValue}}" autocomplete="off"></div>
        <button>{{t.refundPreview}}</button></form>
        {{#isPossible}}<dl class="facts">
        <div><dt>{{t.refundUnused}}</dt><dd>{{unused}}</dd></div><div><dt>{{t.refundCoins}}</dt><dd>{{coins}}</dd></div>
        {{#given}}<div><dt>{{t.refundGiven}}</dt><dd>{{coins}}</dd></div>{{/given}}
        {{#expired}}<div><dt>{{t.refundExpired}}</dt><dd>{{coins}} ({{percent}} %)</dd></div>{{/expired}}
        <div><dt>{{t.refundBonus}}</dt><dd>{{bonus}}</dd></div><div><dt>{{t.refundCharged}}</dt><dd>{{charged}}</dd></div>
        <div><dt>{{t.refundValue}}</dt><dd>{{value}}</dd></div><div><dt>{{t.refundFee}}</dt><dd>{{fee}}</dd></div>
        <div class="key"><dt>{{t.refundAmount}}</dt><dd>{{amount}}</dd></div></dl>
        \(RefundSums.template)
        {{#needsSecond}}<p class="warning">{{t.needsSecond}}</p>{{/needsSecond}}
        <form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        <input type="hidden" name="coins" value="{{coinsValue}}"><input type="hidden" name="amount" value="{{amountValue}}">
        \(reason)
        \(FormPart.account)
        <div><button class="first">{{#needsSecond}}{{t.proposalRequest_refund}}{{/needsSecond}}{{^needsSecond}}\
        {{t.refundTitle}}{{/needsSecond}} {{amount}}</button> \(cancel)</div></form>{{/isPossible}}
        {{^isPossible}}<p>\(cancel)</p>{{/isPossible}}
        """)

    static let coinsTemplate = ConsoleTemplate(
        """
        <p>{{help}}</p>
        <p class="quiet">{{t.available}}: {{available}}. {{t.debt}}: {{debt}}. {{t.aloneUpTo}}: {{limit}}.</p>
        \(ProposalPart.template)
        <form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        <div class="field"><label for="coins">{{t.coins}}</label>
        <input id="coins" name="coins" inputmode="numeric" required autocomplete="off" value="{{coins}}"></div>
        \(reason)
        <div><button class="first">{{button}}</button> \(cancel)</div></form>
        """)

    static let voidTemplate = ConsoleTemplate(
        """
        <p>{{t.voidHelp}}</p>
        <dl class="facts"><div><dt>{{t.hold}}</dt><dd>{{id}}</dd></div><div><dt>{{t.left}}</dt><dd>{{remaining}}</dd></div>
        <div><dt>{{t.reference}}</dt><dd>{{reference}}</dd></div></dl>
        {{#isOpen}}<form class="act" method="post" action="{{path}}">\(FormPart.hidden())
        \(reason)
        <div><button class="first">{{t.voidTitle}}</button> \(cancel)</div></form>{{/isOpen}}
        {{^isOpen}}<p class="problem" role="alert">{{t.voidClosed}}</p><p>\(cancel)</p>{{/isOpen}}
        """)

    static let lookUpTemplate = ConsoleTemplate(
        """
        <p><code class="id">{{impUID}}</code> <code class="id">{{merchantUID}}</code></p>
        {{#found}}<p class="notice" role="status">{{review}}</p>
        {{#purchase}}<p><a href="{{path}}">{{t.purchase}} {{id}}: {{user}}</a></p>{{/purchase}}
        {{#payment}}<h2>{{t.lookedUpAnswer}}</h2>
        <dl class="facts">{{#name}}<div><dt>{{t.payment}}</dt><dd><a href="{{path}}"><code class="id">{{id}}</code></a></dd></div>{{/name}}
        <div><dt>{{t.status}}</dt><dd>{{status}}{{#isTest}} ({{t.testPayment}}){{/isTest}}</dd></div>
        <div><dt>{{t.amount}}</dt><dd>{{amount}}</dd></div><div><dt>{{t.cancelled}}</dt><dd>{{cancelled}}</dd></div>
        <div><dt>{{t.paidAt}}</dt><dd>{{#paid}}<time datetime="{{value}}">{{text}}</time>{{/paid}}{{^paid}}{{t.none}}{{/paid}}</dd></div>
        <div><dt>{{t.method}}</dt><dd>{{method}} {{provider}}</dd></div>
        <div><dt>{{t.failure}}</dt><dd>{{failure}}</dd></div>
        {{#receipt}}<div><dt>{{t.gatewayReceipt}}</dt><dd><a href="{{receipt}}" rel="noreferrer">{{t.gatewayReceiptOpen}}</a></dd></div>\
        {{/receipt}}</dl>{{/payment}}{{/found}}
        <p>\(cancel)</p>
        """)

    static let texts: [ConsoleText] = [
        .init("reasonHelp", "It is kept, and shown in the customer's statement.", "기록으로 남고 고객의 내역에도 표시됩니다."),
        .init("refundTitle", "Refund", "환불"), .init("refundPreview", "Preview", "미리보기"),
        .init("refundCoins", "Coins to refund", "환불할 코인"), .init("refundUnused", "Unused coins", "미사용 코인"),
        .init("refundGiven", "Of these, taken back from users who were given them", "그중 선물 받은 이용자에게서 회수할 코인"),
        .init("refundExpired", "Of them expired, and the payer's share", "그중 만료된 코인과 환급률"),
        .init("refundBonus", "Bonus coins taken back", "회수할 보너스"),
        .init("refundCharged", "Coins for used bonus", "사용한 보너스 차감"), .init("refundValue", "Value", "환불 대상 금액"),
        .init("refundFee", "Fee", "수수료"), .init("refundAmount", "The payer gets", "환불 금액"),
        .init("refundAccount", "The payment was to a virtual account", "가상계좌 결제인 경우"),
        .init("refundAccountLegend", "Account that gets the money", "환불받을 계좌"),
        .init("refundBank", "Bank code", "은행 코드"), .init("refundNumber", "Account number", "계좌번호"),
        .init("refundHolder", "Holder", "예금주"), .init("refundPhone", "Phone", "전화번호"),
        .init(
            "refundChanged",
            "The amount, or what was refunded before, has changed since you opened the page. Check it again.",
            "페이지를 연 뒤 환불 금액이나 기존 환불액이 바뀌었습니다. 다시 확인하세요."),
        .init("needsSecond", "This is above the limit: another person has to approve it.", "한도를 넘어 다른 담당자의 승인이 필요합니다."),
        .init("grantTitle", "Grant coins", "코인 지급"),
        .init(
            "grantHelp", "The customer gets bonus coins. If the customer owes coins, they pay the debt first.",
            "고객에게 보너스 코인을 지급합니다. 미회수 코인이 있으면 먼저 갚습니다."),
        .init("writeOffTitle", "Write off the debt", "미회수 코인 면제"),
        .init(
            "writeOffHelp", "The owed coins are written off. No won move.",
            "미회수 코인을 면제합니다. 금액은 움직이지 않습니다."),
        .init("aloneUpTo", "One person alone, up to", "단독 처리 한도"),
        .init("voidTitle", "Release", "보류 해제"),
        .init("voidHelp", "The coins on hold go back to the wallet.", "보류된 코인을 지갑으로 돌려줍니다."),
        .init("voidClosed", "The hold is closed.", "이미 종료된 보류입니다."),
        .init("lookedUpTitle", "At the gateway", "PG사 조회 결과"),
        .init("lookedUpAnswer", "The gateway's answer", "PG사 응답"),
        .init("testPayment", "test", "테스트"), .init("cancelled", "Cancelled", "취소 금액"), .init("paidAt", "Paid", "결제 시각"),
        .init("gatewayReceipt", "The gateway's receipt", "PG사 영수증"), .init("gatewayReceiptOpen", "Open", "열기"),
        .init("method", "Method", "결제 수단"), .init("failure", "Failure", "실패 사유"),
        .init("noticeProposed", "Another person has to approve it now.", "승인을 요청했습니다. 다른 담당자가 승인하면 처리됩니다."),
        .init("review_agrees", "The books agree with the gateway.", "장부가 PG사와 일치합니다."),
        .init("review_clawedBack", "A cancellation was booked: the coins were taken back.", "취소를 반영하여 코인을 회수했습니다."),
        .init(
            "review_givenBack", "The store took a refund back: the coins were given back.",
            "스토어가 환불을 되돌려 코인을 다시 지급했습니다."),
        .init(
            "review_outdated", "The books changed while the gateway was asked. Try again.",
            "조회하는 동안 장부가 바뀌었습니다. 다시 시도하세요."),
        .init(
            "review_refundCompleted", "A refund turned out to be carried out, and is completed.",
            "환불이 처리된 것을 확인하여 완료했습니다."),
        .init("review_disputed", "A dispute of the payment was recorded.", "결제 분쟁을 기록했습니다."),
        .init("review_onHold", "What the store took back is on hold.", "스토어가 회수한 코인이 보류 중입니다."),
        .init("review_credited", "The payment was credited.", "결제를 적립했습니다."),
        .init("review_refused", "The payment is paid, but its order refused it.", "결제되었지만 주문과 맞지 않아 거절되었습니다."),
        .init("review_refundPending", "A refund is pending.", "환불이 진행 중입니다."),
        .init(
            "review_expedited",
            "The payment is paid, and its receipts were looked at again. The customer's page has the result.",
            "결제된 상태이며 결제 확인을 다시 처리했습니다. 결과는 고객 화면에서 확인하세요."),
        .init("review_unclaimed", "The payment is paid, and nobody has claimed it.", "결제되었지만 주인을 모르는 결제입니다."),
        .init(
            "review_priceNotBookable", "Paid at the gateway; waits for a usable rate of",
            "PG사에서 결제되었습니다. 적립에 쓸 환율을 기다리는 통화:"),
        .init(
            "review_worthOutOfRange",
            "Paid at the gateway, but worth no won or more than a trillion: decide in its finding.",
            "PG사에서 결제되었지만 원화로 1원 미만이거나 1조 원을 넘습니다. 확인 필요 결제에서 처리하세요."),
        .init(
            "review_unknownStoreProduct", "Paid at the store; waits until its product is named.",
            "스토어에서 결제되었습니다. 스토어 상품이 등록될 때까지 적립을 기다립니다."),
        .init("review_nothingPaid", "The payment is not paid yet.", "아직 결제되지 않았습니다."),
        .init(
            "review_nothingCredited", "The payment is cancelled or failed, and was never credited.",
            "취소되었거나 실패한 결제이며 적립된 적이 없습니다."),
        .init("review_unknownPayment", "The gateway does not know the payment.", "PG사에 없는 결제입니다."),
        .init(
            "review_gatewayUnavailable", "The gateway can't be asked now. Try again.", "지금은 PG사를 조회할 수 없습니다. 다시 시도하세요."),
    ]
}
