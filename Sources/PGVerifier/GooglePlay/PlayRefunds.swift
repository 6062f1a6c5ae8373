import CivilTime
import FoundationEssentials

/// What Google gave back of an order, and what it will.
///
/// The order tells amounts; the purchase tells what was taken back. The larger counts: a refund can leave the purchase as
/// it was, and a purchase can be taken back before the order shows it.
struct PlayRefunds {
    /// As the refunds, in ``PlayMoney/countable``.
    private let amount: Int64
    private(set) var cancellations: [GatewayCancellation] = []
    /// The sum of what was carried out.
    private(set) var total: Int64 = 0
    private var isWhole = false
    /// The part of the pieces that was taken back, in thousandths of a percent.
    private let piecesPart: Int64

    init(of order: GooglePlayOrder, _ purchase: GooglePlayPurchase?, amount: Int64) throws(GatewayError) {
        self.amount = amount
        piecesPart = purchase?.partTakenBack ?? 0
        for (index, refund) in order.partialRefunds.enumerated() {
            let earlier = order.partialRefunds[..<index].count { $0.createdAt == refund.createdAt }
            add(try GatewayCancellation(refund, after: earlier))
        }
        if let refund = order.refund { addRest("refund", reason: refund.reason, at: refund.at) }
        if order.state == .canceled { addRest("cancellation", reason: order.state.rawValue, at: order.canceledAt) }
        if let purchase { try addWhatIsTakenBack(of: purchase, order) }
        if order.state == .pendingRefund, amount > total {
            add(GatewayCancellation(id: "refund", status: .requested, amount: amount - total))
        }
        // How much was given back is not known then.
        guard order.state != .partiallyRefunded || total > 0 || isWhole || amount == 0 else {
            throw PlayMembers.unusable("partialRefundEvents")
        }
    }

    /// The part that was given back, in thousandths of a percent.
    var part: Int64 {
        if isWhole { return StorePurchase.whole }
        // What was free has only its pieces.
        guard amount > 0 else { return piecesPart }
        return Int64((Int128(total) * Int128(StorePurchase.whole) * 2 + Int128(amount)) / (Int128(amount) * 2))
    }

    var status: GatewayPayment.Status {
        guard amount > 0 else { return GatewayPayment.Status(partTakenBack: part) }
        if isWhole || total == amount { return .cancelled }
        return total > 0 ? .partiallyCancelled : .paid
    }

    /// When the last of it was given back; nil: nothing was, or it is not reported.
    var lastAt: Date? {
        cancellations.filter { $0.status == .succeeded }.compactMap(\.cancelledAt).max()
    }

    private mutating func add(_ cancellation: GatewayCancellation) {
        cancellations.append(cancellation)
        if cancellation.status == .succeeded { total = min(amount, total + cancellation.amount) }
    }

    private mutating func addRest(_ id: String, reason: String?, at date: Date?) {
        isWhole = true
        guard amount > total else { return }
        add(GatewayCancellation(id: id, amount: amount - total, reason: reason, cancelledAt: date))
    }

    private mutating func addWhatIsTakenBack(
        of purchase: GooglePlayPurchase, _ order: GooglePlayOrder
    ) throws(GatewayError) {
        if purchase.state == .cancelled {
            addRest("void", reason: purchase.state.rawValue, at: nil)
        } else {
            let takenBack = try purchase.takenBack(from: order, amount: amount)
            // The order's own amounts are exact; a quotient can differ from them by its rounding, if there are any.
            let rounding = total == 0 ? 0 : purchase.items.reduce(0) { $0 + $1.quantity }
            guard takenBack > total + rounding else { return }
            add(GatewayCancellation(id: "void-\(takenBack)", amount: takenBack - total))
        }
    }
}

extension GatewayCancellation {
    /// - Parameter earlier: how many others there are of the same moment; Google gives refunds no ids.
    fileprivate init(_ refund: GooglePlayOrder.PartialRefund, after earlier: Int) throws(GatewayError) {
        guard let amount = refund.total.countable, amount >= 0 else { throw PlayMembers.unusable("refundDetails") }
        let status: Status =
            switch refund.state {
            case "PROCESSED_SUCCESSFULLY": .succeeded
            case "PENDING": .requested
            default: .unknown(refund.state)
            }
        self.init(
            id: "refund-\(refund.createdAt.microsecondsSince1970)" + (earlier == 0 ? "" : "-\(earlier + 1)"),
            status: status, amount: amount, requestedAt: refund.createdAt,
            cancelledAt: status == .succeeded ? refund.processedAt : nil)
    }
}

extension GooglePlayPurchase {
    /// Pieces that were paid together, and what for.
    private typealias Priced = (items: [Item], price: Int128)

    /// The price of the pieces that can't be refunded any more, because they were.
    fileprivate func takenBack(from order: GooglePlayOrder, amount: Int64) throws(GatewayError) -> Int64 {
        var sum: Int128 = 0
        for (items, price) in try priced(by: order, amount: amount) {
            let pieces = items.reduce(0) { $0 + $1.takenBack }
            let quantity = items.reduce(0) { $0 + Int128($1.quantity) }
            sum += (price * pieces * 2 + quantity) / (quantity * 2)
        }
        return Int64(min(sum, Int128(amount)))
    }

    /// Those of which some were taken back, each with its line of the order; by product, if it is not clear which line is whose.
    private func priced(by order: GooglePlayOrder, amount: Int64) throws(GatewayError) -> [Priced] {
        guard items.contains(where: { $0.takenBack > 0 }) else { return [] }
        if items.count == 1 { return [(items, Int128(amount))] }
        var found: [Priced] = []
        if items.map(\.sold) == order.items.map(\.sold) {
            for (item, line) in zip(items, order.items) where item.takenBack > 0 {
                found.append(([item], try [line].price()))
            }
            return found
        }
        for (product, items) in Dictionary(grouping: items, by: \.productID)
        where items.contains(where: { $0.takenBack > 0 }) {
            found.append((items, try order.items.filter { $0.productID == product }.price()))
        }
        return found
    }
}

extension GooglePlayPurchase.Item {
    fileprivate var takenBack: Int128 { Int128(quantity - (refundableQuantity ?? quantity)) }
    fileprivate var sold: StorePurchase.Item { StorePurchase.Item(productID: productID, quantity: quantity) }
}

extension GooglePlayOrder.Item {
    fileprivate var sold: StorePurchase.Item { StorePurchase.Item(productID: productID, quantity: quantity) }
}

extension [GooglePlayOrder.Item] {
    fileprivate func price() throws(GatewayError) -> Int128 {
        var sum: Int128 = 0
        for line in self {
            guard let total = line.total?.countable, total >= 0 else { throw PlayMembers.unusable("lineItems") }
            sum += Int128(total)
        }
        guard !isEmpty else { throw PlayMembers.unusable("lineItems") }
        return sum
    }
}
