extension HomePage {
    static let template = ConsoleTemplate(
        """
        <div class="tiles">
        {{#toDo}}<section class="wide" aria-labelledby="tile-to-do"><h2 id="tile-to-do">{{t.groupToDo}}</h2>
        {{#isFailed}}<p class="problem" role="status">{{t.tileFailed}}</p>{{/isFailed}}
        {{#isEmpty}}<p class="quiet">{{t.toDoNothing}}</p>{{/isEmpty}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.waitingWhat}}</th>
        <th scope="col">{{t.searchUser}}</th><th scope="col" class="number">{{t.toDoAge}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="{{link}}">{{what}}</a></th>
        <td>{{#customer}}<a href="{{page}}">{{name}}</a>{{/customer}}</td>
        <td class="number">{{#since}}<time datetime="{{value}}" title="{{text}}">{{age}}</time>{{/since}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}</section>{{/toDo}}
        {{#customers}}<section class="wide" aria-labelledby="tile-customers">
        <h2 id="tile-customers">{{t.lastCustomers}}</h2>
        {{#isFailed}}<p class="problem" role="status">{{t.tileFailed}}</p>{{/isFailed}}
        {{#isEmpty}}<p class="quiet">{{t.lastCustomersNone}}</p>{{/isEmpty}}
        {{#list}}<ul class="line">{{#users}}<li><a href="{{page}}">{{name}}</a></li>{{/users}}</ul>{{/list}}
        </section>{{/customers}}
        {{#tiles}}<section aria-labelledby="tile-{{id}}"><h2 id="tile-{{id}}"><a href="{{page}}">{{title}}</a></h2>
        {{#isFailed}}<p class="problem" role="status">{{t.tileFailed}}</p>{{/isFailed}}
        {{^isFailed}}<dl class="lines">{{#facts}}<div><dt>{{#link}}<a href="{{link}}">{{name}}</a>{{/link}}{{^link}}{{name}}{{/link}}</dt>
        <dd>{{value}}</dd></div>{{/facts}}</dl>{{/isFailed}}
        {{#note}}<p class="quiet">{{note}}</p>{{/note}}</section>
        {{/tiles}}</div>
        """)

    static let texts: [ConsoleText] = [
        .init("homeTitle", "Home", "홈"),
        .init("tileFailed", "This part can't be shown now. Load the page again.", "지금은 표시할 수 없습니다. 새로고침하세요."),
        .init("toDoNothing", "Nothing waits for you.", "처리할 일이 없습니다."),
        .init("toDoAge", "Waiting for", "대기 시간"),
        .init("toDoReceipt", "Waiting receipt", "결제 확인 대기"),
        .init("toDoRefund", "Pending refund", "처리 중인 환불"),
        .init("toDoApproval", "To approve", "승인 요청"),
        .init("toDoDispute", "Dispute", "분쟁"),
        .init("lastCustomers", "Customers that you helped last", "최근에 처리한 고객"),
        .init(
            "lastCustomersNone", "The customers of your latest acts will be here. Search for one above.",
            "최근에 처리한 고객이 여기에 표시됩니다. 위 검색창에서 고객을 찾으세요."),
        .init("tileSales", "Sales", "매출"),
        .init(
            "tileSalesNote", "By time of payment, before refunds. Days before today can be ten minutes old.",
            "결제 시각 기준, 환불 차감 전 금액입니다. 어제까지의 금액은 최대 10분 전 기준입니다."),
        .init("salesToday", "Sales today", "오늘 매출"), .init("purchasesToday", "Purchases today", "오늘 구매 건수"),
        .init("salesOfMonth", "Sales this month", "이번 달 매출"),
        .init("purchasesOfMonth", "Purchases this month", "이번 달 구매 건수"),
        .init("tileBooks", "Owed now", "현재 잔액"),
        .init("owedForCoins", "Owed to users for unused coins", "미사용 코인 부채"),
        .init("owedByGateways", "Owed by the gateway", "PG사 미수금"),
        .init("owedRefunds", "Refunds to pay by transfer", "계좌이체로 지급할 환불"),
        .init("tileFindings", "Findings by age", "확인 필요 결제(경과일별)"),
        .init("daysOrMore", " days or more", "일 이상"),
        .init("tileRun", "Last reconciliation", "최근 대사"),
        .init("runStarted", "Started", "시작"), .init("runDifferences", "Differences", "차이"),
        .init("tileOutstanding", "Not paid out yet, by age", "미정산 금액(경과일별)"),
        .init(
            "tileOutstandingNote",
            "Of the oldest 10,000 payments that are not paid out in full. If there are more, the newest are left out.",
            "아직 전액 정산되지 않은 결제 중 가장 오래된 10,000건 기준이며, 더 많으면 최근 결제는 빠집니다."),
        .init("closingUntil", "Closing until", "마감 예정일"),
        .init("tileClosing", "Before closing the last month", "지난달 마감 전 미결 항목"),
        .init("tileClosingNote", "Nothing of it keeps the books from being closed.", "미결 항목이 있어도 마감할 수 있습니다."),
        .init("tileVAT", "VAT of this quarter", "이번 분기 부가세"),
        .init(
            "tileVATNote", "As booked since the quarter began. The VAT report is what you file.",
            "분기 시작 이후 장부에 기록된 금액입니다. 신고에는 부가세 보고서를 사용하세요."),
        .init("outputVAT", "Output VAT", "매출세액"), .init("inputVAT", "Input VAT", "매입세액"),
        .init("vatToPay", "To pay", "납부할 세액"),
        .init("tileHealth", "Health", "서비스 상태"),
        .init("paymentsOfHour", "Payments in the last hour", "최근 1시간 결제"),
        .init("booksClosed", "Books closed until", "장부 마감"), .init("booksSealed", "Books sealed at", "최근 봉인"),
    ]
}
