import Synchronization
import WireFormats

extension PortOneV1: CancelsPayments {
    /// V1 has no idempotency key.
    package var cancelsOncePerKey: Bool { false }

    /// Cancels a payment (`POST /payments/cancel`), with the expected balance as `checksum`.
    ///
    /// V1 has no idempotency key. After an attempt without a response, the payment is only read, because the gateway
    /// may still be cancelling. A later repetition is refused by the checksum if the first was carried out (PortOne V1
    /// contract, cancel).
    ///
    /// - Throws: ``GatewayError`` if it is unknown whether the payment was cancelled. If a request may have arrived, the
    ///   error says so.
    package func cancel(_ request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome {
        if let flaw = request.flaw { return .refused(flaw) }
        let impUID = try request.receipt.impUID
        let limit = client.configuration.limits.cancelTimeout
        let call: GatewayCall
        do throws(GatewayError) {
            call = try cancelCall(request, impUID)
        } catch {
            return .refused(CancellationRefusal(.invalidAmount, error))
        }
        let unanswered = Mutex<GatewayError?>(nil)
        do throws(GatewayError) {
            return try await client.calls.ask("cancel", within: limit) { attempt throws(GatewayError) in
                if attempt.number > 1, let known = request.outcome(in: try await client.payment(impUID, attempt)) {
                    return known
                }
                if let error = unanswered.withLock({ $0 }) { throw error }
                return try await attemptCancel(request, call, impUID, attempt) { error in
                    unanswered.withLock { $0 = error }
                }
            }
        } catch {
            // A look-up that fails afterwards must not hide that the request may have arrived.
            throw error.mayHaveBeenCarriedOut ? error : unanswered.withLock { $0 } ?? error
        }
    }

    /// Reads the payment again and looks for the cancellation.
    ///
    /// - Throws: ``GatewayError`` if the gateway can't be asked.
    package func outcome(of request: CancellationRequest) async throws(GatewayError) -> CancellationOutcome? {
        request.outcome(in: try await client.payment(try request.receipt.impUID))
    }

    /// - Parameter unanswered: called if the request may have been carried out, although it failed.
    private func attemptCancel(
        _ request: CancellationRequest, _ call: GatewayCall, _ impUID: ImpUID, _ attempt: Attempt,
        unanswered: (GatewayError) -> Void
    ) async throws(GatewayError) -> CancellationOutcome {
        let answer: PortOneV1Answer
        do throws(GatewayError) {
            answer = try await client.answer(to: call, attempt)
        } catch {
            // The cancellation was not sent, or the gateway did not look at it: this error is no refusal of it.
            guard attempt.sent.mayHaveBeenCarriedOut else { throw error }
            unanswered(error)
            guard error.code == .refused || error.isNoSuchThing else { throw error }
            return try await judge(error, request, impUID, attempt)
        }
        // Some payment methods only accept the request and show the cancellation later (PortOne V1 contract, cancel).
        return request.outcome(in: try PortOneV1Client.read(answer, impUID), isAnswer: true) ?? .pending(nil)
    }

    /// A refusal can follow an attempt that was carried out without a response: the state of the payment decides.
    private func judge(
        _ error: GatewayError, _ request: CancellationRequest, _ impUID: ImpUID, _ attempt: Attempt
    ) async throws(GatewayError) -> CancellationOutcome {
        let payment: GatewayPayment
        do throws(GatewayError) {
            payment = try await client.payment(impUID, attempt)
        } catch let unread {
            guard unread.isNoSuchThing else { throw unread }
            return .refused(CancellationRefusal(.paymentNotFound, error))
        }
        return request.outcome(in: payment) ?? .refused(request.refusal(by: payment, error))
    }

    private func cancelCall(_ request: CancellationRequest, _ impUID: ImpUID) throws(GatewayError) -> GatewayCall {
        func number(_ amount: Int64) throws(GatewayError) -> JSON {
            .number(try Self.amounts.text(of: amount, inCode: request.currency))
        }
        var members: [String: JSON] = [
            "imp_uid": .string(impUID.text), "reason": .string(request.markedReason),
            "amount": try number(request.amount), "checksum": try number(request.believedBalance),
        ]
        members["tax_free"] = try request.taxFree.map(number)
        if let account = request.refundAccount {
            members["refund_bank"] = .string(account.bank)
            members["refund_account"] = .string(account.number)
            members["refund_holder"] = .string(account.holder)
            members["refund_tel"] = account.phone.map(JSON.string)
        }
        return GatewayCall(
            method: .post, path: ["payments", "cancel"], body: .object(members),
            timeout: client.configuration.limits.cancelTimeout,
            leastTime: client.configuration.limits.cancelTimeout / 2, isUnrepeatable: true)
    }
}
