import Foundation
import Ledger
import LedgerServer
import Timing
import WireFormats

/// What is wrong with a customer's payments, for the top of the page.
struct CustomerTroubles: Sendable {
    let findings: [Finding]
    /// Receipts that were refused or given up lately.
    let refused: [StoredReceipt]
    let waiting: [StoredReceipt]
    /// Proposals that wait, or that are approved and not carried out yet, and the last ones that ended.
    let proposals: [Approval]
    /// Refunds that the gateway or finance has not decided, whichever purchase they are of.
    let refunds: [Refund]
    /// The ids of purchases whose payment is disputed.
    let disputed: Set<Int64>

    private static let listed = 10
    /// A refund holds money and coins: none that is open should be missing.
    private static let listedRefunds = 200
    /// For how many days a refused receipt is something to look at.
    private static let days: TimeInterval = 30

    /// Reads what is open about a customer, each bounded and by an index of the customer.
    static func read(_ user: UserID, from ledger: Ledger) async throws -> CustomerTroubles {
        let since = Time.current.now - days * 86_400
        let ended = [StoredReceipt.Status.refused, .abandoned]
        var refused: [StoredReceipt] = []
        for status in ended {
            refused += try await ledger.retries.list(of: user, status, limit: listed).elements
        }
        return CustomerTroubles(
            findings: try await ledger.findings.list(FindingFilter(user: user), limit: listed).elements,
            refused: refused.filter { $0.decidedAt ?? $0.createdAt >= since }.sorted { $0.createdAt > $1.createdAt },
            waiting: try await ledger.retries.list(of: user, .waiting, limit: listed).elements,
            proposals: try await ledger.approvals.list(of: user),
            refunds: try await ledger.refunds.list(openOf: user, limit: listedRefunds),
            disputed: try await ledger.disputes.disputedPurchases(of: user))
    }

    var isNone: Bool {
        findings.isEmpty && refused.isEmpty && waiting.isEmpty && refunds.isEmpty && disputed.isEmpty
            && !proposals.contains(where: \.isOpen)
    }

    /// Whether a row of these has this name in the page.
    func names(_ anchor: Any?) -> Bool {
        guard let anchor = anchor as? String else { return false }
        return refused.contains { "receipt-\($0.id)" == anchor }
    }

    func values(_ user: UserID, _ visit: Visit) -> [String: Any] {
        let path = CustomerPath.page(of: user)
        let receipts = (waiting + refused).map { receipt(of: $0, path, visit) }
        return [
            "isCalm": isNone, "allFindings": "/console/findings?" + ConsolePath.query([("user", user.rawValue)]),
            "findings": Layout.section(findings.map { Self.finding($0, visit) }),
            "receipts": Layout.section(receipts),
            "proposals": ProposalPart.section(proposals, visit),
            "refunds": Layout.section(refunds.map { Self.refund($0, visit) }),
            "disputes": Layout.section(disputed.sorted().map { ["id": String($0), "path": "\(path)#purchase-\($0)"] }),
        ]
    }

