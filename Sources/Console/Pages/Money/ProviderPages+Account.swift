import Hummingbird
import Ledger
import LedgerServer
import WireFormats

// The bank account that payouts to a provider go to: proposed by one person, approved by another, and never shown whole.
extension ProviderPages {
    /// How many accounts the page shows.
    private static let shownAccounts = 20

    func addAccountRoutes(to routes: inout ConsoleRoutes) {
        routes.act(.proposeAccount, proposeAccount)
        routes.act(.approveAccount, approveAccount)
        routes.act(.withdrawAccount, withdrawAccount)
        routes.act(.eraseAccounts, eraseAccounts)
    }

    /// The values of ``accountTemplate``.
    func accountValues(of provider: UserID, _ visit: Visit) async throws -> [String: Any] {
        let found = try await desk.desks.ledger.providers.shownAccounts(of: provider, limit: Self.shownAccounts)
        var values: [String: Any] = [
            "accounts": Layout.section(found.map { Self.row($0, of: provider, visit) })
        ]
        guard visit.may(.keepBooks) else { return values }
        values["propose"] = ["once": RandomToken.make(), "proposeAction": Self.path(of: provider) + "/account"]
        if found.contains(where: { $0.account != nil }) {
            values["erase"] = ["once": RandomToken.make(), "eraseAction": Self.path(of: provider) + "/account/erase"]
        }
        return values
    }

    private static func row(_ kept: ProviderAccount, of provider: UserID, _ visit: Visit) -> [String: Any] {
        let isOwn = visit.person.identity.isSamePerson(as: kept.proposer)
        var row: [String: Any] = [
            "id": String(kept.id), "status": visit.text("account_\(kept.status.rawValue)"),
            "tone": kept.status == .approved ? "good" : kept.status == .proposed ? "wait" : "bad",
            "bank": kept.account?.bank ?? "", "number": kept.account.map { "…\($0.numberEnd)" } ?? "",
            "holder": kept.account?.holder ?? "",
            "proposed": "\(kept.proposedBy), \(visit.show(kept.proposedAt))",
            "approved": kept.approvedBy.map { "\($0), \(visit.show(kept.approvedAt))" } ?? "",
            "ended": kept.endedBy.map { "\($0), \(visit.show(kept.endedAt))" } ?? "",
        ]
        let path = Self.path(of: provider) + "/accounts/\(kept.id)"
        if kept.status == .proposed, !isOwn, visit.may(.approve) {
            row["approve"] = ["once": RandomToken.make(), "approveAction": path + "/approve", "id": String(kept.id)]
        }
        if kept.status == .proposed, visit.may(.keepBooks) {
            row["withdraw"] = ["once": RandomToken.make(), "withdrawAction": path + "/withdraw"]
        }
        row["isOwn"] = kept.status == .proposed && isOwn
        return row
    }

    /// `POST …/account`: another person has to approve it.
    ///
    /// As `PUT /v1/providers/{provider}/account`.
    private func proposeAccount(_ visit: Visit) async throws -> Response {
        let provider = try visit.context.requireOwnerInPath("provider")
        let account = BankAccount(
            bank: try visit.form.text("bank"), number: try visit.form.text("number"),
            holder: try visit.form.text("holder"))
        return try await perform(.proposeAccount, of: provider, visit) {
            _ = try await desk.desks.providers.propose(account, of: provider, by: $0.caller.rawValue)
        }
    }

    /// `POST …/accounts/{id}/approve`: with the number as the person has it from the provider.
    ///
    /// As `POST /v1/providers/{provider}/accounts/{id}/approval`.
    private func approveAccount(_ visit: Visit) async throws -> Response {
        let (provider, id) = (try visit.context.requireOwnerInPath("provider"), try visit.context.pathID())
        let number = try visit.form.text("number")
        return try await perform(.approveAccount, of: provider, visit) {
            _ = try await desk.desks.providers.approveAccount(
                .seen(id, number: number), of: provider, by: $0.caller.rawValue, named: visit.person.name)
        }
    }

    /// `POST …/accounts/{id}/withdraw`.
    ///
    /// As `POST /v1/providers/{provider}/accounts/{id}/withdrawal`.
    private func withdrawAccount(_ visit: Visit) async throws -> Response {
        let (provider, id) = (try visit.context.requireOwnerInPath("provider"), try visit.context.pathID())
        return try await perform(.withdrawAccount, of: provider, visit) {
            _ = try await desk.desks.providers.withdrawAccount(id, of: provider, by: $0.caller.rawValue)
        }
    }

