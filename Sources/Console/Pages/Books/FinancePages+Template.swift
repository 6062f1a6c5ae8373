extension FinancePages {
    static let template = ConsoleTemplate(
        """
        <ul class="line">{{#spans}}<li><a href="/console/finance?days={{days}}"{{#isChosen}} aria-current="true"{{/isChosen}}>{{days}}
        {{t.daysUnit}}</a></li>{{/spans}}</ul>
        <form class="line" method="get" action="/console/finance">
        <div class="field"><label for="from">{{t.from}}</label><input id="from" name="from" type="date" value="{{from}}"></div>
        <div class="field"><label for="last">{{t.lastDay}}</label><input id="last" name="last" type="date" value="{{last}}"></div>
        <button>{{t.filter}}</button></form>
        {{#isBehind}}<p class="warning" role="status">{{t.sumsBehind}}</p>{{/isBehind}}
        \(Chart.template("charts"))
        <p class="quiet">{{t.daysHelp}}</p>
        <details open><summary>{{t.daysTable}}</summary><div class="scroll"><table class="stacked sortable">
        <thead><tr><th scope="col">{{t.day}}</th><th scope="col" class="number">{{t.coinsSold}}</th>
        <th scope="col" class="number">{{t.coinsPromoted}}</th><th scope="col" class="number">{{t.coinsSpent}}</th>
        <th scope="col" class="number">{{t.coinsExpired}}</th><th scope="col" class="number">{{t.revenue}}</th>
        <th scope="col" class="number">{{t.breakage}}</th><th scope="col" class="number">{{t.liability}}</th></tr></thead><tbody>
        {{#days}}<tr><th scope="row"><a href="/console/finance?day={{day}}">{{day}}</a></th><td class="number">{{sold}}</td>
        <td class="number">{{promoted}}</td><td class="number">{{spent}}</td><td class="number">{{expired}}</td>
        <td class="number">{{revenue}}</td><td class="number">{{breakage}}</td><td class="number">{{liability}}</td></tr>
        {{/days}}</tbody></table></div></details>
        <h2>{{t.salesOf}} {{day}}</h2>
        {{^sales}}<p class="quiet">{{t.noneSales}}</p>{{/sales}}
        {{#sales}}<table class="stacked sortable"><thead><tr><th scope="col">{{t.product}}</th><th scope="col" class="number">{{t.purchases}}</th>
        <th scope="col" class="number">{{t.coins}}</th><th scope="col" class="number">{{t.bonusCoins}}</th>
        <th scope="col" class="number">{{t.paidAmount}}</th><th scope="col" class="number">{{t.refundedSince}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{product}}</th><td class="number">{{purchases}}</td><td class="number">{{coins}}</td>
        <td class="number">{{bonus}}</td><td class="number">{{amount}}</td><td class="number">{{refunded}}</td></tr>
        {{/rows}}</tbody></table>{{/sales}}
        <h2>{{t.openItems}}</h2>
        <ul>{{#open}}<li><a href="{{path}}">{{text}}</a>: {{count}}</li>{{/open}}</ul>
        <p><a class="button" href="/console/ledger">{{t.ledgerTitle}}</a> <a class="button" href="/console/reports">{{t.reportsTitle}}</a>
        <a class="button" href="/console/closing">{{t.closingTitle}}</a></p>
        """)

    static let texts: [ConsoleText] = [
        .init("financeTitle", "Finance", "재무"), .init("daysUnit", "days", "일"),
        .init("daysTable", "The numbers, day by day", "일별 수치"), .init("day", "Day", "날짜"),
        .init(
            "daysHelp",
            "Days on which it happened, as in the reports. The dashed line is the same number of days before.",
            "보고서와 같이 발생일 기준입니다. 점선은 직전 같은 기간입니다."),
        .init(
            "sumsBehind", "Not all entries are added up yet. Load the page again in a moment.",
            "아직 합산 중인 분개가 있습니다. 잠시 후 새로고침하세요."),
        .init("coinsSold", "Coins sold, less returns", "판매 코인(반환 차감)"),
        .init("coinsPromoted", "Bonus coins given", "지급 보너스 코인"), .init("coinsSpent", "Coins spent", "사용 코인"),
        .init("coinsExpired", "Coins expired", "만료 코인"), .init("revenue", "Revenue of spent coins", "코인 사용 매출"),
        .init("breakage", "Revenue of expired coins", "코인 만료 매출"),
        .init("liability", "Liability for unused coins", "미사용 코인 부채"), .init("salesOf", "Sales of", "판매:"),
        .init("product", "Product", "상품"), .init("bonusCoins", "Bonus coins", "보너스 코인"),
        .init("purchases", "Purchases", "구매"), .init("paidAmount", "Paid", "결제 금액"),
        .init("closingWaiting", "Closings that wait for a second person", "승인 대기 중인 마감"),
        .init("refundedSince", "Refunded since", "이후 환불"), .init("openItems", "Still open", "미결 항목"),
    ]
}
