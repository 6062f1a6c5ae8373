import FoundationEssentials
import Hummingbird
import Mustache
import SandboxSupport

/// The payment window: a person pays, fails or cancels, and is redirected to the shop.
struct CheckoutRoutes: Sendable {
    let state: SandboxState
    let webhooks: WebhookOutbox

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.get("checkout", use: open)
        router.post("checkout", use: decide)
    }

    private func open(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let order: CheckoutOrder
        do {
            order = try await self.order(request.query)
        } catch {
            return HTMLPage.refusal(error)
        }
        do {
            let draft = try order.draft(payMethod: "card", outcome: .pay)
            try await state.checkWindow(draft)
            return HTMLPage.render(
                Self.window, title: "Pay",
                [
                    "name": draft.text("name") ?? draft.merchantUID, "order": draft.merchantUID,
                    "amount": "\(draft.currency) \(draft.amount)", "version": order.version.rawValue,
                    "fields": order.fields.map { ["name": $0.name, "value": $0.value] },
                ])
        } catch {
            return HTMLPage.refusal(
                error as ControlError, backTo: order.redirectURL.map { Self.refused(order, $0, error) })
        }
    }

    private func decide(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await request.body.collect(upTo: Request.maxBodyBytes)
        let fields = FormPairs(String(buffer: body))
        let payMethod = fields["pay_method"] ?? "card"
        do {
            let order = try await self.order(fields)
            guard let outcome = CheckoutOutcome(rawValue: fields["outcome"] ?? "") else {
                throw ControlError(.badRequest, "outcome", "must be pay, fail or cancel")
            }
            guard ["card", "vbank"].contains(payMethod) else {
                throw ControlError(.badRequest, "pay_method", "must be card or vbank")
            }
            let change = try await state.pay(try order.draft(payMethod: payMethod, outcome: outcome))
            await webhooks.announce(change)
            let answer = RedirectURL.answer(change.payment, order.version)
            if let url = order.redirectURL { return HTMLPage.seeOther(RedirectURL.with(answer, url)) }
            return HTMLPage.render(
                Self.done, title: "Done", ["answer": answer.map { ["name": $0.0, "value": $0.1] }])
        } catch let error as ControlError {
            return HTMLPage.refusal(error)
        }
    }

    private func order(_ query: FormPairs) async throws(ControlError) -> CheckoutOrder {
        let registered = await state.prepared(CheckoutOrder.merchantUID(query) ?? "")
        return try CheckoutOrder(query, registered: registered?.api)
    }

    /// Redirects to the shop when the window doesn't open; no payment exists then.
    private static func refused(_ order: CheckoutOrder, _ url: String, _ error: ControlError) -> String {
        let order = order.fields.first { $0.name == "merchant_uid" }?.value ?? ""
        return RedirectURL.with(
            [
                ("merchant_uid", order), ("imp_success", "false"), ("error_code", "F0001"),
                ("error_msg", error.field + " " + error.rule),
            ], url)
    }

    private static let window = HTMLPage.template(
        """
        <div class="narrow">
        <dl>
        <dt>Order</dt><dd>{{name}}<span class="quiet">{{order}}, {{version}}</span></dd>
        <dt>Amount</dt><dd class="amount">{{amount}}</dd>
        </dl>
        <form method="post" action="/checkout">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
        {{/fields}}
        <fieldset>
        <legend>Method</legend>
        <label><input type="radio" name="pay_method" value="card" checked> Card</label>
        <label><input type="radio" name="pay_method" value="vbank"> Virtual account (paid later)</label>
        </fieldset>
        <div class="choices">
        <button class="first" name="outcome" value="pay">Pay {{amount}}</button>
        <button name="outcome" value="fail">Fail</button>
        <button name="outcome" value="cancel">Cancel</button>
        </div>
        </form>
        </div>
        """)

    private static let done = HTMLPage.template(
        """
        <p>The shop gave no redirect_url. It would have received:</p>
        <dl>{{#answer}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/answer}}</dl>
        <p><a href="/">All payments</a></p>
        """)
}