    /// `POST …/account/erase`.
    ///
    /// As `DELETE /v1/providers/{provider}/account`.
    private func eraseAccounts(_ visit: Visit) async throws -> Response {
        let provider = try visit.context.requireOwnerInPath("provider")
        return try await perform(.eraseAccounts, of: provider, visit) {
            _ = try await desk.desks.providers.eraseAccounts(of: provider, by: $0.caller.rawValue)
        }
    }

    /// The audit gets neither bank, number nor holder.
    private func perform(
        _ act: ConsoleAct, of provider: UserID, _ visit: Visit, _ work: (CallerKey) async throws -> Void
    ) async throws -> Response {
        try await desk.perform(act, on: "provider:\(provider.rawValue)", visit, work)
        return visit.redirect(to: Self.path(of: provider), notice: act.notice())
    }

    static let accountTemplate = """
        <h2>{{t.accountTitle}}</h2><p class="quiet">{{t.accountHelp}}</p>
        {{^accounts}}\(FormPart.empty("accountsNone")){{/accounts}}
        {{#accounts}}<table class="stacked"><thead><tr><th scope="col">{{t.accountID}}</th><th scope="col">{{t.status}}</th>
        <th scope="col">{{t.accountBank}}</th><th scope="col">{{t.accountNumber}}</th>
        <th scope="col">{{t.accountHolder}}</th><th scope="col">{{t.proposer}}</th><th scope="col">{{t.decider}}</th>
        <th scope="col">{{t.accountEnded}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{id}}</th><td><span class="status {{tone}}">{{status}}</span></td><td>{{bank}}</td>
        <td>{{number}}</td><td>{{holder}}</td><td>{{proposed}}</td><td>{{approved}}
        {{#isOwn}}<p class="quiet">{{t.ownProposal}}</p>{{/isOwn}}
        {{#approve}}\(ConsoleAct.approveAccount.form(
            "accountApprove", ids: ["number": "approve-{{id}}"], to: "{{approveAction}}")){{/approve}}
        {{#withdraw}}\(ConsoleAct.withdrawAccount.form(
            "accountWithdraw", to: "{{withdrawAction}}", isFirst: false)){{/withdraw}}</td><td>{{ended}}</td></tr>
        {{/rows}}</tbody></table>{{/accounts}}
        {{#propose}}<details><summary>{{t.accountPropose}}</summary>
        \(ConsoleAct.proposeAccount.form("accountPropose", to: "{{proposeAction}}", isFirst: false))</details>{{/propose}}
        {{#erase}}<details><summary>{{t.accountErase}}</summary><p class="quiet">{{t.accountEraseHelp}}</p>
        \(ConsoleAct.eraseAccounts.form("accountErase", to: "{{eraseAction}}", isFirst: false))</details>{{/erase}}
        """

    static let accountTexts: [ConsoleText] = [
        .init("accountTitle", "Bank account", "입금 계좌"), .init("accountID", "Account", "계좌"),
        .init(
            "accountHelp",
            "Payouts go to the approved account. Its number is never shown whole, and it is erased when it is replaced or has "
                + "served nobody for a year.",
            "지급은 승인된 계좌로 합니다. 계좌번호는 전체를 표시하지 않으며, 계좌가 바뀌거나 1년간 쓰이지 않으면 삭제합니다."),
        .init(
            "accountsNone", "No account is kept. Propose one, and another person approves it.",
            "보관 중인 계좌가 없습니다. 계좌를 요청하면 다른 담당자가 승인합니다."),
        .init("accountBank", "Bank", "은행"), .init("accountNumber", "Account number", "계좌번호"),
        .init("accountHolder", "Holder", "예금주"), .init("accountEnded", "Ended", "종료"),
        .init("accountPropose", "Propose an account", "계좌 승인 요청"),
        .init("accountApprove", "Approve this number", "이 계좌번호로 승인"),
        .init("accountNumberAgain", "Account number, as the provider told you", "파트너에게 확인한 계좌번호"),
        .init("accountWithdraw", "Withdraw the proposal", "계좌 요청 취소"),
        .init("accountErase", "Erase the account", "계좌 삭제"),
        .init(
            "accountEraseHelp",
            "The account in force and the proposed one are erased. Another person has to approve the next one: a list can't name it.",
            "승인된 계좌와 요청 중인 계좌를 삭제합니다. 다음 계좌는 다른 담당자의 승인이 필요하며 목록으로 대신할 수 없습니다."),
        .init("account_proposed", "waits for approval", "승인 대기"), .init("account_withdrawn", "withdrawn", "요청 취소됨"),
        .init("account_approved", "in force", "사용 중"), .init("account_erased", "erased", "삭제됨"),
    ]
}
