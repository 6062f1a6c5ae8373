extension AdjustmentPages {
    static let listTemplate = ConsoleTemplate(
        """
        <h2>{{t.adjustMissing}}</h2>
        {{^missing}}<p class="quiet" role="status">{{t.noneMissing}}</p>{{/missing}}
        {{#missing}}<ul>{{#rows}}<li><a href="{{path}}">{{subject}}, {{month}}</a></li>
        {{/rows}}</ul>{{/missing}}
        <p><a href="/console/revaluations">{{t.revaluationsTitle}}</a></p>
        <form class="line" method="get" action="/console/adjustments/preview">
        <div class="field"><label for="subject">{{t.adjustSubject}}</label><select id="subject" name="subject">
        {{#subjects}}<option value="{{value}}">{{name}}</option>{{/subjects}}</select></div>
        \(month("preview"))
        <button>{{t.adjustPreview}}</button></form>
        <h2>{{t.policies}}</h2>
        {{^policies}}<p class="quiet">{{t.policiesNone}}</p>{{/policies}}
        {{#policies}}<table class="stacked"><thead><tr><th scope="col">{{t.adjustSubject}}</th>
        <th scope="col">{{t.policyFrom}}</th><th scope="col">{{t.policyMethod}}</th>
        <th scope="col">{{t.person}}</th><th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{subject}}</th><td>{{month}}</td><td>{{method}} <small>{{figures}}</small></td>
        <td>{{by}}</td><td>{{at}}</td></tr>
        {{/rows}}</tbody></table>{{/policies}}
        {{#form}}<details><summary>{{t.policySet}}</summary>
        <form class="act" method="post" action="\(ConsoleAct.setPolicy.action())">\(FormPart.hidden())
        <div class="field"><label for="method">{{t.policyMethod}}</label><select id="method" name="method">
        <option value="expected_pattern">{{t.adjust_breakage}}: {{t.policy_expected_pattern}}</option>
        <option value="at_expiry">{{t.adjust_breakage}}: {{t.policy_at_expiry}}</option>
        <option value="relative_price">{{t.adjust_bonus}}: {{t.policy_relative_price}}</option>
        <option value="none">{{t.adjust_bonus}}: {{t.policy_none}}</option></select></div>
        \(month("policy"))
        \(figure("expected", "policyExpected")) \(figure("highly_probable", "policyProbable"))
        \(figure("bonus_price", "policyPrice"))
        \(FormPart.reason())
        <div><button class="first">{{t.policySet}}</button></div></form>
        <p class="quiet">{{t.policyHelp}}</p></details>{{/form}}
        <h2>{{t.adjustBooked}}</h2>
        {{^booked}}<p class="quiet">{{t.noneBooked}}</p>{{/booked}}
        {{#booked}}<table class="stacked"><thead><tr><th scope="col">{{t.adjustSubject}}</th>
        <th scope="col" class="number">{{t.adjustAmount}}</th><th scope="col" class="number">{{t.adjustTarget}}</th>
        <th scope="col">{{t.person}}</th><th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/adjustments/{{id}}">{{subject}}, {{month}}</a></th>
        <td class="number">{{amount}}</td><td class="number">{{target}}</td><td>{{by}}</td><td>{{at}}</td></tr>
        {{/rows}}</tbody></table>{{/booked}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let previewTemplate = ConsoleTemplate(
        """
        <dl class="facts">{{#policy}}<div><dt>{{t.policyMethod}}</dt><dd>{{method}} <small>{{figures}}</small></dd></div>
        <div><dt>{{t.policyFrom}}</dt><dd>{{month}}</dd></div>{{/policy}}
        <div><dt>{{t.adjustAmount}}</dt><dd>{{amount}}</dd></div><div><dt>{{t.adjustTarget}}</dt><dd>{{target}}</dd></div>
        <div><dt>{{t.adjustBefore}}</dt><dd>{{booked}}</dd></div>
        {{#observed}}<div><dt>{{t.adjustObserved}}</dt><dd>{{observed}}</dd></div>{{/observed}}
        {{#kept}}<div><dt>{{t.adjustKept}}</dt><dd>{{time}} <a href="{{fresh}}">{{t.adjustAgain}}</a></dd></div>{{/kept}}</dl>
        {{^policy}}<p role="status">{{t.policiesNone}}</p>{{/policy}}
        {{#isRunning}}<p role="status">{{t.adjustRunning}}</p>{{/isRunning}}
        {{#form}}\(ConsoleAct.bookAdjustment.form("adjustBook")){{/form}}
        \(cohorts)
        """)

    static let computingTemplate = ConsoleTemplate(#"<p role="status">{{t.adjustComputing}}</p>"#)

    static let pageTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.adjustAmount}}</dt><dd>{{amount}}</dd></div>
        <div><dt>{{t.adjustTarget}}</dt><dd>{{target}}</dd></div>
        <div><dt>{{t.person}}</dt><dd>{{by}}</dd></div><div><dt>{{t.time}}</dt><dd>{{at}}</dd></div></dl>
        {{#entry}}<p><a href="/console/entries/{{entry}}">{{t.entry}} {{entry}}</a></p>{{/entry}}
        \(cohorts)
        """)

    /// What an adjustment comes from, by month of sale.
    private static let cohorts = """
        {{#cohorts}}<table class="stacked sortable"><thead><tr><th scope="col">{{t.cohortMonth}}</th>
        <th scope="col" class="number">{{t.purchases}}</th><th scope="col" class="number">{{t.cohortSold}}</th>
        <th scope="col" class="number">{{t.cohortRefunded}}</th><th scope="col" class="number">{{t.cohortUsed}}</th>
        <th scope="col" class="number">{{t.cohortExpired}}</th><th scope="col" class="number">{{t.cohortDeferred}}</th>
        {{#isAllocated}}<th scope="col" class="number">{{t.cohortAllocated}}</th>{{/isAllocated}}
        <th scope="col" class="number">{{t.adjustTarget}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{month}}</th><td class="number">{{purchases}}</td>
        <td class="number">{{sold}}</td><td class="number">{{refunded}}</td><td class="number">{{used}}</td>
        <td class="number">{{expired}}</td><td class="number">{{deferred}}</td>
        {{#isAllocated}}<td class="number">{{allocated}}</td>{{/isAllocated}}<td class="number">{{target}}</td></tr>
        {{/rows}}</tbody></table>{{/cohorts}}
        """

    /// - Parameter id: the beginning of the field's id in the page.
    private static func month(_ id: String) -> String {
        """
        <div class="field"><label for="\(id)-month">{{t.month}}</label>
        <input id="\(id)-month" name="month" required pattern="[0-9]{4}-[0-9]{2}" placeholder="2026-01"
        autocomplete="off"></div>
        """
    }

    private static func figure(_ name: String, _ label: String) -> String {
        """
        <div class="field"><label for="\(name)">{{t.\(label)}}</label>
        <input id="\(name)" name="\(name)" inputmode="numeric" autocomplete="off"></div>
        """
    }

    static let texts: [ConsoleText] = [
        .init("adjustmentsTitle", "Month-end", "월말 수정분개"), .init("adjustMissing", "Not booked yet", "미기장 수정분개"),
        .init("adjustSubject", "Subject", "대상"), .init("adjust_breakage", "breakage", "미사용 코인"),
        .init("adjust_bonus", "bonus coins", "보너스 코인"), .init("month", "Month", "월"),
        .init("adjustPreview", "Preview", "미리보기"), .init("adjustBooked", "Booked", "기장 내역"),
        .init("adjustAmount", "Amount of the entry", "분개 금액"), .init("adjustTarget", "Balance afterwards", "기장 후 잔액"),
        .init("adjustBefore", "Balance now", "현재 잔액"),
        .init("adjustObserved", "Expired of 1,000 coins so far", "지금까지 코인 1,000개당 만료"),
        .init("adjustKept", "Computed at", "계산 시각"), .init("adjustAgain", "Compute again", "다시 계산"),
        .init(
            "adjustComputing", "The preview is being computed. This page shows it as soon as it is there.",
            "미리보기를 계산하고 있습니다. 끝나면 이 화면에 표시됩니다."),
        .init("adjustRunning", "The month is not over, so nothing can be booked yet.", "아직 끝나지 않은 달은 기장할 수 없습니다."),
        .init("adjustBook", "Book it", "기장"),
        .init("policies", "Accounting policies", "회계정책"),
        .init("policiesNone", "No policy is set, so nothing is adjusted.", "설정된 회계정책이 없어 수정하지 않습니다."),
        .init("policyFrom", "From", "적용 시작 월"), .init("policyMethod", "Method", "방법"),
        .init("policyExpected", "Unused of 1,000 coins, expected", "미사용될 것으로 예상하는 코인(1,000개당)"),
        .init("policyProbable", "Unused of 1,000 coins, highly probable", "높은 확률로 미사용될 코인(1,000개당)"),
        .init("policyPrice", "Price of a bonus coin, if a paid one is 1,000", "유료 코인 1,000 기준 보너스 코인 가격"),
        .init("policySet", "Set a policy", "회계정책 설정"),
        .init(
            "policyHelp",
            "A policy applies from its month on. A month that is closed or adjusted keeps its policy. The expected pattern "
                + "needs the expected number; the relative price is 1,000 if you leave it out.",
            "회계정책은 해당 월부터 적용됩니다. 마감했거나 수정분개를 기장한 달의 정책은 바꿀 수 없습니다. 예상 패턴에는 예상 미사용 수가 "
                + "필요하며, 상대적 가격을 비워 두면 1,000입니다."),
        .init("policy_at_expiry", "when coins expire", "만료 시 인식"),
        .init("policy_expected_pattern", "in proportion to use (expected pattern)", "사용 비례 인식(예상 패턴)"),
        .init("policy_none", "no part of the price", "가격 배분 없음"),
        .init("policy_relative_price", "by relative price", "상대적 가격으로 배분"),
        .init("cohortMonth", "Sold in", "판매 월"), .init("cohortSold", "Sold", "판매"),
        .init("cohortRefunded", "Refunded", "환불"), .init("cohortUsed", "Used", "사용"),
        .init("cohortExpired", "Expired", "만료"), .init("cohortDeferred", "Deferred", "이연"),
        .init("cohortAllocated", "Deferred by relative price", "상대적 가격 기준 이연"),
    ]
}
