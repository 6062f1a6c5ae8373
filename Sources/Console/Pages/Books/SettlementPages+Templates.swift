extension SettlementPages {
    private static let rows = """
        <thead><tr><th scope="col" class="number">{{t.lineNumber}}</th><th scope="col">{{t.linePayment}}</th>
        <th scope="col" class="number">{{t.column_gross}}</th><th scope="col" class="number">{{t.column_net}}</th>
        <th scope="col">{{t.column_paid_out_at}}</th><th scope="col">{{t.status}}</th></tr></thead><tbody>
        {{#rows}}<tr><td class="number">{{line}}</td><th scope="row">{{payment}}</th><td class="number">{{gross}}</td>
        <td class="number">{{net}}</td><td>{{day}}</td><td>{{status}} {{reason}}
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
        {{#upload}}<h2>{{t.uploadTitle}}</h2>
        <form class="act" method="post" action="/console/settlements/preview" enctype="multipart/form-data">
        \(FormPart.hidden())
        <div class="field"><label for="file">{{t.uploadFile}}</label>
        <input id="file" name="file" type="file" accept=".csv,.txt,text/csv,text/plain" required></div>
        <fieldset><legend>{{t.uploadColumns}}</legend>
        {{#fields}}<div class="field"><label for="{{name}}">{{text}}</label><input id="{{name}}" name="{{name}}"
        value="{{value}}"{{#isRequired}} required{{/isRequired}} autocomplete="off"></div>
        {{/fields}}</fieldset>
        <div><button class="first">{{t.uploadPreview}}</button></div></form>{{/upload}}
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

    static let previewTemplate = ConsoleTemplate(
        """
        <p>{{name}}: {{t.previewHelp}}</p>
        <h2>{{t.uploadColumns}}</h2>
        <dl class="facts">{{#columns}}<div><dt>{{text}}</dt><dd>{{value}}</dd></div>{{/columns}}</dl>
        {{#problems}}<p class="problem">{{text}}</p>{{/problems}}
        {{#isReadable}}<h2>{{t.previewTotals}}</h2>
        <dl class="facts"><div><dt>{{t.previewMatched}}</dt><dd>{{matched}}</dd></div>
        <div><dt>{{t.line_unmatched}}</dt><dd>{{unmatchedCount}}</dd></div>
        <div><dt>{{t.column_gross}}</dt><dd>{{gross}}</dd></div><div><dt>{{t.column_fee}}</dt><dd>{{fee}}</dd></div>
        <div><dt>{{t.column_tax}}</dt><dd>{{tax}}</dd></div><div><dt>{{t.column_net}}</dt><dd>{{net}}</dd></div></dl>
        {{#leftOut}}<p class="quiet">{{t.previewLeftOut}}: {{text}}</p>{{/leftOut}}
        <h2>{{t.previewFirst}}</h2>{{#first}}<table class="stacked">\(rows)</table>{{/first}}
        <h2>{{t.unmatchedLines}}</h2>{{^unmatched}}\(FormPart.empty("unmatchedNone")){{/unmatched}}
        {{#unmatched}}<table class="stacked">\(rows)</table>{{/unmatched}}
        <form class="act" method="post" action="\(ConsoleAct.settle.action())" enctype="multipart/form-data">
        \(FormPart.hidden())
        <input type="hidden" name="name" value="{{name}}"><input type="hidden" name="content" value="{{content}}">
        {{#columns}}<input type="hidden" name="{{name}}" value="{{value}}">{{/columns}}
        <div><button class="first">{{t.previewBook}}</button></div></form>{{/isReadable}}
        <p><a href="/console/settlements">{{t.back}}</a></p>
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
        .init("uploadTitle", "Upload a settlement file", "정산 파일 올리기"), .init("uploadFile", "File (CSV)", "파일(CSV)"),
        .init("uploadColumns", "Columns of the file", "파일의 열"), .init("uploadPreview", "Preview", "미리보기"),
        .init("unmatchedLines", "Lines without a payment in the books", "장부에 결제가 없는 행"),
        .init(
            "moreUnmatched", "There are more: GET /v1/settlements/unmatched", "더 있습니다: GET /v1/settlements/unmatched"),
        .init("lineNumber", "Line", "행"), .init("linePayment", "Payment", "결제"),
        .init("column_payment_id", "Payment id", "결제 번호"), .init("column_gross", "Gross", "거래금액"),
        .init("column_fee", "Fee", "수수료"), .init("column_tax", "Tax on the fee", "부가세"),
        .init("column_net", "Net", "정산금액"), .init("column_paid_out_at", "Paid out", "정산일"),
        .init("line_waiting", "waits", "대기"), .init("line_settled", "booked", "기장됨"),
        .init("line_unmatched", "without a payment", "결제 없음"), .init("line_refused", "refused", "거절됨"),
        .init("line_dismissed", "dismissed", "제외됨"),
        .init("lineReason_already_settled", "another file booked the same line", "다른 파일에서 같은 행을 이미 기장함"),
        .init(
            "lineReason_settled_otherwise", "another file booked other lines of this payment and day",
            "다른 파일에서 이 결제와 정산일의 다른 행을 기장함"),
        .init("lineReason_exceeds_payment", "more than was paid", "결제 금액 초과"),
        .init("lineReason_paid_out_in_future", "the date is more than a week ahead", "정산일이 일주일 이상 미래임"),
        .init("lineReason_paid_out_before_payment", "the date is before the payment", "정산일이 결제보다 빠름"),
        .init("lineReason_fee_exceeds_gross", "the fee is more than the gross amount", "수수료가 거래금액 초과"),
        .init(
            "lineReason_changed_meanwhile", "imported with other columns at the same time", "동시에 다른 열로 가져옴"),
        .init("lineReason_ambiguous", "the id is of two payments", "결제 번호가 두 결제에 해당함"),
        .init("lineReason_refused", "refused", "거절됨"),
        .init("previewTitle", "Preview of a settlement file", "정산 파일 미리보기"),
        .init("previewHelp", "nothing is booked yet.", "아직 기장되지 않았습니다."),
        .init("previewTotals", "What will be booked", "기장할 내용"),
        .init("previewMatched", "Lines with a payment", "결제가 있는 행"),
        .init("previewFirst", "The first lines, as they are read", "읽은 첫 행"),
        .init("previewLeftOut", "Left out", "제외"),
        .init("previewBook", "Book it", "기장하기"),
    ]
}
