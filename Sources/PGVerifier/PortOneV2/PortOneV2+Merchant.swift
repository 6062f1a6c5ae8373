import Crypto

extension PortOneV2: RegistersOrders {
    /// Registers the amount of an order (`POST /payments/{paymentId}/pre-register`), with the order id as payment id.
    ///
    /// - Throws: ``GatewayError``; definite if the gateway refuses, for example because the order is already paid.
    package func register(_ order: OrderAmount) async throws(GatewayError) {
        let storeID = client.configuration.storeID
        let call = GatewayCall(
            method: .post, path: ["payments", try order.merchantUID.pathSegment(), "pre-register"],
            body: .object([
                "storeId": .string(storeID),
                "totalAmount": .number(try Self.amounts.text(of: order.amount, inCode: order.currency)),
                "currency": .string(order.currency),
            ]),
            idempotencyKey: Self.key(order, storeID))
        do throws(GatewayError) {
            _ = try await client.ask("register") { client, attempt throws(GatewayError) in
                try await client.answer(to: call, attempt)
            }
        } catch {
            throw error.code == .refused ? error.definite : error
        }
    }

    /// The same order and amount have the same key.
    private static func key(_ order: OrderAmount, _ storeID: String) -> String {
        let text = [storeID, order.merchantUID.text, String(order.amount), order.currency].joined(separator: "\n")
        return "register-" + SHA256.hash(data: Array(text.utf8)).prefix(16).map(hexadecimal).joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// The payment of an order, with all its attempts.
    ///
    /// - Throws: ``GatewayError``.
    package func payments(ofOrder merchantUID: MerchantUID) async throws(GatewayError) -> [GatewayPayment] {
        do throws(GatewayError) {
            return [try await payment(for: .v2(paymentID: try PaymentID(merchantUID)))]
        } catch {
            guard error.isNoSuchThing else { throw error }
            return []
        }
    }
}
