import CivilTime
import Hummingbird
import Ledger
import LedgerServer
import Timing

/// Revaluations of what gateways owe in foreign currencies, at the ends of months.
struct RevaluationPages: Sendable {
    let desk: ApprovalDesk

    private static let path = "/console/revaluations"
    private static let pageSize = 30

    private var revaluations: Revaluations { desk.desks.ledger.revaluations }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("revaluations", needs: .readBooks, list)
        routes.act(.bookRevaluation, book)
    }

    /// `GET /console/revaluations`: what is missing, and what was booked, the last one first.
    private func list(_ visit: Visit) async throws -> Response {
        let missing = try await findMissing(visit)
        let found = try await revaluations.list(
            after: try visit.cursor(of: "revaluations", as: After<Int64>.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "missing": Layout.section(missing.map { row($0, visit) }),
            "booked": Layout.section(found.elements.map { Self.row($0, visit) }),
        ]
        values["next"] = try visit.next(Self.path, of: "revaluations", found.next)
        return await Layout.page(visit, title: visit.text("revaluationsTitle"), Self.template, values)
    }

    /// Without figures, if they can't be computed in time: a month can be revalued all the same.
    private func findMissing(_ visit: Visit) async throws -> [MissingRevaluation] {
        let now = Time.current.now
        do {
            return try await revaluations.missing(until: now, in: visit.timeZone, limit: Self.pageSize)
        } catch {
            return try await revaluations.missing(
                until: now, in: visit.timeZone, limit: Self.pageSize, isMeasured: false)
        }
    }

    /// `POST /console/revaluations`: that of the month and currency, if it is booked.
    ///
    /// As `POST /v1/revaluations`.
    private func book(_ visit: Visit) async throws -> Response {
        let (currency, month) = (try visit.form.text("currency"), try CivilMonth(asked: visit.form["month"]))
        let act = try await revaluations.revaluation(
            ofNamed: currency, in: month, visit.timeZone, key: try visit.actKey())
        _ = try await desk.perform(.bookRevaluation, on: "revaluation:\(currency)/\(month)", visit) { _ in
            try await desk.desks.ledger.perform(act).success
        }
        return visit.redirect(to: Self.path, notice: ConsoleAct.bookRevaluation.notice())
    }

    /// With what would be booked now; without a rate, which days lack one.
    private func row(_ missing: MissingRevaluation, _ visit: Visit) -> [String: Any] {
        let currency = missing.currency.code
        var row: [String: Any] = [
            "currency": currency, "month": missing.month.description, "days": missing.month.lastDays,
        ]
        if let open = missing.open, let carried = missing.carried {
            row["due"] = ["open": Show.money(open, currency), "carried": Show.won(carried)]
        }
        if let rate = missing.rate { row["rate"] = Self.text(rate.quotation, of: rate.day) }
        if let worth = missing.worth { row["worth"] = Show.won(worth) }
        if missing.rate != nil, visit.may(.keepBooks) { row["form"] = ["once": RandomToken.make()] }
        return row
    }

    /// A rate of one unit and its day: `1400.00 (2026-01-31)`.
    private static func text(_ quotation: Quotation, of day: CivilDate) -> String {
        "\(quotation.textOfOne) (\(day))"
    }

    private static func row(_ booked: Revaluation, _ visit: Visit) -> [String: Any] {
        let (basis, currency) = (booked.basis, booked.currency.code)
        var row: [String: Any] = [
            "currency": currency, "month": booked.month.description, "open": Show.money(basis.open, currency),
            "carried": Show.won(basis.carried), "worth": Show.won(basis.worth),
            "rate": text(basis.quotation, of: basis.rateDay), "amount": Show.won(basis.amount),
            "by": booked.revaluedBy, "at": visit.show(booked.recordedAt),
        ]
        row["entry"] = booked.journalEntryID.map(String.init)
        return row
    }

    static let template = ConsoleTemplate(
        """
        <h2>{{t.adjustMissing}}</h2>
        {{^missing}}<p class="quiet" role="status">{{t.revalueNoneMissing}}</p>{{/missing}}
        {{#missing}}<p class="quiet">{{t.revalueHelp}}</p>
        <ul>{{#rows}}<li>{{currency}}, {{month}}.
        {{#due}}{{t.revalueOpen}}: {{open}}; {{t.revalueCarried}}: {{carried}};{{/due}}{{^due}}{{t.revalueNotComputed}};{{/due}}
        {{#rate}}{{t.revalueRate}}: {{rate}}{{/rate}}{{^rate}}{{t.revalueNoRate}}: {{days}}{{/rate}}{{#worth}};
        {{t.revalueWorth}}: {{worth}}{{/worth}}
        {{#form}}\(ConsoleAct.bookRevaluation.form("revalueBook", isFirst: false)){{/form}}</li>
        {{/rows}}</ul>{{/missing}}
        <h2>{{t.adjustBooked}}</h2>
        {{^booked}}<p class="quiet">{{t.noneBooked}}</p>{{/booked}}
        {{#booked}}<table class="stacked"><thead><tr><th scope="col">{{t.revalueMonth}}</th>
        <th scope="col" class="number">{{t.revalueOpen}}</th><th scope="col" class="number">{{t.revalueCarried}}</th>
        <th scope="col" class="number">{{t.revalueRate}}</th>
        <th scope="col" class="number">{{t.revalueWorth}}</th><th scope="col" class="number">{{t.adjustAmount}}</th>
        <th scope="col">{{t.person}}</th><th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{currency}}, {{month}}</th><td class="number">{{open}}</td>
        <td class="number">{{carried}}</td><td class="number">{{rate}}</td><td class="number">{{worth}}</td>
        <td class="number">{{#entry}}<a href="/console/entries/{{entry}}">{{amount}}</a>{{/entry}}{{^entry}}{{amount}}{{/entry}}</td>
        <td>{{by}}</td><td>{{at}}</td></tr>
        {{/rows}}</tbody></table>{{/booked}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let texts: [ConsoleText] = [
        .init("revaluationsTitle", "Foreign currencies at month-end", "외화 환산"),
        .init("revalueMonth", "Currency and month", "통화, 월"),
        .init("revalueOpen", "Due in the currency", "외화 미수금"),
        .init("revalueCarried", "Carrying amount", "원화 장부금액"),
        .init("revalueRate", "Last rate of the month's last seven days", "월말 7일 중 마지막 환율"),
        .init("revalueNotComputed", "What is due could not be computed in time", "외화 미수금을 제시간에 계산하지 못했습니다"),
        .init("revalueNoRate", "No rate yet for any day of", "환율이 등록되지 않은 기간"),
        .init("revalueWorth", "Worth at the rate", "월말 환율 환산액"),
        .init("revalueBook", "Revalue", "환산분개 기장"),
        .init(
            "revalueNoneMissing", "Every month that is over and left something due is revalued.",
            "미수금이 남은 끝난 달의 외화 환산을 모두 마쳤습니다."),
        .init(
            "revalueHelp",
            "A month is revalued once: first import its last settlement files and publish a rate of its last seven days.",
            "한 달에 한 번만 환산할 수 있습니다. 그 달의 마지막 정산 파일과 말일 전 7일 이내의 환율을 먼저 등록하세요."),
    ]
}
