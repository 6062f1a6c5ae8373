import Hummingbird
import Ledger
import LedgerServer
import WireFormats

// The form that sets a provider's terms.
extension ProviderPages {
    static func termsForm(_ visit: Visit, of provider: UserID? = nil) -> [String: Any] {
        [
            "once": RandomToken.make(), "provider": provider?.rawValue ?? "", "isKnown": provider != nil,
            "roles": ProviderTerms.Role.allCases.map { role in
                ["value": role.rawValue, "text": visit.text("providerRole_\(role.rawValue)")]
            },
            "taxes": ProviderTerms.Withholding.allCases.map { tax in
                ["value": tax.rawValue, "text": visit.text("providerTax_\(tax.rawValue)")]
            },
        ]
    }

    /// `POST /console/providers`: terms that apply to later captures.
    ///
    /// As `PUT /v1/providers/{provider}`; a repeat changes nothing.
    func setTerms(_ visit: Visit) async throws -> Response {
        guard let provider = UserID(rawValue: try visit.form.text("provider")) else {
            throw Problem.invalid(member: "provider", "provider must be \(UserID.rule)")
        }
        let role: ProviderTerms.Role = try visit.form.choice("role")
        let withholding: ProviderTerms.Withholding? =
            visit.form["withholding"] == nil ? nil : try visit.form.choice("withholding")
        let product = visit.form["product"] == nil ? nil : try visit.form.text("product")
        let draft = ProviderTermsDraft(
            provider: provider, item: product, share: try visit.share(), role: role, withholding: withholding)
        let reason = "\(draft.share) bp, \(role.rawValue)" + (product.map { ", \($0)" } ?? "")
        _ = try await desk.perform(.setTerms, on: "provider:\(provider.rawValue)", visit, reason: reason) {
            try await desk.desks.providerTerms.setTerms(draft, by: $0.caller.rawValue)
        }
        return visit.redirect(to: Self.path(of: provider), notice: ConsoleAct.setTerms.notice())
    }

    static let termsTemplate = """
        {{#form}}<details><summary>{{t.providerSetTerms}}</summary><p class="quiet">{{t.providerTermsHelp}}</p>
        <form class="act" method="post" action="\(ConsoleAct.setTerms.action())">\(FormPart.hidden())
        {{#isKnown}}<input type="hidden" name="provider" value="{{provider}}">{{/isKnown}}
        {{^isKnown}}<div class="field"><label for="provider">{{t.provider}}</label>
        <input id="provider" name="provider" required maxlength="256" autocomplete="off"></div>{{/isKnown}}
        <div class="field"><label for="product">{{t.providerProduct}}</label>
        <input id="product" name="product" maxlength="256" autocomplete="off"></div>
        <div class="field"><label for="share">{{t.providerShareField}}</label>
        <input id="share" name="share" required inputmode="decimal" autocomplete="off"></div>
        <div class="field"><label for="role">{{t.providerRole}}</label><select id="role" name="role">
        {{#roles}}<option value="{{value}}">{{text}}</option>{{/roles}}</select></div>
        <div class="field"><label for="withholding">{{t.providerTax}}</label><select id="withholding" name="withholding">
        <option value="">{{t.providerTaxAsBefore}}</option>
        {{#taxes}}<option value="{{value}}">{{text}}</option>{{/taxes}}</select></div>
        <div><button class="first">{{t.providerSetTerms}}</button></div></form></details>{{/form}}
        """

    static let termsTexts: [ConsoleText] = [
        .init("providerSetTerms", "Set terms", "정산 조건 정하기"),
        .init(
            "providerTermsHelp", "They apply to captures from now on; earlier captures keep the terms of their time.",
            "지금부터의 사용에 적용됩니다. 이전 사용은 당시의 조건을 따릅니다."),
        .init("providerProduct", "Product (empty: all)", "상품(비우면 전체)"),
        .init("providerShareField", "Provider's share in %, such as 70 or 66.67", "파트너 몫(%), 예: 70 또는 66.67"),
        .init("providerTaxAsBefore", "as before", "기존과 같음"),
    ]
}

extension Visit {
    /// A share in percent with at most two decimals, in basis points.
    fileprivate func share() throws(Problem) -> Int64 {
        let text = try form.text("share")
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? String(parts[1]) : "0"
        let isNumber = (parts + [decimals[...]]).allSatisfy { part in
            (1...3).contains(part.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard isNumber, decimals.count <= 2, let whole = Int64(parts[0]),
            let part = Int64(decimals.count == 1 ? decimals + "0" : decimals), whole * 100 + part <= ProviderTerms.whole
        else { throw .invalid(member: "share", "share must be 0 to 100 percent, with at most two decimals") }
        return whole * 100 + part
    }
}
