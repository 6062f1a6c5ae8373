extension SettlementPages {
    private static let rows = """
        <thead><tr><th scope="col" class="number">{{t.lineNumber}}</th><th scope="col">{{t.payment}}</th>
        <th scope="col" class="number">{{t.column_gross}}</th><th scope="col" class="number">{{t.column_net}}</th>
        <th scope="col">{{t.column_paid_out_at}}</th><th scope="col">{{t.status}}</th></tr></thead><tbody>
        {{#rows}}<tr><td class="number">{{line}}</td><th scope="row"><code class="id">{{payment}}</code></th><td class="number">{{gross}}</td>
        <td class="number">{{net}}</td><td>{{day}}</td><td>{{status}} {{reason}} {{exchange}}
        {{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}
        {{#mayExplain}}<a href="/console/settlements/{{file}}/lines/{{number}}/dismiss">{{t.explain}}</a>{{/mayExplain}}
        {{#file}}<a href="/console/settlements/{{file}}">{{t.settlementFile}} {{file}}</a>{{/file}}</td></tr>
        {{/rows}}</tbody>
        """

    static let listTemplate = ConsoleTemplate(
        """
        <h2>{{t.outstandingByAge}}</h2>
        <table><thead><tr><th scope="col">{{t.ageDays}}</th><th scope="col" class="number">{{t.payments}}</th>
        <th scope="col" class="number">{{t.outstanding}}</th></tr></thead><tbody>
        {{#ages}}<tr><th scope="row">{{days}}</th><td class="number">{{payments}}</td><td class="number">{{outstanding}}</td></tr>
        {{/ages}}</tbody></table>
        <p class="quiet">{{t.tileOutstandingNote}}</p>
        <dl class="facts"><div><dt>{{t.owedByGateways}}</dt><dd>{{owed}}</dd></div></dl>
        {{#upload}}<h2>{{t.uploadTitle}}</h2>
        <form class="act" method="post" action="/console/settlements/preview" enctype="multipart/form-data">
        \(FormPart.hidden())
        <div class="field"><label for="file">{{t.uploadFile}}</label>
        <input id="file" name="file" type="file"
        accept=".csv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        required></div>
        <div class="field"><label for="gateway">{{t.uploadGateway}}</label><select id="gateway" name="gateway">
        {{#gateways}}<option value="{{name}}">{{name}}</option>
        {{/gateways}}<option value="">{{t.uploadOtherGateway}}</option></select></div>
        <div class="field"><label for="paid_out_on">{{t.uploadPaidOutOn}}</label>
        <input id="paid_out_on" name="paid_out_on" type="date"></div>
        <details><summary>{{t.uploadForeign}}</summary><p class="quiet">{{t.uploadForeignHelp}}</p>
        <div class="field"><label for="currency">{{t.uploadCurrency}}</label>
        <input id="currency" name="currency" maxlength="3" placeholder="USD"></div>
        <div class="field"><label for="exchange_rate">{{t.uploadRate}}</label>
        <input id="exchange_rate" name="exchange_rate" inputmode="decimal"></div>
        <div class="field"><label for="proceeds">{{t.uploadProceeds}}</label>
        <input id="proceeds" name="proceeds" inputmode="numeric"></div></details>
        <p class="quiet">{{t.uploadHelp}}</p>
        <div><button class="first">{{t.uploadPreview}}</button></div></form>{{/upload}}
        {{#returned}}<h2>{{t.returnedLines}}</h2><p class="quiet">{{t.returnedHelp}}</p>
        <table class="stacked">\(rows)</table>
        {{#match}}<form class="act" method="post" action="\(ConsoleAct.matchLines.action())">\(FormPart.hidden())
        <div><button class="first">{{t.matchLines}}</button></div></form>{{/match}}{{/returned}}
        {{#unchecked}}<h2>{{t.uncheckedLines}}</h2><p class="quiet">{{t.uncheckedHelp}}</p>
        <table class="stacked"><thead><tr><th scope="col">{{t.payment}}</th>
        <th scope="col" class="number">{{t.column_net}}</th><th scope="col">{{t.explanation}}</th>
        <th scope="col">{{t.explainedBy}}</th><th scope="col">{{t.secondLook}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><code class="id">{{payment}}</code></th><td class="number">{{net}}</td>
        <td>{{kind}}: {{reason}} <a href="/console/settlements/{{file}}">{{t.settlementFile}} {{file}}</a></td>
        <td>{{by}}{{#isOfTerminal}}<br><span class="status wait">{{t.explainedAtTerminal}}</span>{{/isOfTerminal}}</td>
        <td>{{#check}}<form method="post" action="\(ConsoleAct.checkDismissal.action())">\(FormPart.hidden())
        <button>{{t.confirmExplanation}}</button></form>{{/check}}</td></tr>
        {{/rows}}</tbody></table>{{/unchecked}}
        <h2 id="unmatched">{{t.unmatchedLines}}</h2>
        {{^unmatched}}\(FormPart.empty("unmatchedNone")){{/unmatched}}
        {{#unmatched}}<table class="stacked">\(rows)</table>{{/unmatched}}
        {{#hasMoreUnmatched}}<p class="quiet">{{t.moreUnmatched}}</p>{{/hasMoreUnmatched}}
        <h2>{{t.settlementFiles}}</h2>
        {{^files}}\(FormPart.empty("settlementFilesNone")){{/files}}
        {{#files}}<table class="stacked"><thead><tr><th scope="col">{{t.settlementFile}}</th><th scope="col">{{t.time}}</th>
        <th scope="col" class="number">{{t.line_settled}}</th><th scope="col" class="number">{{t.line_unmatched}}</th>
        <th scope="col" class="number">{{t.line_refused}}</th><th scope="col" class="number">{{t.column_net}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/settlements/{{id}}">{{name}}</a></th><td>{{time}}</td>
        <td class="number">{{settled}}</td><td class="number">{{unmatched}}</td><td class="number">{{refused}}</td>
        <td class="number">{{net}}</td></tr>
        {{/rows}}</tbody></table>{{/files}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.line_settled}}</dt><dd>{{settled}}</dd></div>
        <div><dt>{{t.line_unmatched}}</dt><dd>{{unmatched}}</dd></div><div><dt>{{t.line_refused}}</dt><dd>{{refused}}</dd></div>
        <div><dt>{{t.line_dismissed}}</dt><dd>{{dismissed}}</dd></div>
        <div><dt>{{t.column_gross}}</dt><dd>{{gross}}</dd></div><div><dt>{{t.column_fee}}</dt><dd>{{fee}}</dd></div>
        <div><dt>{{t.column_tax}}</dt><dd>{{tax}}</dd></div><div><dt>{{t.column_net}}</dt><dd>{{net}}</dd></div></dl>
        <p class="quiet">{{by}}, {{time}}</p>
        {{#lines}}<table class="stacked">\(rows)</table>{{/lines}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    /// The file, which each form of the preview carries to the next page.
    private static let uploaded = """
        \(FormPart.hidden())
        <input type="hidden" name="name" value="{{name}}"><input type="hidden" name="content" value="{{content}}">
        <input type="hidden" name="gateway" value="{{gateway}}">
        """

    /// What a person told of a store's payout.
    private static let payout = """
        <input type="hidden" name="paid_out_on" value="{{paidOutOn}}">
        {{#payout}}<input type="hidden" name="{{name}}" value="{{value}}">{{/payout}}
        """

    static let previewTemplate = ConsoleTemplate(
        """
        <p>{{name}}: {{t.previewHelp}}</p>
        {{#problems}}<p class="problem">{{text}}</p>{{/problems}}
        {{#canSkip}}<form class="act" method="post" action="/console/settlements/preview" enctype="multipart/form-data">
        \(uploaded)
        \(payout)
        <input type="hidden" name="skip_bad_rows" value="true">
        <div><button>{{t.previewSkip}}</button></div></form>{{/canSkip}}
        {{#choose}}<h2>{{t.uploadColumns}}</h2><p class="quiet">{{header}}</p>
        {{#remembered}}<p class="quiet">{{t.columnsRemembered}} {{by}}, {{time}}</p>{{/remembered}}
        <form class="act" method="post" action="/console/settlements/preview" enctype="multipart/form-data">
        \(uploaded)
        {{#fields}}<div class="field"><label for="{{name}}">{{text}}</label>
        <select id="{{name}}" name="{{name}}"{{#isRequired}} required{{/isRequired}}><option value="">–</option>
        {{#options}}<option value="{{value}}"{{#isSelected}} selected{{/isSelected}}>{{label}}</option>
        {{/options}}</select></div>
        {{/fields}}<div><button>{{t.previewAgain}}</button></div></form>{{/choose}}
        {{#isReadable}}<h2>{{t.previewTotals}}</h2>
        <dl class="facts">{{#sums}}<div><dt>{{text}}</dt><dd>{{amount}}</dd></div>{{/sums}}</dl>
        <table><thead><tr><th scope="col">{{t.previewOutcome}}</th><th scope="col" class="number">{{t.previewLines}}</th>
        <th scope="col" class="number">{{t.column_net}}</th></tr></thead><tbody>
        {{#outcomes}}<tr><th scope="row">{{text}}</th><td class="number">{{count}}</td><td class="number">{{net}}</td></tr>
        {{/outcomes}}</tbody></table>
        <form class="act" method="post" action="\(ConsoleAct.settle.action())" enctype="multipart/form-data">
        \(uploaded)
        \(payout)
        {{#skipsBadRows}}<input type="hidden" name="skip_bad_rows" value="true">{{/skipsBadRows}}
        {{#columns}}<input type="hidden" name="{{name}}" value="{{value}}">{{/columns}}
        <div><button class="first">{{t.previewBook}}</button></div></form>
        {{#lines}}<h2>{{t.previewEachLine}}</h2><table class="stacked">\(rows)</table>{{/lines}}
        {{#hasMore}}<p class="quiet">{{t.previewMoreLines}}</p>{{/hasMore}}{{/isReadable}}
        {{#leftOut}}<p class="quiet">{{t.previewLeftOut}}: {{text}}</p>{{/leftOut}}
        <p><a href="/console/settlements">{{t.back}}</a></p>
        """)

    static let lineTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.payment}}</dt><dd><code class="id">{{payment}}</code></dd></div>
        <div><dt>{{t.column_gross}}</dt><dd>{{gross}}</dd></div><div><dt>{{t.column_fee}}</dt><dd>{{fee}}</dd></div>
        <div><dt>{{t.column_tax}}</dt><dd>{{tax}}</dd></div><div><dt>{{t.column_net}}</dt><dd>{{net}}</dd></div>
        <div><dt>{{t.column_paid_out_at}}</dt><dd>{{day}}</dd></div>
        <div><dt>{{t.status}}</dt><dd>{{status}} {{reason}} {{exchange}}</dd></div></dl>
        {{#form}}<p>{{t.explainHelp}}</p>
        <form class="act" method="post" action="\(ConsoleAct.dismissLine.action())">\(FormPart.hidden())
        <div class="field"><label for="kind">{{t.explainKind}}</label><select id="kind" name="kind" required>
        {{#kinds}}<option value="{{value}}">{{text}}</option>
        {{/kinds}}</select></div>
        \(FormPart.reason())
        <div><button class="first">{{t.explain}}</button></div></form>{{/form}}
        <p><a href="/console/settlements/{{id}}">{{t.back}}</a></p>
        """)

    static let texts: [ConsoleText] = [
        .init("unmatchedNone", "Every line has its payment.", "모든 행의 결제를 찾았습니다."),
        .init(
            "settlementFilesNone", "No file is booked yet. Upload the settlement file of the gateway.",
            "기장한 정산 파일이 없습니다. PG사의 정산 파일을 올리세요."),
        .init("settlementsTitle", "Settlement", "정산"), .init("settlementFile", "File", "파일"),
        .init("settlementFiles", "Files", "정산 파일"),
        .init("outstandingByAge", "Outstanding at the gateways, by days since the payment", "결제 후 일수별 미정산"),
        .init("ageDays", "Days", "일수"), .init("outstanding", "Outstanding", "미정산"),
        .init("uploadTitle", "Upload a settlement file", "정산 파일 올리기"),
        .init("uploadFile", "File (Excel or CSV)", "파일(Excel 또는 CSV)"), .init("uploadGateway", "Gateway", "PG사"),
        .init("uploadOtherGateway", "another one", "기타"),
        .init(
            "uploadPaidOutOn", "Day of the payout, only for the file of a store",
            "지급일(앱 스토어의 파일만)"),
        .init("uploadForeign", "App Store report in a foreign currency", "외화 App Store 보고서"),
        .init(
            "uploadForeignHelp",
            "By Apple's summary of payments. Upload the report of all countries once for each currency.",
            "Apple의 지급 요약에 있는 값입니다. 모든 국가의 보고서를 통화마다 한 번씩 올리세요."),
        .init("uploadCurrency", "Currency", "통화"), .init("uploadRate", "Exchange rate", "환율"),
        .init("uploadProceeds", "Proceeds in won", "지급액(원)"),
        .init(
            "uploadHelp",
            "As the gateway gives it, at most \(ConsoleForm.longestFileMiB) MiB. The next page shows its columns and what each "
                + "line will do.",
            "PG사에서 받은 파일 그대로 올리세요(최대 \(ConsoleForm.longestFileMiB) MiB). 다음 화면에서 열을 확인하고 행마다 처리될 내용을 봅니다."),
        .init(
            "uploadTooLarge",
            "a file has at most \(ConsoleForm.longestFileMiB) MiB here: import a larger one with ledgerd settlement import",
            "최대 \(ConsoleForm.longestFileMiB) MiB, 더 큰 파일은 ledgerd settlement import로 가져오세요"),
        .init("headerLine", "The header is in line", "제목 행"),
        .init("headerMissing", "The file has no header; its columns are numbered.", "제목 행이 없어 열 번호로 표시합니다."),
        .init("columnsRemembered", "As mapped last for this gateway:", "이 PG사에 마지막으로 지정한 열:"),
        .init("previewAgain", "Read with these columns", "이 열로 다시 읽기"),
        .init("previewOutcome", "What the lines will do", "처리 내용"), .init("previewLines", "Lines", "행 수"),
        .init("previewEachLine", "Each line", "행별 처리"),
        .init("previewMoreLines", "More lines will be booked; the first ones are shown.", "기장될 행이 더 있으며 일부만 표시합니다."),
        .init("willBook", "will be booked", "기장 예정"),
        .init("returnedLines", "Lines whose payment is in the books now", "결제가 확인된 행"),
        .init(
            "returnedHelp", "Their payments were credited after the import. Explained lines come back here too.",
            "가져온 뒤에 결제가 적립된 행입니다. 설명했던 행도 다시 나타납니다."),
        .init("matchLines", "Book these lines", "이 행들을 기장하기"),
        .init("uncheckedLines", "Explained lines that wait for a second look", "재확인을 기다리는 설명"),
        .init("uncheckedHelp", "Somebody else than who explained it looks at each.", "설명한 사람이 아닌 담당자가 확인합니다."),
        .init(
            "explainedAtTerminal", "at a terminal, where nobody checks the name: make sure that it was not you",
            "터미널에서 기록하여 이름을 확인하지 않음: 본인이 설명한 행인지 확인하세요"),
        .init("explanation", "Explanation", "설명"), .init("explainedBy", "Explained by", "설명한 사람"),
        .init("secondLook", "Second look", "재확인"), .init("confirmExplanation", "Confirm", "확인"),
        .init("explain", "Explain", "설명하기"), .init("explainTitle", "Explain a settlement line", "정산 행 설명"),
        .init(
            "explainHelp",
            "The line is not ours, so nobody has to look for its payment. If the payment is credited after all, the line comes back.",
            "우리 결제가 아닌 행으로 표시합니다. 나중에 결제가 적립되면 이 행이 다시 나타납니다."),
        .init("explainKind", "What the line is", "행의 종류"),
        .init("dismissal_other_goods", "other goods or another shop", "다른 상품 또는 다른 상점"),
        .init("dismissal_total", "a total or carry-over", "합계 또는 이월"), .init("dismissal_other", "other", "기타"),
        .init("previewSkip", "Preview without what can't be booked", "기장할 수 없는 것을 빼고 미리보기"),
        .init("uploadColumns", "Columns of the file", "파일의 열"), .init("uploadPreview", "Preview", "미리보기"),
        .init("unmatchedLines", "Lines without a payment in the books", "장부에 결제가 없는 행"),
        .init(
            "moreUnmatched", "There are more: GET /v1/settlements/unmatched", "더 있습니다: GET /v1/settlements/unmatched"),
        .init("lineNumber", "Line", "행"),
        .init("column_payment_id", "Payment id", "결제 번호"), .init("column_gross", "Gross", "거래금액"),
        .init("column_fee", "Fee", "수수료"), .init("column_tax", "Tax on the fee", "부가세"),
        .init("column_net", "Net", "정산금액"), .init("column_paid_out_at", "Settlement date", "정산일"),
        .init("column_payment_currency", "Currency of the amounts", "통화"),
        .init("column_payout_rate", "Rate of the payout (won of one unit)", "정산 환율(한 단위의 원화)"),
        .init("column_payout_won", "Net in won", "원화 정산금액"),
        .init("exchangeGain", "exchange gain", "외환차익"), .init("exchangeLoss", "exchange loss", "외환차손"),
        .init("line_waiting", "waits", "대기"), .init("line_settled", "booked", "기장됨"),
        .init("line_unmatched", "without a payment", "결제 없음"), .init("line_refused", "refused", "거절됨"),
        .init("line_dismissed", "dismissed", "제외됨"),
        .init("lineReason_already_settled", "another file booked the same line", "다른 파일에서 같은 행을 이미 기장함"),
        .init(
            "lineReason_settled_otherwise", "another file booked other lines of this payment and day",
            "다른 파일에서 이 결제와 정산일의 다른 행을 기장함"),
        .init("lineReason_exceeds_payment", "more than was paid", "결제 금액 초과"),
        .init("lineReason_foreign_currency", "in another currency than the payment", "결제 통화와 다름"),
        .init("lineReason_paid_out_in_future", "the date is more than a week ahead", "정산일이 일주일 이상 미래임"),
        .init("lineReason_paid_out_before_payment", "the date is before the payment", "정산일이 결제보다 빠름"),
        .init("lineReason_fee_exceeds_gross", "the fee is more than the gross amount", "수수료가 거래금액 초과"),
        .init(
            "lineReason_rate_implausible", "less than half or more than double of the worth at the rate of the payment",
            "결제일 환율 환산액의 절반보다 적거나 두 배보다 많음"),
        .init(
            "lineReason_changed_meanwhile", "imported with other columns at the same time", "동시에 다른 열로 가져옴"),
        .init(
            "lineReason_named_otherwise",
            "the id is a further name of the payment: import the file with the column of its order number or own payment id",
            "결제의 다른 이름임: 주문번호나 장부에 있는 결제 번호의 열로 다시 가져오세요"),
        .init("lineReason_ambiguous", "the id is of two payments", "결제 번호가 두 결제에 해당함"),
        .init("lineReason_refused", "refused", "거절됨"),
        .init("previewTitle", "Preview of a settlement file", "정산 파일 미리보기"),
        .init("previewHelp", "nothing is booked yet.", "아직 기장되지 않았습니다."),
        .init("previewTotals", "What will be booked", "기장할 내용"),
        .init("previewLeftOut", "Left out", "제외"),
        .init("previewBook", "Book it", "기장하기"),
    ]
}
