import WireFormats

/// A payment in a gateway's list that breaks the contract: its amount or status is unknown.
package struct UnreadableElement: Hashable, Sendable {
    /// The gateway that listed it.
    package let gateway: String
    /// The gateway's identifier of the attempt, if readable.
    package let paymentID: String?
    /// The merchant's identifier, if readable; V2's payment id.
    package let merchantUID: String?
    /// The merchant's payment id, if the gateway has such ids and it is readable.
    package let merchantPaymentID: String?
    /// What is unreadable.
    package let error: GatewayError
}

/// The elements of a page.
///
/// Each is read separately, so an unreadable one does not affect the others.
struct ReadElements<Element: Sendable>: Sendable {
    var readable: [Element] = []
    var unreadable: [UnreadableElement] = []

    /// Nothing.
    init() {}

    /// Reads elements.
    ///
    /// - Parameter names: the member names of an element's `paymentID`, `merchantUID` and `merchantPaymentID`; nil: it has no such id.
    init(
        _ elements: some Sequence<JSON>, of gateway: String,
        names: (paymentID: String, merchantUID: String, merchantPaymentID: String?),
        _ read: (JSON) throws(GatewayError) -> Element
    ) throws(GatewayError) {
        for element in elements {
            do throws(GatewayError) {
                readable.append(try read(element))
            } catch {
                guard error.code == .unreadablePayment || error.code == .malformedAnswer else { throw error }
                unreadable.append(
                    UnreadableElement(
                        gateway: gateway, paymentID: element[names.paymentID]?.text,
                        merchantUID: element[names.merchantUID]?.text,
                        merchantPaymentID: names.merchantPaymentID.flatMap { element[$0]?.text }, error: error))
            }
        }
    }
}
