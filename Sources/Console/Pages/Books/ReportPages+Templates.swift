import Ledger

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
        + Report.all.flatMap { report in
            let words = report.words
            return [
                ConsoleText("report_\(report.rawValue)", words.english, words.korean),
                ConsoleText("reportAbout_\(report.rawValue)", words.about, words.koreanAbout),
            ]
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
}
