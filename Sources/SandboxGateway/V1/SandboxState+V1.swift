import FoundationEssentials
import SandboxSupport

extension SandboxState {
    private var seconds: Int { Int(currentTime.timeIntervalSince1970) }

    // MARK: Tokens

    /// Issues the current token; `now` and `expiresAt` are times of the gateway's clock.
    func issueToken() -> (token: String, now: Int, expiresAt: Int) {
        v1Tokens.issue(now: seconds)
        return (v1Tokens.token, seconds, v1Tokens.expiresAt)
    }

    func isValid(token: String) -> Bool { v1Tokens.isValid(token, now: seconds) }

    /// Invalidates all tokens of both APIs.
    func revokeTokens() {
        v1Tokens.revoke()
        v2Tokens.revokeAccess()
    }

    // MARK: Look-ups

    func payment(_ impUID: String, _ scope: V1Scope) -> SandboxPayment? {
        payments[impUID].flatMap { scope.sees($0) ? $0 : nil }
    }

    func payments(merchantUID: String, _ scope: V1Scope) -> [SandboxPayment] {
        payments(merchantUID: merchantUID).filter(scope.sees)
    }

    func payments(
        listedIn window: ClosedRange<Date>, status: V1Status?, _ scope: V1Scope, sorting: String
    ) -> [SandboxPayment] {
        lastList.list("V1 \(window) \(status?.rawValue ?? "all") \(scope) \(sorting)", asOf: changes) {
            let listed = payments.values.filter { payment in
                (status == nil || payment.v1Status == status) && scope.sees(payment)
                    && window.contains(payment.listedAt.wholeSeconds)
            }
            return PaymentListing.sorted(listed, by: sorting)
        }
    }

    // MARK: Cancellation

    /// Cancels through the API; the error names the first violated rule (PortOne V1 contract, cancel).
    func cancel(_ request: V1Cancel, _ scope: V1Scope) throws(V1Refusal) -> PaymentChangeResult {
        guard var payment = target(of: request, scope), payment.wasApproved else { throw .nothingToCancel }
        let amount = try request.amount(from: payment)
        let taxFree = try request.taxFree(of: amount, from: payment)
        let status: Cancellation.Status =
            switch payment.draft.cancelOutcome {
            case .succeeded: .succeeded
            case .requested: .requested
            case .failed, .refused: throw .refusedByPG
            }
        payment.cancel(
            Cancellation(
                amount: amount, taxFree: taxFree, vat: request.vat,
                reason: request.reason ?? "취소요청api", trigger: .api, status: status, now: currentTime))
        return keep(payment)
    }

    /// `imp_uid` has priority over `merchant_uid`, even if it is unknown.
    private func target(of request: V1Cancel, _ scope: V1Scope) -> SandboxPayment? {
        if let impUID = request.impUID { return payment(impUID, scope) }
        return Self.current(of: payments(merchantUID: request.merchantUID ?? "", scope))
    }

    // MARK: Registered amounts

    func prepared(_ merchantUID: String) -> PreparedAmount? { prepared[merchantUID] }

    /// Registers an amount; a different amount is refused.
    func prepare(_ amount: PreparedAmount) throws(V1Refusal) {
        if let known = prepared[amount.merchantUID],
            (known.amount, known.currency) != (amount.amount, amount.currency)
        {
            throw .alreadyPrepared
        }
        register(amount)
    }

    /// Replaces a registered amount.
    ///
    /// - Returns: false when none is registered.
    func replacePrepared(_ amount: PreparedAmount) -> Bool {
        guard prepared[amount.merchantUID] != nil else { return false }
        register(amount)
        return true
    }
}
