import Testing

@testable import Console
@testable import LedgerServer

/// The table of the console's acts, and the forms of its pages.
@Suite(.timeLimit(.minutes(20))) struct ConsoleActTests {
    @Test func `each act has its own name and addresses, and only visits need no right`() {
        let names = ConsoleAct.all.map(\.name)
        #expect(Set(names).count == names.count)
        let paths = ConsoleAct.all.flatMap(\.paths)
        #expect(Set(paths).count == paths.count)
        let free = ConsoleAct.all.filter { $0.right == nil }.map(\.name)
        #expect(free == ["sign-in", "sign-out", "sign-out-everywhere"])
        #expect(ConsoleAct.all.filter { $0.paths.isEmpty }.map(\.name) == ["sign-in"])
    }

    @Test func `each name of the audit is one act, in the same order`() {
        #expect(ConsoleAct.all.map(\.audited) == AuditAct.allCases)
    }

    @Test func `the acts that may need a second person are those that can be proposed`() {
        let limited = ConsoleAct.all.filter { $0.isLimited }.map { $0.name }
        let proposed = PersonOrders.all.map { $0.act.rawValue }
        #expect(Set(limited) == Set(proposed) && limited.count == proposed.count)
    }

    @Test func `each label of a field has a text`() {
        let keys = Set(Texts.all.map(\.key))
        let labels = ConsoleAct.all.flatMap { $0.fields.compactMap(\.label) }
        #expect(labels.count > 10 && Set(labels).subtracting(keys) == [])
    }

    @Test func `each form asks for the fields that its act declares`() {
        var asked: [String: Set<String>] = [:]
        var isOpen: Set<String> = []
        for form in Self.templates.flatMap({ Self.forms(in: $0.text) }) {
            for act in ConsoleAct.all where act.actions.contains(where: form.actions.contains) {
                asked[act.name, default: []].formUnion(form.fields)
                if form.hasMore { isOpen.insert(act.name) }
            }
        }
        for (template, action, acts) in Self.ofPages {
            for form in Self.forms(in: template.text) where form.actions == [action] {
                for act in acts { asked[act.name, default: []].formUnion(form.fields) }
            }
        }
        for act in ConsoleAct.all where act.right != nil {
            let (declared, fields) = (Set(act.fields.map(\.name)), asked[act.name])
            #expect(fields != nil, "\(act.name) has no form")
            let isSame = isOpen.contains(act.name) ? fields?.isSubset(of: declared) : fields.map { $0 == declared }
            #expect(isSame == true, "\(act.name): \(fields?.sorted() ?? []) instead of \(declared.sorted())")
        }
    }

    private static let templates = [
        FindingPages.pageTemplate, FindingPages.newUserTemplate, ApprovalPages.pageTemplate,
        ReconciliationPages.listTemplate, ReconciliationPages.pageTemplate, ReconciliationPages.differenceTemplate,
        SettlementPages.listTemplate, SettlementPages.lineTemplate, SettlementPages.previewTemplate,
        TransferPages.template, ProviderPages.listTemplate, PayoutPages.listTemplate, PayoutPages.pageTemplate,
        DisputePages.template,
        AdjustmentPages.listTemplate, AdjustmentPages.previewTemplate, RevaluationPages.template, ClosingPages.template,
        ProductPages.template,
        EndpointPages.listTemplate, EndpointPages.pageTemplate, SearchPage.template, CampaignPages.pageTemplate,
    ]

    /// Forms whose address the page fills in.
    private static let ofPages: [(ConsoleTemplate, action: String, [ConsoleAct])] =
        CustomerActs.all.map { ($0.template, "{{path}}", [$0.act]) } + others

    private static let others: [(ConsoleTemplate, action: String, [ConsoleAct])] = [
        (ActPages.refundTemplate, "{{path}}", [.refund]), (ActPages.coinsTemplate, "{{path}}", [.grant, .writeOff]),
        (ActPages.voidTemplate, "{{path}}", [.voidHold]), (TopUpPages.template, "{{path}}", ConsoleAct.ofTopUps),
        (ForgettingPages.template, "{{path}}", ConsoleAct.ofForgetting),
        (CustomerPage.template, "{{path}}/notes", [.note]), (CustomerPage.template, "{{path}}", [.lookUp]),
        (CustomerPage.template, "{{action}}", [.overruleRefundQuestion]),
        (ProviderPages.pageTemplate, "{{action}}", [.repayClaim]),
        (ProviderPages.pageTemplate, "{{proposeAction}}", [.proposeAccount]),
        (ProviderPages.pageTemplate, "{{approveAction}}", [.approveAccount]),
        (ProviderPages.pageTemplate, "{{withdrawAction}}", [.withdrawAccount]),
        (ProviderPages.pageTemplate, "{{eraseAction}}", [.eraseAccounts]),
    ]

    private struct Form {
        /// Where its buttons send it.
        let actions: [String]
        let fields: Set<String>
        /// Whether it has fields whose names the page fills in.
        let hasMore: Bool
    }

    private static func forms(in template: String) -> [Form] {
        let pattern = #/<form(?=[^>]*method="post")[^>]*?[\s]action="([^"]*)"(.*?)</form>/#.dotMatchesNewlines()
        return template.matches(of: pattern).map { form in
            let others = form.2.matches(of: #/formaction="([^"]*)"/#).map { String($0.1) }
            let names = form.2.matches(of: #/[\s]name="([^"{]*)"/#).map { String($0.1) }
            return Form(
                actions: Self.actions(String(form.1)) + others, fields: Set(names).subtracting(["token", "once"]),
                hasMore: form.2.contains(#/name="[a-z:]*\{\{/#))
        }
    }

    /// The addresses of a form, of which the page can choose one.
    private static func actions(_ text: String) -> [String] {
        let chosen = text.matches(of: #/\{\{[#^]isEnabled\}\}(.*?)\{\{/isEnabled\}\}/#).map { String($0.1) }
        return chosen.isEmpty ? [text] : chosen
    }
}

extension ConsoleAct {
    fileprivate var actions: [String] { paths.indices.map { action($0) } }
}
