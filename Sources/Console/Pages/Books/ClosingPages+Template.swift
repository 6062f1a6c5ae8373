extension ClosingPages {
    static let template = ConsoleTemplate(
        """
        <form class="line" method="get" action="/console/closing">
        <div class="field"><label for="month">{{t.month}}</label><select id="month" name="month">
        {{#months}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{name}}</option>
        {{/months}}</select></div><button>{{t.reportShow}}</button></form>
        {{#isClosed}}<p class="notice" role="status">{{t.closingIsClosed}} {{until}}</p>{{/isClosed}}
        {{#isRunning}}<p class="warning" role="status">{{t.closingRunning}}</p>{{/isRunning}}
        <h2>1. {{t.closingChecklist}}</h2>
        {{#isClear}}<p class="notice" role="status">{{t.closingClear}}</p>{{/isClear}}
        <table class="stacked"><caption>{{#isEmpty}}{{t.checkNothing}} {{until}}{{/isEmpty}}
        {{^isEmpty}}{{t.checkBefore}} {{from}} – {{until}}{{/isEmpty}}</caption>
        <thead><tr><th scope="col">{{t.check}}</th><th scope="col" class="number">{{t.checkOpen}}</th>
        <th scope="col">{{t.checkSince}}</th><th scope="col">{{t.checkWhich}}</th></tr></thead><tbody>
        {{#checklist}}<tr><th scope="row"><a href="{{path}}">{{question}}</a>{{#isOpen}}<br><span class="quiet">{{help}}</span>{{/isOpen}}</th>
        <td class="number">{{#isOpen}}<span class="status wait">{{open}}</span>{{/isOpen}}{{^isOpen}}<span class="status good">0</span>{{/isOpen}}</td>
        <td>{{since}}</td><td>{{which}}</td></tr>
        {{/checklist}}</tbody></table>
        <p class="quiet">{{t.closingChecklistHelp}} <a href="/console/ledger?period={{month}}">{{t.ledgerTitle}}</a></p>
        <h2>2. {{t.closingDo}}</h2>
        <ul><li>{{t.closingDoes1}} {{until}}</li><li>{{t.closingDoes2}}</li><li>{{t.closingDoes3}}</li><li>{{t.closingDoes4}}</li></ul>
        {{#form}}<p>{{t.closingType}} <code>{{month}}</code></p>
        \(ConsoleAct.proposeClosing.form("closingPropose", ids: ["confirm": "closing-confirm", "reason": "closing-reason"])){{/form}}
        {{#proposal}}<section class="card"><h3>{{t.closingProposed}} {{month}}</h3>
        <dl class="facts"><div><dt>{{t.person}}</dt><dd>{{by}}</dd></div><div><dt>{{t.time}}</dt><dd>{{at}}</dd></div>
        <div><dt>{{t.reason}}</dt><dd>{{reason}}</dd></div><div><dt>{{t.closingOpenThen}}</dt><dd>{{openThen}}</dd></div>
        <div><dt>{{t.closingOpenNow}}</dt><dd>{{openNow}}</dd></div></dl>
        {{#isOwn}}<p role="status">{{t.closingOwn}}</p>{{/isOwn}}
        {{#close}}<p>{{t.closingType}} <code>{{month}}</code></p>
        \(ConsoleAct.closeBooks.form("closingClose", ids: ["confirm": "close-confirm"])){{/close}}
        {{#withdraw}}<details><summary>{{t.closingWithdraw}}</summary>
        \(ConsoleAct.withdrawClosing.form("closingWithdraw", ids: ["reason": "withdraw-reason"], isFirst: false))</details>{{/withdraw}}
        </section>{{/proposal}}
        <h2 id="seal">3. {{t.closingSeal}}</h2><p class="quiet">{{t.sealsHelp}}</p>
        {{#hasNoKey}}<p role="status">{{t.closingNoKey}}</p>{{/hasNoKey}}
        {{#sealForm}}\(ConsoleAct.sealBooks.form("closingSealNow", isFirst: false)){{/sealForm}}
        {{^seals}}<p class="quiet">{{t.noneSeals}}</p>{{/seals}}
        <ul>{{#seals}}<li>{{at}}: {{entries}} {{t.entries}}, <code class="id">{{head}}</code>
        <a class="pick" href="/console/closing/seals/{{id}}">{{t.closingSealFile}}</a></li>{{/seals}}</ul>
        <h2>4. {{t.closingFiles}}</h2>
        <p><a class="button{{#isClosed}} first{{/isClosed}}" href="/console/reports?period={{month}}">{{t.closingReports}}</a>
        <a class="button" href="/console/reports/vouchers/file?period={{month}}">{{t.closingVouchers}}</a></p>
        <h2>{{t.closings}}</h2>
        {{^closings}}<p class="quiet">{{t.noneClosings}}</p>{{/closings}}
        <ul>{{#closings}}<li>{{t.closedUntil}} {{until}} ({{by}}, {{at}})</li>{{/closings}}</ul>
        """)

    static let texts: [ConsoleText] = frameTexts + checkTexts + doTexts

    private static let frameTexts: [ConsoleText] = [
        .init("closingTitle", "Closing", "마감"),
        .init("closingIsClosed", "The books are closed before", "마감 완료, 마감 시점:"),
        .init("closingRunning", "The month is not over, so it can't be closed yet.", "아직 끝나지 않은 달은 마감할 수 없습니다."),
        .init("closingChecklist", "What is open", "미결 항목 점검"),
        .init("closingClear", "Nothing is open.", "미결 항목이 없습니다."),
        .init(
            "closingChecklistHelp",
            "Nothing here keeps the month from being closed. What is booked later counts in the first open month.",
            "미결 항목이 있어도 마감할 수 있습니다. 이후 기장분은 마감되지 않은 첫 달에 반영됩니다."),
        .init("closingDo", "Close", "마감 실행"),
        .init("closingDoes1", "Nothing is booked any more with a time before", "다음 시점 이전으로는 더 이상 기장되지 않습니다:"),
        .init("closingDoes2", "The reports of the month never change again.", "이 달의 보고서는 더 이상 바뀌지 않습니다."),
        .init(
            "closingDoes3", "What comes late is booked at the first open moment, with its own time noted.",
            "늦게 도착한 거래는 마감 후 첫 시점에 기장하고 원래 발생 시각을 남깁니다."),
        .init("closingDoes4", "A closing can't be undone.", "마감은 취소할 수 없습니다."),
        .init("closingType", "To confirm, type", "확인을 위해 입력하세요:"), .init("closingConfirm", "Month to close", "마감할 월"),
        .init("closingPropose", "Propose to close the month", "월 마감 승인 요청"),
        .init("closingProposed", "Waits for a second person:", "승인 대기 중인 마감:"),
        .init("closingOpenThen", "Open when proposed", "요청 당시 미결"), .init("closingOpenNow", "Open now", "현재 미결"),
        .init(
            "closingOwn", "You proposed this closing: another person has to carry it out.",
            "본인이 요청한 마감입니다. 다른 담당자가 실행해야 합니다."),
        .init("closingClose", "Close the month for good", "월 마감 실행"),
        .init("closingWithdraw", "Withdraw the proposal", "마감 요청 취소"),
        .init("closingSeal", "Seal", "봉인"), .init("closingSealNow", "Seal the books now", "지금 봉인"),
        .init("closingSealFile", "File", "파일"),
        .init(
            "closingNoKey", "The books are not sealed: LEDGERD_SEAL_KEY is not set.",
            "봉인 키(LEDGERD_SEAL_KEY)가 설정되지 않아 봉인하지 않습니다."),
        .init("closingFiles", "Files", "파일"), .init("closingReports", "Reports of the month", "이 달의 보고서"),
        .init("closingVouchers", "Vouchers for the ERP (Excel)", "ERP 전표(엑셀)"),
        .init("closings", "Closings", "마감 내역"), .init("closedUntil", "closed before", "마감 시점:"),
        .init(
            "sealsHelp",
            "A seal proves that the books were not changed: ledgerd doctor --seal FILE. Keep its file elsewhere.",
            "장부가 바뀌지 않았음을 증명합니다(ledgerd doctor --seal FILE). 파일은 다른 곳에 보관하세요."),
        .init("entries", "entries", "분개"),
        .init(
            "problem_period_not_over", "The period is not over: close it after its end.",
            "아직 끝나지 않은 기간입니다. 기간이 끝난 뒤 마감하세요."),
        .init(
            "problem_period_already_closed", "The period is closed already. Withdraw the proposal.",
            "이미 마감한 기간입니다. 마감 요청을 취소하세요."),
    ]

    private static let checkTexts: [ConsoleText] = [
        .init("checkBefore", "Open in", "점검 기간:"),
        .init("checkNothing", "Nothing was booked before", "기장 내역 없음, 기준 시점:"),
        .init("check", "Check", "점검"),
        .init("checkOpen", "Open", "미결"), .init("checkSince", "Since", "발생"), .init("checkWhich", "Which", "대상"),
        .init("check_open_findings", "Open findings", "확인 필요 결제"),
        .init("check_waiting_receipts", "Receipts that wait for the gateway", "결제 확인 대기"),
        .init("check_pending_refunds", "Pending refunds", "처리 중인 환불"),
        .init("check_uncompared_days", "Days not compared with the gateway", "PG사와 대사하지 않은 날"),
        .init("check_unmatched_settlement_lines", "Settlement lines without a payment", "결제를 찾지 못한 정산 내역"),
        .init("check_unsettled_payments", "Payments not settled within 14 days", "14일 안에 정산되지 않은 결제"),
        .init("check_missing_adjustments", "Adjustments that are not booked", "기장하지 않은 월말 수정분개"),
        .init("check_unsealed_periods", "Closed periods without a seal", "봉인되지 않은 마감"),
    ]

    /// What to do about what is open.
    private static let doTexts: [ConsoleText] = [
        .init("checkDo_open_findings", "Decide each payment.", "결제마다 처리를 결정하세요."),
        .init(
            "checkDo_waiting_receipts", "They are asked about by themselves; see why they wait.",
            "자동으로 다시 확인합니다. 대기 사유를 확인하세요."),
        .init(
            "checkDo_pending_refunds", "See what the gateway or the transfer waits for.", "PG사 처리 또는 이체 대기 상태를 확인하세요."),
        .init("checkDo_uncompared_days", "Compare these days.", "해당 날짜를 대사하세요."),
        .init("checkDo_unmatched_settlement_lines", "Find their payments, or explain them.", "결제를 찾거나 사유를 기록하세요."),
        .init(
            "checkDo_unsettled_payments", "Import the gateway's settlement file, or ask it.", "정산 파일을 올리거나 PG사에 문의하세요."),
        .init("checkDo_missing_adjustments", "Preview and book them.", "미리 보고 기장하세요."),
        .init("checkDo_unsealed_periods", "Seal the books below.", "아래에서 봉인하세요."),
    ]
}
