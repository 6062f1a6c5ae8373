extension PayoutPages {
    static let listTemplate = ConsoleTemplate(
        """
        {{#form}}<h2>{{t.payoutPropose}}</h2>
        \(ConsoleAct.proposePayout.form("payoutPropose")){{/form}}
        <h2>{{t.payoutsTitle}}</h2>
        {{^section}}\(FormPart.empty("payoutsNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.payout}}</th><th scope="col">{{t.status}}</th>
        <th scope="col">{{t.payoutCutOff}}</th><th scope="col" class="number">{{t.providersTitle}}</th>
        <th scope="col" class="number">{{t.payoutAmount}}</th><th scope="col" class="number">{{t.payoutWithheld}}</th>
        <th scope="col" class="number">{{t.payoutNet}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/payouts/{{id}}">{{t.payout}} {{id}}</a></th>
        <td><span class="status {{tone}}">{{status}}</span> {{note}}</td><td>{{cutOff}}</td>
        <td class="number">{{providers}}</td><td class="number">{{amount}}</td><td class="number">{{withheld}}</td>
        <td class="number">{{net}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.status}}</dt><dd><span class="status {{tone}}">{{status}}</span></dd></div>
        <div><dt>{{t.payoutCutOff}}</dt><dd>{{cutOff}}</dd></div><div><dt>{{t.providersTitle}}</dt><dd>{{providers}}</dd></div>
        <div><dt>{{t.payoutAmount}}</dt><dd>{{amount}}</dd></div><div><dt>{{t.payoutWithheld}}</dt><dd>{{withheld}}</dd></div>
        <div><dt>{{t.payoutNet}}</dt><dd>{{net}}</dd></div></dl>
        {{#isOwn}}<p role="status">{{t.payoutOwn}}</p>{{/isOwn}}
        {{#hasFile}}<p><a class="button" href="/console/payouts/{{id}}/file">{{t.payoutFile}}</a>
        <a class="button" href="/console/payouts/{{id}}/file?for=excel">{{t.payoutFileExcel}}</a></p>{{/hasFile}}
        {{#bankFile}}<details><summary>{{t.bankFile}}</summary><p class="quiet">{{t.bankFileHelp}}</p>
        <form class="act" method="post" action="\(ConsoleAct.takeBankFile.action())" enctype="multipart/form-data">
        \(FormPart.hidden())<div class="field"><label for="layout">{{t.bankLayout}}</label>
        <select id="layout" name="layout">{{#layouts}}<option value="{{value}}">{{text}}</option>{{/layouts}}</select></div>
        <div class="field"><label for="accounts">{{t.bankAccounts}}</label>
        <input id="accounts" name="accounts" type="file" accept=".csv,.txt,text/csv"></div>
        <div><button>{{t.bankFile}}</button></div></form></details>{{/bankFile}}
        {{#approve}}\(ConsoleAct.approvePayout.form("payoutApprove")){{/approve}}
        {{#pay}}<h2>{{t.payoutPay}}</h2>
        \(ConsoleAct.payPayout.form("payoutPay", ids: BankPaymentForm.ids("pay"))){{/pay}}
        {{#withdraw}}<details><summary>{{t.payoutWithdraw}}</summary>
        \(ConsoleAct.withdrawPayout.form("payoutWithdraw", isFirst: false))</details>{{/withdraw}}
        <h2>{{t.payoutHistory}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.status}}</th><th scope="col">{{t.person}}</th>
        <th scope="col">{{t.time}}</th><th scope="col">{{t.payoutNote}}</th></tr></thead><tbody>
        {{#history}}<tr><th scope="row">{{status}}</th><td>{{by}}</td><td>{{at}}</td><td>{{more}}</td></tr>
        {{/history}}</tbody></table>
        <h2>{{t.providersTitle}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.provider}}</th>
        <th scope="col" class="number">{{t.payoutShares}}</th><th scope="col" class="number">{{t.payoutAmount}}</th>
        <th scope="col" class="number">{{t.payoutIncomeTax}}</th><th scope="col" class="number">{{t.payoutLocalTax}}</th>
        <th scope="col" class="number">{{t.payoutNet}}</th></tr></thead><tbody>
        {{#items}}<tr><th scope="row"><a href="{{path}}">{{provider}}</a></th><td class="number">{{shares}}</td>
        <td class="number">{{amount}}</td><td class="number">{{incomeTax}}</td><td class="number">{{localTax}}</td>
        <td class="number">{{net}}</td></tr>
        {{/items}}</tbody></table>
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let texts: [ConsoleText] = [
        .init("bankFile", "File for bulk transfer", "대량이체 파일 받기"),
        .init(
            "bankFileHelp",
            "The approved accounts of the providers are in the file. A list is needed only for providers without one; it is "
                + "used for this file and not stored.",
            "파트너의 승인된 계좌가 파일에 들어갑니다. 계좌가 없는 파트너가 있을 때만 목록이 필요하며, 목록은 저장하지 않습니다."),
        .init("bankLayout", "Bank", "은행 양식"),
        .init(
            "bankAccounts", "List of the other accounts (CSV: provider, bank, account, holder)",
            "나머지 계좌 목록(CSV: provider, bank, account, holder)"),
        .init("bankLayout_kb", "KB Kookmin", "KB국민은행"), .init("bankLayout_shinhan", "Shinhan", "신한은행"),
        .init("bankLayout_ibk", "IBK", "IBK기업은행"),
        .init(
            "payoutsNone", "No payout yet. Propose one to pay what providers are owed.",
            "파트너 정산이 없습니다. 파트너에게 지급할 금액이 있으면 지급을 요청하세요."),
        .init("payoutsTitle", "Payouts", "파트너 정산"), .init("payout", "Payout", "파트너 정산"),
        .init("payoutPropose", "Propose a payout", "지급 요청"),
        .init("payoutCutOffDay", "What was recorded before this day (empty: until now)", "이 날 전에 기록된 분(비우면 지금까지)"),
        .init("payoutProviders", "Providers' ids (empty: all)", "파트너 ID(비우면 전체)"), .init("payoutNote", "Note", "메모"),
        .init("payoutCutOff", "Cut-off", "기준 시각"), .init("payoutAmount", "Before taxes", "세전 금액"),
        .init("payoutWithheld", "Withheld", "원천징수액"), .init("payoutNet", "To pay", "실지급액"),
        .init("payoutIncomeTax", "Income tax", "소득세"), .init("payoutLocalTax", "Local income tax", "지방소득세"),
        .init("payoutShares", "Captures and reversals", "건수"), .init("payoutHistory", "Decisions", "진행 내역"),
        .init(
            "payoutOwn", "You proposed this payout: another person has to approve it.",
            "본인이 요청한 지급입니다. 다른 담당자가 승인해야 합니다."),
        .init("payoutFile", "File for the bank (CSV)", "은행용 파일(CSV)"),
        .init("payoutFileExcel", "The same for Excel", "은행용 파일(Excel용 CSV)"), .init("payoutApprove", "Approve", "승인"),
        .init("payoutPay", "Mark as paid", "지급 완료 처리"), .init("payoutWithdraw", "Withdraw", "지급 요청 취소"),
        .init("payout_proposed", "proposed", "승인 대기"), .init("payout_approved", "approved", "승인됨"),
        .init("payout_withdrawn", "withdrawn", "취소됨"), .init("payout_paid", "paid", "지급 완료"),
    ]
}
