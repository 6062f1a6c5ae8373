extension ReportPages {
    static let template = ConsoleTemplate(
        """
        {{#refusal}}<div class="problem" role="alert"><strong>{{report}}</strong>: {{text}}</div>{{/refusal}}
        <form class="line" method="get" action="/console/reports">
        <div class="field"><label for="period">{{t.reportPeriod}}</label><select id="period" name="period">
        {{#choices}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{name}}</option>
        {{/choices}}</select></div><button>{{t.reportShow}}</button></form>
        <details><summary>{{t.reportOtherDays}}</summary><form class="line" method="get" action="/console/reports">
        <div class="field"><label for="from">{{t.from}}</label><input id="from" name="from" type="date" required value="{{from}}"></div>
        <div class="field"><label for="last">{{t.lastDay}}</label><input id="last" name="last" type="date" required value="{{last}}"></div>
        <button>{{t.reportShow}}</button></form></details>
        <h2>{{period}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.report}}</th><th scope="col">{{t.reportCovers}}</th>
        <th scope="col">{{t.reportFile}}</th></tr></thead><tbody>
        {{#reports}}<tr><th scope="row">{{name}}<br><span class="quiet">{{about}}</span></th><td>{{covers}}</td>
        <td>{{#missing}}<span class="quiet">{{missing}}</span>{{/missing}}
        {{#paths}}<a class="button" href="{{excel}}">{{t.reportExcel}}</a> <a class="button" href="{{csv}}">{{t.reportCSV}}</a>
        <a class="pick" href="{{checksum}}">SHA-256</a>{{/paths}}</td></tr>
        {{/reports}}</tbody></table>
        <p class="quiet">{{t.reportsHelp}}</p>
        """)

    static let checksumTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.reportFile}}</dt><dd>{{file}}</dd></div><div><dt>{{t.reportRows}}</dt><dd>{{rows}}</dd></div></dl>
        <p>SHA-256 <code class="id">{{sha256}}</code></p>
        <p class="quiet">{{t.reportChecksumHelp}}</p>
        <table class="stacked"><thead><tr><th scope="col">{{t.reportColumn}}</th><th scope="col" class="number">{{t.reportSum}}</th></tr></thead><tbody>
        {{#sums}}<tr><th scope="row"><code>{{column}}</code></th><td class="number">{{amount}}</td></tr>
        {{/sums}}</tbody></table>
        <p><a class="button" href="{{path}}">{{t.reportDownload}}</a> <a class="button" href="{{back}}">{{t.reportsTitle}}</a></p>
        """)

    static let texts: [ConsoleText] =
        frameTexts + refusalTexts
        + names.flatMap { name, english, korean, about, koreanAbout in
            [ConsoleText("report_\(name)", english, korean), ConsoleText("reportAbout_\(name)", about, koreanAbout)]
        }

    private static let frameTexts: [ConsoleText] = [
        .init("reportsTitle", "Reports", "보고서"), .init("report", "Report", "보고서"),
        .init("reportPeriod", "Month, quarter or year", "월, 분기 또는 연도"), .init("reportShow", "Show", "보기"),
        .init("reportOtherDays", "Other days", "기간 직접 선택"), .init("reportCovers", "Covers", "기준"),
        .init("reportCoversPeriod", "the period", "기간"), .init("reportCoversEnd", "the end of the period", "기간 말"),
        .init("reportCoversRun", "the last reconciliation", "마지막 대사"), .init("reportFile", "File", "파일"),
        .init("reportExcel", "Excel", "엑셀"), .init("reportCSV", "CSV", "CSV"),
        .init(
            "reportsHelp",
            "A period counts what happened in it, whenever it was recorded; once it is closed, its files never change.",
            "발생일 기준으로 집계합니다. 마감한 기간의 파일은 바뀌지 않습니다."),
        .init("reportRows", "Rows", "행 수"), .init("reportColumn", "Column", "열"), .init("reportSum", "Sum", "합계"),
        .init("reportDownload", "Download", "내려받기"),
        .init(
            "reportChecksumHelp",
            "The file was made and not kept. The file of a closed period has this SHA-256 each time it is made.",
            "파일을 만들어 계산했으며 보관하지 않습니다. 마감한 기간의 파일은 다시 만들어도 값이 같습니다."),
    ]

    private static let refusalTexts: [ConsoleText] = [
        .init(
            "reportRefused_tooMany", "Too many reports are being made. Try again in a moment.",
            "다른 보고서를 만들고 있습니다. 잠시 후 다시 시도하세요."),
        .init(
            "reportRefused_noAccounts", "Needs the accounts of your ERP: set LEDGERD_VOUCHER_ACCOUNTS.",
            "ERP 계정 과목 파일이 필요합니다. LEDGERD_VOUCHER_ACCOUNTS를 설정하세요."),
        .init(
            "reportRefused_vatIsOff",
            "VAT is off (LEDGERD_VAT), or was in the period: nothing in it was booked with VAT, so there is nothing to file.",
            "부가세 기장이 꺼져 있거나(LEDGERD_VAT) 이 기간에 꺼져 있었습니다. 부가세로 기장한 내역이 없어 신고 자료를 만들 수 없습니다."),
        .init(
            "reportRefused_noPolicy", "No accounting policy is set, so no month is adjusted. Set one under Month-end.",
            "설정된 회계정책이 없어 수정분개가 없습니다. 월말 수정분개에서 설정하세요."),
        .init("reportRefused_noRun", "No reconciliation has been completed yet.", "완료된 대사가 없습니다."),
        .init(
            "reportRefused_unmapped", "The file of LEDGERD_VOUCHER_ACCOUNTS lacks these accounts:",
            "LEDGERD_VOUCHER_ACCOUNTS 파일에 없는 계정입니다:"),
    ]

    private static let names: [(String, String, String, String, String)] = [
        ("journal", "Journal", "분개장", "every posting", "모든 전기 내역"),
        ("purchases", "Purchases", "구매 내역", "each payment, with what was refunded", "결제별 구매와 환불"),
        ("lots", "Coin lots", "코인 적립 건", "coins by purchase or grant, with what is left", "구매·지급별 코인과 잔여"),
        ("trial-balance", "Trial balance", "잔액시산표", "the balance of each account", "계정별 잔액"),
        (
            "trial-balance-totals", "Trial balance with totals", "합계잔액시산표",
            "opening balance, totals and balance of each account", "계정별 기초·합계·잔액"
        ),
        (
            "vouchers", "Vouchers for the ERP", "ERP 전표", "the won of each day in your ERP's accounts",
            "일별 원화 분개(ERP 계정)"
        ),
        (
            "foreign-payments", "Foreign payments", "외화 결제", "what was paid in foreign currencies, at which rates",
            "외화로 결제한 구매와 적용 환율"
        ),
        ("vat", "VAT", "부가세", "supplies, output and input VAT", "공급가액과 매출·매입 부가세"),
        ("fee-accrual", "Fees to accrue", "PG사 수수료 미지급 예상", "fees of what the gateways owe", "미정산 결제의 예상 수수료"),
        (
            "liability", "Liability", "미사용 코인 부채", "what is owed for unused coins, by month of purchase",
            "구매 월별 미사용 코인 부채"
        ),
        (
            "prepaid", "Prepaid coins", "선불 코인 현황", "coins issued, used, refunded and expired each day",
            "일별 발행·사용·환불·만료"
        ),
        ("user-balances", "Balances of customers", "고객별 잔액", "coins of each customer", "고객별 코인"),
        ("adjustments", "Month-end adjustments", "월말 수정분개", "where each adjustment comes from", "수정분개의 산출 근거"),
        (
            "breakage", "Unused coins by month of sale", "판매 월별 미사용 코인", "what became of each month's sales",
            "판매 월별 사용·만료·잔여"
        ),
        ("settlements", "Settlements", "PG사 정산", "what the gateways paid out, line by line", "PG사가 지급한 정산 내역"),
        ("payouts", "Payouts to providers", "파트너 정산", "what providers were paid, and taxes withheld", "파트너 지급액과 원천징수"),
        (
            "withholding", "Withheld taxes by year", "연간 원천징수 명세",
            "what each provider was paid in a year, and taxes withheld",
            "연도별·파트너별 지급액과 원천징수(지급명세서용)"
        ),
        ("reconciliation", "Reconciliation", "대사 결과", "each payment compared with the gateway", "PG사와 대조한 결제"),
        ("audit", "Audit", "감사 기록", "what people did in the console", "콘솔에서 한 일"),
    ]
}
