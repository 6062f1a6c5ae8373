import CivilTime
import Hummingbird
import Ledger
import LedgerServer
import WireFormats

/// What was done in the console, by whom and why.
struct AuditPage: Sendable {
    let records: AuditRecords
    let exports: Exports

    private static let pageSize = 50

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("audit", needs: .audit, list)
        routes.page("audit/export", needs: .audit, export)
    }

    /// `GET /console/audit/export`: a file, as of `GET /v1/exports/audit`; `?format=&from=&last=`.
    private func export(_ visit: Visit) async throws -> Response {
        var options: [ExportOption: String] = [:]
        for option in [ExportOption.format, .from, .to] { options[option] = visit.query(option.rawValue) }
        if let last = try visit.day("last") {
            options[.to] = CivilDate(of: visit.endOfDay(last), in: visit.timeZone).description
        }
        options[.format] = options[.format] ?? ExportFormat.xlsx.rawValue
        options[.language] = visit.headingLanguage(of: options[.format])
        let request = try ExportRequest(.audit, options, in: visit.timeZone)
        return try await exports.begin(request).get().response(answering: visit.request, visit.context)
    }

    /// `GET /console/audit`; `?act=&person=&user=&from=&last=` filter.
    private func list(_ visit: Visit) async throws -> Response {
        let names = ["act", "person", "user", "from", "to", "last"]
        let given = visit.given(names)
        let end = try visit.endOfDays()
        let filter = AuditFilter(
            period: Period(from: try visit.day("from"), to: end), subject: visit.query("person"),
            act: visit.query("act"), user: visit.query("user").flatMap(UserID.init(rawValue:)))
        let list = "audit " + given.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        let found = try await records.list(
            filter, after: try visit.cursor(of: list, as: After<Int64>.self), limit: Self.pageSize)
        var values: [String: Any] = Dictionary(uniqueKeysWithValues: names.map { ($0, visit.query($0) ?? "") })
        values["last"] = visit.lastDay(before: end)
        values["acts"] = ConsoleAct.all.map { act in
            [
                "value": act.name, "text": visit.text(ConsoleAct.text(of: act.name)),
                "isChosen": visit.query("act") == act.name,
            ] as [String: Any]
        }
        values["section"] = Layout.section(found.elements.map { Self.row($0, visit) })
        values["next"] = try visit.next("/console/audit", given, of: list, found.next)
        return await Layout.page(visit, title: visit.text("auditTitle"), Self.template, values)
    }

    private static func row(_ record: AuditRecord, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "name": record.name, "role": visit.text("role_\(record.role)"), "subject": record.subject,
            "act": visit.text(ConsoleAct.text(of: record.act)), "target": record.target, "reason": record.reason,
            "seen": facts(record.seen, record, \.seen, visit.language),
            "made": facts(record.detail, record, \.made, visit.language),
            "outcome": visit.text("outcome_\(record.outcome?.rawValue ?? "missing")"), "tone": tone(record.outcome),
        ]
        row["second"] = record.secondPerson
        if let approval = record.approval { row["approval"] = "/console/approvals/\(approval)" }
        if let user = record.user { row["customer"] = CustomerPath.link(to: user) }
        row["time"] = visit.time(record.actedAt)
        return row
    }

    private static func tone(_ outcome: AuditRecord.Outcome?) -> String {
        switch outcome {
        case .done: "good"
        case .proposed: "wait"
        case .refused, .unknown, nil: "bad"
        }
    }

    static let template = ConsoleTemplate(
        """
        <form class="line" method="get" action="/console/audit">
        <div class="field"><label for="act">{{t.act}}</label><select id="act" name="act"><option value="">{{t.allActs}}</option>
        {{#acts}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>
        {{/acts}}</select></div>
        <div class="field"><label for="person">{{t.person}}</label><input id="person" name="person" value="{{person}}"
        autocomplete="off"></div>
        <div class="field"><label for="user">{{t.searchUser}}</label><input id="user" name="user" value="{{user}}"
        autocomplete="off"></div>
        <div class="field"><label for="from">{{t.from}}</label><input id="from" name="from" type="date" value="{{from}}"></div>
        <div class="field"><label for="last">{{t.lastDay}}</label><input id="last" name="last" type="date" value="{{last}}"></div>
        <button>{{t.filter}}</button></form>
        <form class="line" method="get" action="/console/audit/export">
        <div class="field"><label for="export-from">{{t.from}}</label>
        <input id="export-from" name="from" type="date" value="{{from}}"></div>
        <div class="field"><label for="export-last">{{t.lastDay}}</label>
        <input id="export-last" name="last" type="date" value="{{last}}"></div>
        <button name="format" value="xlsx">{{t.exportExcel}}</button>
        <button name="format" value="csv">{{t.exportCSV}}</button>
        <button name="format" value="jsonl">{{t.exportJSON}}</button></form>
        {{^section}}\(FormPart.empty("auditNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.time}}</th><th scope="col">{{t.person}}</th>
        <th scope="col">{{t.act}}</th><th scope="col">{{t.searchUser}}</th><th scope="col">{{t.reason}}</th>
        <th scope="col">{{t.seen}}</th><th scope="col">{{t.outcome}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</th>
        <td>{{name}}, {{role}}<br><span class="quiet">{{subject}}</span></td>
        <td>{{act}}<br><span class="quiet">{{target}}</span></td>
        <td>{{#customer}}<a href="{{path}}">{{name}}</a>{{/customer}}</td><td>{{reason}}</td>
        <td>{{#seen}}<span class="quiet">{{name}}</span> {{value}}<br>{{/seen}}</td>
        <td><span class="status {{tone}}">{{outcome}}</span><br>{{#made}}<span class="quiet">{{name}}</span> {{value}}<br>{{/made}}
        {{#approval}}<a href="{{approval}}">{{t.approval}}</a>{{/approval}}{{#second}}<br>{{t.secondPerson}}: {{second}}{{/second}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let texts: [ConsoleText] = [
        .init("auditTitle", "Audit", "감사 기록"),
        .init(
            "auditNone", "Nothing was done that matches. Choose a longer time, or leave a field empty.",
            "조건에 맞는 기록이 없습니다. 기간을 넓히거나 조건을 비우세요."), .init("allActs", "all", "전체"), .init("person", "Person", "처리자"),
        .init("from", "From", "시작일"), .init("to", "Before", "종료일(미포함)"), .init("lastDay", "Last day", "종료일(포함)"),
        .init("filter", "Filter", "조회"),
        .init("exportExcel", "Export to Excel", "엑셀로 내보내기"),
        .init("exportCSV", "Export as CSV", "CSV로 내보내기"),
        .init("exportJSON", "Export as JSON Lines", "JSON Lines로 내보내기"),
        .init("seen", "Seen before", "처리 전 상태"), .init("outcome", "Outcome", "결과"),
        .init("approval", "Approval", "승인 건"), .init("secondPerson", "Second person", "승인자"),
        .init("outcome_done", "done", "처리됨"), .init("outcome_proposed", "waits for a second person", "승인 대기"),
        .init("outcome_refused", "refused", "거절됨"), .init("outcome_unknown", "not known", "확인 불가"),
        .init("outcome_missing", "not recorded", "기록 없음"),
    ]
}
