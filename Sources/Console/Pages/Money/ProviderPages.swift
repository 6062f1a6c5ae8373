import Hummingbird
import Ledger
import LedgerServer
import PGVerifier
import WireFormats

/// Providers with terms: what is owed to each, explained capture by capture.
struct ProviderPages: Sendable {
    let desk: ApprovalDesk

    private static let pageSize = 30

    private var providers: Providers { desk.desks.ledger.providers }

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("providers", needs: .readBooks, list)
        routes.page("providers/{provider}", needs: .readBooks, page)
        routes.act(.repayClaim, repay)
        routes.act(.setTerms, setTerms)
        addAccountRoutes(to: &routes)
    }

    /// The page of a provider.
    static func path(of provider: UserID) -> String { "/console/providers/" + FormText.encode(provider.rawValue) }

    /// `GET /console/providers`.
    private func list(_ visit: Visit) async throws -> Response {
        let found = try await providers.list(
            after: try visit.cursor(of: "providers", as: ProviderCursor.self), limit: Self.pageSize)
        let rows = found.elements.map { provider -> [String: Any] in
            let values: [String: Any] = [
                "provider": provider.terms.provider.rawValue, "path": Self.path(of: provider.terms.provider),
                "payable": Show.won(provider.payable), "isClaim": provider.payable < 0,
            ]
            return values.merging(Self.values(provider.terms, visit)) { $1 }
        }
        var values: [String: Any] = ["section": Layout.section(rows)]
        if visit.may(.keepBooks) { values["form"] = Self.termsForm(visit) }
        values["next"] = try visit.next("/console/providers", of: "providers", found.next)
        return await Layout.page(visit, title: visit.text("providersTitle"), Self.listTemplate, values)
    }

    private static func values(_ terms: ProviderTerms, _ visit: Visit) -> [String: Any] {
        let (whole, part) = (terms.share / 100, terms.share % 100)
        return [
            "product": terms.item ?? visit.text("providerAllProducts"),
            "share": part == 0 ? "\(whole) %" : "\(whole).\(part < 10 ? "0" : "")\(part) %",
            "role": visit.text("providerRole_\(terms.role.rawValue)"),
            "withholding": visit.text("providerTax_\(terms.withholding.rawValue)"),
            "setBy": terms.setBy, "setAt": visit.show(terms.setAt),
        ]
    }

    /// `GET /console/providers/{provider}`: the terms, and the account, newest line first.
    private func page(_ visit: Visit) async throws -> Response {
        let provider = try visit.context.requireOwnerInPath("provider")
        let versions = try await providers.history(of: provider, limit: 10).elements
        guard !versions.isEmpty else { throw Problem(.notFound, "the provider has no terms") }
        let (payable, name) = (try await providers.payable(of: provider), "provider \(provider.rawValue)")
        let found = try await providers.accountLines(
            of: provider, after: try visit.cursor(of: name, as: ProviderAccountCursor.self), limit: Self.pageSize)
        var values: [String: Any] = [
            "payable": Show.won(payable), "isClaim": payable < 0,
            "versions": versions.map { Self.values($0, visit) }, "action": Self.path(of: provider) + "/repay",
            "lines": Layout.section(found.elements.map { Self.row($0, visit) }),
        ]
        if payable < 0, visit.may(.keepBooks) {
            values["claim"] = ["once": RandomToken.make(), "amount": String(-payable)]
        }
        if visit.may(.keepBooks) { values["form"] = Self.termsForm(visit, of: provider) }
        values.merge(try await accountValues(of: provider, visit)) { $1 }
        values["next"] = try visit.next(Self.path(of: provider), of: name, found.next)
        return await Layout.page(visit, title: provider.rawValue, isID: true, Self.pageTemplate, values)
    }

    private static func row(_ line: ProviderAccountLine, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "time": visit.show(line.recordedAt), "kind": visit.text("providerLine_\(line.kind.rawValue)"),
            "entry": String(line.journalEntryID), "amount": Show.won(line.won),
            "change": Show.won(line.change), "balance": Show.won(line.balance),
        ]
        row["payout"] = line.payoutID.map(String.init)
        return row
    }

    /// `POST …/repay`: the provider paid back a claim.
    ///
    /// As `POST /v1/providers/{provider}/repayments`.
    private func repay(_ visit: Visit) async throws -> Response {
        let provider = try visit.context.requireOwnerInPath("provider")
        let payment = try visit.bankPayment()
        let won = Int64(try visit.form.text("amount").replacing(",", with: "")).flatMap(Price.init(won:))
        guard let won else { throw Problem.invalid(member: "amount", "amount must be a whole number of won") }
        _ = try await desk.perform(
            .repayClaim, on: "provider:\(provider.rawValue)", visit, reason: "\(won.amount), \(payment.reference)"
        ) { try await desk.desks.providers.repay(won, by: provider, payment, under: $0) }
        return visit.redirect(to: Self.path(of: provider), notice: ConsoleAct.repayClaim.notice())
    }

    static let listTemplate = ConsoleTemplate(
        """
        \(termsTemplate)
        {{^section}}<p class="quiet" role="status">{{t.providersNone}}</p>{{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.provider}}</th>
        <th scope="col" class="number">{{t.providerShare}}</th><th scope="col">{{t.providerRole}}</th>
        <th scope="col">{{t.providerTax}}</th><th scope="col" class="number">{{t.payable}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="{{path}}">{{provider}}</a></th><td class="number">{{share}}</td>
        <td>{{role}}</td><td>{{withholding}}</td>
        <td class="number">{{payable}}{{#isClaim}} <span class="status bad">{{t.claim}}</span>{{/isClaim}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        <dl class="facts"><div><dt>{{t.payable}}</dt>
        <dd>{{payable}}{{#isClaim}} <span class="status bad">{{t.claim}}</span>{{/isClaim}}</dd></div></dl>
        {{#claim}}<h2>{{t.repayTitle}}</h2>
        <form class="act" method="post" action="{{action}}">\(FormPart.hidden())
        <div class="field"><label for="amount">{{t.repayAmount}}</label>
        <input id="amount" name="amount" value="{{amount}}" required inputmode="numeric" autocomplete="off"></div>
        \(BankPaymentForm.received.html(BankPaymentForm.ids("repay")))
        <div><button class="first">{{t.repay}}</button></div></form>{{/claim}}
        \(termsTemplate)
        \(accountTemplate)
        <h2>{{t.providerTerms}}</h2>
        <table class="stacked"><thead><tr><th scope="col">{{t.providerSince}}</th><th scope="col">{{t.product}}</th>
        <th scope="col" class="number">{{t.providerShare}}</th><th scope="col">{{t.providerRole}}</th>
        <th scope="col">{{t.providerTax}}</th><th scope="col">{{t.person}}</th></tr></thead><tbody>
        {{#versions}}<tr><th scope="row">{{setAt}}</th><td>{{product}}</td><td class="number">{{share}}</td><td>{{role}}</td>
        <td>{{withholding}}</td><td>{{setBy}}</td></tr>
        {{/versions}}</tbody></table>
        <h2>{{t.providerStatement}}</h2>
        {{^lines}}<p class="quiet">{{t.noneStatement}}</p>{{/lines}}
        {{#lines}}<table class="stacked"><thead><tr><th scope="col">{{t.time}}</th><th scope="col">{{t.act}}</th>
        <th scope="col" class="number">{{t.providerWon}}</th><th scope="col" class="number">{{t.providerChange}}</th>
        <th scope="col" class="number">{{t.payable}}</th><th scope="col">{{t.payout}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{time}}</th><td><a href="/console/entries/{{entry}}">{{kind}}</a></td>
        <td class="number">{{amount}}</td><td class="number">{{change}}</td><td class="number">{{balance}}</td>
        <td>{{#payout}}<a href="/console/payouts/{{payout}}">{{t.payout}} {{payout}}</a>{{/payout}}</td></tr>
        {{/rows}}</tbody></table>{{/lines}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        """)

    static let texts: [ConsoleText] =
        termsTexts + accountTexts + [
            .init("providersTitle", "Providers", "파트너"), .init("provider", "Provider", "파트너"),
            .init("providersNone", "No provider has terms.", "정산 조건이 있는 파트너가 없습니다."),
            .init("providerShare", "Provider's share", "파트너 몫"), .init("providerRole", "Our role", "당사 역할"),
            .init("providerTax", "Withheld tax", "원천징수"), .init("payable", "Owed", "미지급금"),
            .init("claim", "claim on the provider", "파트너에 대한 채권"),
            .init("providerTerms", "Terms", "정산 조건"), .init("providerSince", "Since", "적용 시작"),
            .init("providerAllProducts", "all products", "모든 상품"),
            .init("providerStatement", "Statement", "거래 내역"), .init("providerWon", "Won", "원화 금액"),
            .init("providerChange", "Change", "증감"),
            .init("providerRole_agent", "agent", "대리인"), .init("providerRole_principal", "principal", "본인"),
            .init("providerTax_none", "none", "없음"), .init("providerTax_business_income", "3.3 %", "사업소득 3.3%"),
            .init("providerLine_capture", "capture", "보류 확정"),
            .init("providerLine_capture_reversal", "reversal", "보류 확정 취소"),
            .init("providerLine_repayment", "repayment", "상환"), .init("providerLine_payout", "payout", "파트너 정산"),
            .init("repayTitle", "The provider paid the claim back", "파트너 채권 상환"),
            .init("repayAmount", "Won that were paid back", "상환 금액(원)"), .init("repay", "Book the repayment", "상환 기장"),
        ]
}
