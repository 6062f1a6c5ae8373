import WireFormats

/// A payment in a gateway's list that isn't what the contract says: of its money or state nothing is known.
package struct UnreadableElement: Hashable, Sendable {
    /// The gateway that listed it.
    package let gateway: String
    /// The gateway's identifier of the attempt, if that can be read.
    package let impUID: String?
    /// The merchant's identifier, if that can be read; V2's payment id.
    package let merchantUID: String?
    /// What can't be read.
    package let error: GatewayError
}

/// What a page lists, each element read by itself: one that can't be read keeps no other from being told.
struct ReadElements<Element: Sendable>: Sendable {
    var readable: [Element] = []
    var unreadable: [UnreadableElement] = []

    /// Nothing.
    init() {}

    /// Reads elements.
    ///
    /// - Parameter names: the members that hold an element's `impUID` and `merchantUID`.
    init(
        _ elements: some Sequence<JSON>, of gateway: String, names: (impUID: String, merchantUID: String),
        _ read: (JSON) throws(GatewayError) -> Element
    ) throws(GatewayError) {
        for element in elements {
            do throws(GatewayError) {
                readable.append(try read(element))
            } catch {
                guard error.code == .unreadablePayment || error.code == .malformedAnswer else { throw error }
                unreadable.append(
                    UnreadableElement(
                        gateway: gateway, impUID: element[names.impUID]?.text,
                        merchantUID: element[names.merchantUID]?.text, error: error))
            }
        }
    }
}
