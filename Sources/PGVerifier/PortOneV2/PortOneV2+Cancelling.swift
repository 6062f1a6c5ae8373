import Currencies
import WireFormats

extension PortOneV2: CancelsPayments {
    /// While an earlier request with the key runs, V2 answers 409 (PortOne V2 contract, Idempotency-Key).
    package var cancelsOncePerKey: Bool { true }

    /// Cancels a payment (`POST /payments/{paymentId}/cancel`), with the request's key as `Idempotency-Key` and the
    /// expected balance as `currentCancellableAmount`.
    ///
    /// A repetition with the same key returns its outcome. If the gateway has forgotten the key, the balance no longer
    /// matches (PortOne V2 contract, cancel).
    ///
    /// - Throws: ``GatewayError`` if it is unknown whether the payment was cancelled.
    package func cancel(_ request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome {
        if let flaw = request.flaw { return .refused(flaw) }
        let paymentID = try request.receipt.v2PaymentID
        let limit = client.configuration.limits.cancelTimeout
        let call: GatewayCall
        do throws(GatewayError) {
            call = try cancelCall(request, paymentID)
        } catch {
            return .refused(CancellationRefusal(.invalidAmount, error))
        }
        return try await client.ask("cancel", within: limit) { client, attempt throws(GatewayError) in
            do throws(GatewayError) {
                return try Self.read(try await client.answer(to: call, attempt), in: request.currency)
            } catch {
                guard error.code == .refused || error.isNoSuchThing else { throw error }
                return try await judge(error, request, paymentID, attempt)
            }
        }
    }

    /// Reads the payment again and looks for the cancellation.
    ///
    /// - Throws: ``GatewayError`` if the gateway can't be asked.
    package func outcome(of request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome? {
        request.outcome(in: try await payment(for: request.receipt))
    }

    /// HTTP 200 doesn't mean refunded: the cancellation has its own status.
    private static func read(_ answer: JSON, in code: String) throws(GatewayError) -> CancellationOutcome {
        let currency = try Currency(ofPayment: code)
        let cancellation = try PortOneV2Payment.cancellation(answer["cancellation"] ?? .null, in: currency)
        switch cancellation.status {
        case .succeeded: return .done(cancellation)
        case .requested, .unknown: return .pending(cancellation)
        case .failed: return .refused(CancellationRefusal(.refusedByGateway, message: "the cancellation failed"))
        }
    }

    /// A refusal can follow an attempt that was carried out without a response: the state of the payment decides.
    private func judge(
        _ error: GatewayError, _ request: CancellationRequest, _ paymentID: PaymentID, _ attempt: Attempt
    ) async throws(GatewayError) -> CancellationOutcome {
        let payment: GatewayPayment
        do throws(GatewayError) {
            payment = try await client.payment(paymentID, attempt)
        } catch let unread {
            guard unread.isNoSuchThing else { throw unread }
            return .refused(CancellationRefusal(.paymentNotFound, error))
        }
        return request.outcome(in: payment) ?? .refused(request.refusal(by: payment, error))
    }

    private func cancelCall(
        _ request: CancellationRequest, _ paymentID: PaymentID
    ) throws(GatewayError) -> GatewayCall {
        func number(_ amount: Int64) throws(GatewayError) -> JSON {
            .number(try Self.amounts.text(of: amount, inCode: request.currency))
        }
        var members: [String: JSON] = [
            "storeId": .string(client.configuration.storeID), "reason": .string(request.markedReason),
            "amount": try number(request.amount),
            "currentCancellableAmount": try number(request.believedBalance),
        ]
        members["taxFreeAmount"] = try request.taxFree.map(number)
        if let account = request.refundAccount {
            var fields: [String: JSON] = [
                "bank": .string(account.bank), "number": .string(account.number),
                "holderName": .string(account.holder),
            ]
            fields["holderPhoneNumber"] = account.phone.map(JSON.string)
            members["refundAccount"] = .object(fields)
        }
        return GatewayCall(
            method: .post, path: ["payments", paymentID.text, "cancel"], body: .object(members),
            idempotencyKey: request.key.text, timeout: client.configuration.limits.cancelTimeout,
            leastTime: client.configuration.limits.cancelTimeout / 2, isUnrepeatable: true)
    }
}