    private static func finding(_ finding: Finding, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(finding.id), "kind": visit.text("finding_\(finding.kind.rawValue)"),
            "assignee": finding.assignee ?? "",
        ]
        row["impUID"] = finding.payment?.paymentID
        row["merchantUID"] = finding.payment?.merchantUID
        if let amount = finding.amount, let currency = finding.currency { row["amount"] = Show.money(amount, currency) }
        row["paid"] = visit.time(finding.paidAt)
        return row
    }

    private func receipt(of receipt: StoredReceipt, _ path: String, _ visit: Visit) -> [String: Any] {
        var row: [String: Any] = [
            "id": String(receipt.id), "reason": visit.why(receipt.reason),
            "state": visit.text("receipt_\(receipt.status.rawValue)"), "gateway": receipt.payment.gateway,
            "tone": receipt.status == .waiting ? "wait" : "bad", "impUID": receipt.payment.paymentID,
            "merchantUID": receipt.payment.merchantUID, "attempts": Show.number(receipt.attempts),
        ]
        row["created"] = visit.time(receipt.createdAt)
        row["due"] = visit.time(receipt.nextAttemptAt)
        row["lookUp"] = CustomerPage.lookUp(receipt.payment, path, visit)
        return row
    }

    private static func refund(_ refund: Refund, _ visit: Visit) -> [String: Any] {
        let path = CustomerPath.page(of: refund.user)
        var row: [String: Any] = [
            "id": String(refund.id), "amount": Show.refund(refund.amount, of: refund.foreign),
            "purchase": String(refund.purchaseID),
            "purchasePath": path + "?purchase=\(refund.purchaseID)#purchase-\(refund.purchaseID)",
            "state": visit.text("refundState_\(refund.status.rawValue)"),
            "explanation": refund.explanation,
        ]
        row["requested"] = visit.time(refund.requestedAt)
        return row
    }

    static let template = """
        {{#troubles}}<section aria-labelledby="troubles"><h2 id="troubles">{{t.troublesTitle}}</h2>
        {{#isCalm}}<p class="quiet">{{t.troublesNone}}</p>{{/isCalm}}
        {{#findings}}<h3>{{t.findingsTitle}}</h3>
        <table class="stacked"><thead><tr><th scope="col">{{t.findingTitle}}</th><th scope="col">{{t.payment}}</th>
        <th scope="col" class="number">{{t.amount}}</th><th scope="col">{{t.findingPaid}}</th><th scope="col">{{t.findingOwner}}</th>
        </tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/findings/{{id}}">{{kind}} {{id}}</a></th>
        <td>{{#impUID}}<code class="id">{{impUID}}</code>{{/impUID}} {{#merchantUID}}<code class="id">{{merchantUID}}</code>{{/merchantUID}}</td>
        <td class="number">{{amount}}</td><td>{{#paid}}<time datetime="{{value}}">{{text}}</time>{{/paid}}</td><td>{{assignee}}</td></tr>
        {{/rows}}</tbody></table>
        <p><a href="{{allFindings}}">{{t.troublesFindings}}</a></p>{{/findings}}

        {{#receipts}}<h3>{{t.waitingTitle}}</h3>
        <table class="stacked"><thead><tr><th scope="col">{{t.payment}}</th><th scope="col">{{t.status}}</th>
        <th scope="col">{{t.reason}}</th><th scope="col">{{t.presented}}</th><th scope="col">{{t.nextLookUp}}</th>
        <th scope="col" class="number">{{t.attempts}}</th><th scope="col">{{t.acts}}</th></tr></thead><tbody>
        {{#rows}}<tr id="receipt-{{id}}"><th scope="row"><code class="id">{{impUID}}</code> <code class="id">{{merchantUID}}</code><br>
        <span class="quiet">{{gateway}}</span></th><td><span class="status {{tone}}">{{state}}</span></td><td>{{reason}}</td>
        <td>{{#created}}<time datetime="{{value}}">{{text}}</time>{{/created}}</td>
        <td>{{#due}}<time datetime="{{value}}">{{text}}</time>{{/due}}</td><td class="number">{{attempts}}</td>
        <td>\(CustomerPage.lookUpButton)</td></tr>
        {{/rows}}</tbody></table>{{/receipts}}

        \(ProposalPart.template)
        {{#refunds}}<h3>{{t.waitingRefundsTitle}}</h3>
        <table class="stacked"><thead><tr><th scope="col">{{t.refundTitle}}</th><th scope="col">{{t.purchase}}</th>
        <th scope="col" class="number">{{t.amount}}</th><th scope="col">{{t.status}}</th><th scope="col">{{t.reason}}</th>
        <th scope="col">{{t.time}}</th></tr></thead><tbody>
        {{#rows}}<tr id="refund-{{id}}"><th scope="row">{{id}}</th><td><a href="{{purchasePath}}">{{purchase}}</a></td>
        <td class="number">{{amount}}</td><td><span class="status wait">{{state}}</span></td><td>{{explanation}}</td>
        <td>{{#requested}}<time datetime="{{value}}">{{text}}</time>{{/requested}}</td></tr>
        {{/rows}}</tbody></table>{{/refunds}}

        {{#disputes}}<h3>{{t.disputesTitle}}</h3>
        <ul>{{#rows}}<li><a href="{{path}}">{{t.purchase}} {{id}}</a>: <span class="status wait">{{t.disputed}}</span></li>
        {{/rows}}</ul>{{/disputes}}</section>{{/troubles}}
        """

    static let texts: [ConsoleText] = [
        .init("troublesTitle", "To look at", "먼저 확인할 것"),
        .init("troublesNone", "Nothing is open.", "열려 있는 건이 없습니다."),
        .init("troublesFindings", "All findings of this customer", "이 고객의 확인 필요 결제 모두 보기"),
    ]
}
