/// A page of a gateway's list, and the place of the next one.
package struct ListedPage: Sendable {
    /// What a list shows of a payment.
    package enum Element: Sendable {
        case payment(GatewayPayment)
        /// An event of a payment.
        case event(PaymentEvent)
        /// A payment to which something happened; what is not told.
        case named(Receipt)
        /// A payment that can't be decoded.
        case unreadable(UnreadableElement)
    }

    /// The elements, in the gateway's order; unreadable ones at the end.
    package var elements: [Element] = []

    /// The next place; nil at the end.
    package var next: String?

    /// How many payments the whole list has; nil if the gateway does not tell.
    package var total: Int?

    /// A list without elements.
    package init() {}

    init<Listed>(_ page: GatewayWalk<Listed>.WalkPage, _ element: (Listed) -> Element) {
        elements = page.elements.map(element) + page.unreadable.map(Element.unreadable)
        next = page.next
        total = page.total
    }
}
