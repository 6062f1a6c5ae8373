extension FinancePages {
    static let template = ConsoleTemplate(
        """
        <ul class="line">{{#spans}}<li><a href="/console/finance?days={{days}}"{{#isChosen}} aria-current="true"{{/isChosen}}>{{days}}
        {{t.daysUnit}}</a></li>{{/spans}}</ul>
        <div class="charts">{{#charts}}<figure><figcaption>{{title}} <strong>{{last}}</strong></figcaption>
        <svg viewBox="0 0 600 121" role="img" aria-label="{{label}}" preserveAspectRatio="none">{{#bars}}<rect x="{{x}}" y="{{y}}"
        width="{{width}}" height="{{height}}"><title>{{title}}</title></rect>{{/bars}}</svg></figure>
        {{/charts}}</div>
        <details><summary>{{t.daysTable}}</summary><table class="stacked">
        <thead><tr><th scope="col">{{t.day}}</th><th scope="col" class="number">{{t.coinsSold}}</th>
        <th scope="col" class="number">{{t.coinsPromoted}}</th><th scope="col" class="number">{{t.coinsSpent}}</th>
        <th scope="col" class="number">{{t.coinsExpired}}</th><th scope="col" class="number">{{t.revenue}}</th>
        <th scope="col" class="number">{{t.breakage}}</th><th scope="col" class="number">{{t.liability}}</th></tr></thead><tbody>
        {{#days}}<tr><th scope="row"><a href="/console/finance?day={{day}}">{{day}}</a></th><td class="number">{{sold}}</td>
        <td class="number">{{promoted}}</td><td class="number">{{spent}}</td><td class="number">{{expired}}</td>
        <td class="number">{{revenue}}</td><td class="number">{{breakage}}</td><td class="number">{{liability}}</td></tr>
        {{/days}}</tbody></table></details>
        <h2>{{t.salesOf}} {{day}}</h2>
        {{^sales}}<p class="quiet">{{t.none}}</p>{{/sales}}
        {{#sales}}<table class="stacked"><thead><tr><th scope="col">{{t.product}}</th><th scope="col" class="number">{{t.purchases}}</th>
        <th scope="col" class="number">{{t.coins}}</th><th scope="col" class="number">{{t.bonusCoins}}</th>
        <th scope="col" class="number">{{t.paidAmount}}</th><th scope="col" class="number">{{t.refundedSince}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{product}}</th><td class="number">{{purchases}}</td><td class="number">{{coins}}</td>
        <td class="number">{{bonus}}</td><td class="number">{{amount}}</td><td class="number">{{refunded}}</td></tr>
        {{/rows}}</tbody></table>{{/sales}}
        <h2>{{t.trialBalance}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.accountName}}</th><th scope="col" class="number">{{t.debit}}</th>
        <th scope="col" class="number">{{t.credit}}</th><th scope="col">{{t.postingsOf}}</th></tr></thead><tbody>
        {{#accounts}}<tr><th scope="row">{{name}}</th><td class="number">{{#isDebit}}{{balance}}{{/isDebit}}</td>
        <td class="number">{{^isDebit}}{{balance}}{{/isDebit}}</td>
        <td>{{#stripes}}<a class="pick" href="/console/accounts?account={{name}}/{{number}}">{{name}}/{{number}}</a> {{/stripes}}</td></tr>
        {{/accounts}}</tbody></table>
        <h2>{{t.openItems}}</h2>
        <ul>{{#open}}<li><a href="{{path}}">{{text}}</a>: {{count}}</li>{{/open}}</ul>
        <h2>{{t.closings}}</h2>
        <form method="get" action="/console/finance" class="line"><label>{{t.checkUntil}}
        <input type="date" name="until"></label> <button>{{t.checkShow}}</button></form>
        <table class="stacked"><caption>{{t.checkBefore}} {{checkedUntil}}</caption>
        <thead><tr><th scope="col">{{t.check}}</th><th scope="col" class="number">{{t.checkOpen}}</th>
        <th scope="col">{{t.checkSince}}</th><th scope="col">{{t.checkWhich}}</th></tr></thead><tbody>
        {{#checklist}}<tr><th scope="row">{{question}}</th><td class="number">{{#isOpen}}<strong>{{open}}</strong>{{/isOpen}}{{^isOpen}}0{{/isOpen}}</td>
        <td>{{since}}</td><td>{{which}}</td></tr>
        {{/checklist}}</tbody></table>
        {{^periods}}<p class="quiet">{{t.none}}</p>{{/periods}}
        <ul>{{#periods}}<li>{{t.closedUntil}} {{until}} ({{by}}, {{at}})</li>{{/periods}}</ul>
        <h2>{{t.seals}}</h2><p class="quiet">{{t.sealsHelp}}</p>
        {{^seals}}<p class="quiet">{{t.none}}</p>{{/seals}}
        <ul>{{#seals}}<li>{{at}}: {{entries}} {{t.entries}}, <code>{{head}}</code></li>{{/seals}}</ul>
        """)

    static let texts: [ConsoleText] = [
        .init("financeTitle", "Finance", "재무"), .init("daysUnit", "days", "일"),
        .init("daysTable", "The numbers, day by day", "일별 수치"), .init("day", "Day", "날짜"),
        .init("coinsSold", "Coins sold, less returns", "판매 코인(반환 차감)"),
        .init("coinsPromoted", "Bonus coins given", "지급 보너스 코인"), .init("coinsSpent", "Coins spent", "사용 코인"),
        .init("coinsExpired", "Coins expired", "만료 코인"), .init("revenue", "Revenue of spent coins", "코인 사용 매출"),
        .init("breakage", "Revenue of expired coins", "코인 만료 매출"),
        .init("liability", "Liability for unused coins", "미사용 코인 부채"), .init("salesOf", "Sales of", "판매:"),
        .init("product", "Product", "상품"), .init("bonusCoins", "Bonus coins", "보너스 코인"),
        .init("purchases", "Purchases", "구매"), .init("paidAmount", "Paid", "결제 금액"),
        .init("refundedSince", "Refunded since", "이후 환불"),
        .init("trialBalance", "Balances of the ledger's accounts", "원장 계정 잔액"),
        .init("accountName", "Account", "계정"), .init("debit", "Debit", "차변"), .init("credit", "Credit", "대변"),
        .init("postingsOf", "Postings", "전기 내역"), .init("openItems", "Still open", "미결 항목"),
        .init("closings", "Closings", "마감"), .init("checkUntil", "Closing until", "마감 예정일"),
        .init("checkBefore", "Open before a closing until", "마감 전 미결 항목:"), .init("check", "Check", "점검"),
        .init("checkOpen", "Open", "미결"), .init("checkSince", "Since", "발생"), .init("checkShow", "Show", "보기"),
        .init("checkWhich", "Which", "대상"),
        .init("check_open_findings", "Open findings", "미해결 확인 필요 결제"),
        .init("check_waiting_receipts", "Receipts that wait for the gateway", "PG사 확인을 기다리는 결제"),
        .init("check_pending_refunds", "Pending refunds", "처리 중인 환불"),
        .init("check_uncompared_days", "Days not compared with the gateway", "PG사와 대사하지 않은 날"),
        .init("check_unmatched_settlement_lines", "Settlement lines without a payment", "결제를 찾지 못한 정산 내역"),
        .init("check_unsettled_payments", "Payments not settled within 14 days", "14일 안에 정산되지 않은 결제"),
        .init("check_missing_adjustments", "Adjustments that are not booked", "기록하지 않은 월말 수정분개"),
        .init("check_unsealed_periods", "Closed periods without a seal", "봉인되지 않은 마감"),
        .init("closedUntil", "closed before", "마감 시점:"),
        .init("seals", "Seals", "봉인"),
        .init(
            "sealsHelp", "Prove that the books were not changed: ledgerd doctor --seal FILE.",
            "장부가 바뀌지 않았음을 증명합니다: ledgerd doctor --seal FILE."),
        .init("entries", "entries", "분개"),
    ]
}
