import Hummingbird
import Ledger
import LedgerServer

/// Asks once more before a second proposal about an object is made: shows the first, and wants a tick.
///
/// The ledger decides it (`proposal_open`). The page sends the same form again, with the newest proposal that it shows: if
/// there is another one meanwhile, it is refused again.
enum SecondProposalPage {
    /// The field that says which is the newest open proposal that the person has seen.
    static let field = "beside"

    /// - Parameters:
    ///   - open: the open proposals about the object; at least one.
    ///   - back: the page to go back to without a second proposal.
    static func page(_ open: [Approval], _ order: any PersonOrder, back: String, _ visit: Visit) async -> Response {
        let kept = visit.form.all.filter { !["token", field].contains($0.name) }
        return await Layout.page(
            visit, title: visit.text("secondProposalTitle"), status: .conflict, template,
            [
                "proposals": ProposalPart.section(open, visit), "action": visit.request.uri.path,
                "fields": kept.map { ["name": $0.name, "value": $0.value] },
                "newest": open.map(\.id).max().map { String($0) } ?? "", "back": back,
                "button": visit.text("proposalRequest_\(type(of: order).act.rawValue)"),
            ])
    }

    static let template = ConsoleTemplate(
        """
        <p class="warning" role="alert">{{t.secondProposal}}</p>
        \(ProposalPart.template)
        <form class="act" method="post" action="{{action}}"><input type="hidden" name="token" value="{{token}}">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">{{/fields}}
        <div class="field"><label><input type="checkbox" name="\(field)" value="{{newest}}" required>
        {{t.secondProposalTick}}</label></div>
        <div><button>{{button}}</button> <a class="button" href="{{back}}">{{t.back}}</a></div></form>
        """)

    static let texts: [ConsoleText] = [
        .init("secondProposalTitle", "Something is proposed about this already", "이미 승인 요청된 건이 있습니다"),
        .init(
            "secondProposal", "Something is proposed about this already: nothing was done. Look at it first.",
            "같은 대상에 대한 승인 요청이 이미 있어 아무것도 처리하지 않았습니다. 먼저 확인하세요."),
        .init(
            "secondProposalTick", "I have looked at it, and ask for this one as well.",
            "위 요청을 확인했으며, 이 건도 별도로 요청합니다."),
    ]
}
