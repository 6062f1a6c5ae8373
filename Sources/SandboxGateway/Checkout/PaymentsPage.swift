import FoundationEssentials
import Hummingbird
import Mustache
import SandboxSupport

/// The console page: the latest payments and their actions.
struct PaymentsPage: Sendable {
    let state: SandboxState
    let webhooks: WebhookOutbox

    private static let shown = 100

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("/", use: list)
        router.post("console/payments/{imp_uid}", use: act)
    }

    private func list(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let rows: [[String: Any]] = await state.inOrder.suffix(Self.shown).reversed().map { payment in
            [
                "id": payment.impUID, "apis": Self.apis(of: payment), "path": PercentEncoding.encode(payment.impUID),
                "order": payment.merchantUID,
                "amount": "\(payment.currency) \(payment.amount)", "status": payment.status.rawValue,
                "cancelled": payment.cancelledAmount == 0 ? [] : ["\(payment.cancelledAmount)"],
                "isTest": payment.isTest, "acts": Self.acts(of: payment),
            ]
        }
        return HTMLPage.render(Self.table, title: "Payments", ["payments": rows, "isEmpty": rows.isEmpty])
    }

    private static func apis(of payment: SandboxPayment) -> String {
        payment.draft.home == .both ? "V1 and V2" : payment.draft.home.rawValue
    }

    private static func acts(of payment: SandboxPayment) -> [[String: String]] {
        var acts: [(String, String)] =
            switch payment.status {
            case .ready, .payPending: [("paid", "Approve"), ("failed", "Fail")]
            case .accountIssued: [("paid", "Deposit"), ("failed", "Close")]
            case .paid, .partialCancelled: payment.balance > 0 ? [("cancelled", "Cancel")] : []
            case .failed, .cancelled: []
            }
        if payment.cancellations.contains(where: { $0.status == .requested }) {
            acts += [("succeed", "Complete cancellation"), ("reject", "Reject cancellation")]
        }
        return acts.map { ["value": $0.0, "label": $0.1] }
    }

    private func act(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await request.body.collect(upTo: Request.maxBodyBytes)
        let change: PaymentChange =
            switch FormPairs(String(buffer: body))["act"] {
            case "paid": .status(.paid, failReason: nil)
            case "failed": .status(.failed, failReason: nil)
            case "cancelled": .cancel(PaymentChange.CancellationByHand())
            case "succeed": .decideCancellation(id: nil, as: .succeeded)
            case "reject": .decideCancellation(id: nil, as: .failed)
            default: throw ControlError(.badRequest, "act", "is unknown")
            }
        do {
            await webhooks.announce(try await state.change(try context.segment("imp_uid"), by: change))
            return HTMLPage.seeOther("/")
        } catch let error as ControlError {
            return HTMLPage.refusal(error, backTo: "/")
        }
    }

    private static let table = HTMLPage.template(
        """
        {{#isEmpty}}<p>No payments yet. Open <code>/checkout</code> in a shop, or send a POST request to
        <code>/sandbox/payments</code>.</p>{{/isEmpty}}
        {{^isEmpty}}
        <ul class="payments">
        {{#payments}}<li>
        <div><h2>{{order}}{{#isTest}} (test){{/isTest}}</h2><span class="quiet">{{id}}, {{apis}}</span></div>
        <div class="number">{{amount}}{{#cancelled}}<span class="quiet">cancelled {{.}}</span>{{/cancelled}}</div>
        <div>{{status}}</div>
        <div class="acts">{{#acts}}<form method="post" action="/console/payments/{{path}}"><button name="act"
        value="{{value}}" aria-label="{{label}} {{order}}">{{label}}</button></form>{{/acts}}</div>
        </li>
        {{/payments}}
        </ul>
        {{/isEmpty}}
        """)
}
