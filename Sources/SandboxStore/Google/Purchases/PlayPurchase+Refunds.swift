import FoundationEssentials
import SandboxSupport

extension PlayPurchase {
    /// Refunds what is left, and takes the items back if `isRevoked`.
    mutating func refundAll(isRevoked: Bool, isChargeback: Bool = false, now: Date) {
        let tax = partialRefunds.reduce(tax) { $0 - $1.tax }
        wholeRefund = Refund(
            at: now, processedAt: now.addingTimeInterval(refundDelay), total: left, tax: tax,
            isChargeback: isChargeback)
        for index in lines.indices { lines[index].refundedQuantity = lines[index].quantity }
        guard isRevoked else { return }
        state = .cancelled
        cancelledAt = now
    }

    /// Takes `quantity` of an item back.
    ///
    /// - Returns: whether something is left.
    /// - Throws: ``ControlError`` if so many aren't left.
    mutating func refund(_ quantity: Int, of productID: String?, now: Date) throws(ControlError) -> Bool {
        guard let index = lines.firstIndex(where: { productID == nil || $0.productID == productID }) else {
            throw ControlError(.conflict, "product_id", "isn't part of the purchase")
        }
        let line = lines[index]
        guard quantity <= line.refundableQuantity else {
            throw ControlError(.conflict, "quantity", "is more than is left, which is \(line.refundableQuantity)")
        }
        let rest = lines.reduce(0) { $0 + $1.refundableQuantity } - quantity
        guard rest > 0 else {
            refundAll(isRevoked: true, now: now)
            return false
        }
        lines[index].refundedQuantity += quantity
        refundPart(line.price.part(quantity, of: line.quantity), now: now)
        return true
    }

    /// Refunds an amount, with no item taken back.
    ///
    /// - Throws: ``ControlError`` if so much isn't left.
    mutating func refund(_ amount: PlayMoney, now: Date) throws(ControlError) {
        guard amount.micros < left.micros else {
            throw ControlError(.conflict, "amount", "must be less than what is left; refund without it for all")
        }
        refundPart(amount, now: now)
    }

    private mutating func refundPart(_ amount: PlayMoney, now: Date) {
        partialRefunds.append(
            Refund(
                at: now, processedAt: now.addingTimeInterval(refundDelay), total: amount,
                tax: total.micros > 0 ? tax.part(amount.micros, of: total.micros) : tax))
    }
}
