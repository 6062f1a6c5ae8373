import WireFormats

extension GatewayPayment {
    /// Longer texts name nobody.
    private static let longestCustomData = 4096

    /// The user for whom the app said, when the window was opened, that is paid: a member of V1's `custom_data` or V2's
    /// `customData`, else V2's `customer.id`; nil when it said nothing.
    ///
    /// Whoever pays may write there what they like, so it says for whom they pay and proves nothing else.
    ///
    /// - Parameter members: the names under which the user may stand in the data, the most important first.
    package func namedUser(in members: [String]) -> String? {
        namedInCustomData(members) ?? customerID
    }

    private func namedInCustomData(_ members: [String]) -> String? {
        guard let customData, customData.utf8.count <= Self.longestCustomData,
            var data = try? JSONParser.parse(Array(customData.utf8))
        else { return nil }
        // Apps that write JSON themselves have it quoted twice.
        if case .string(let text) = data { data = (try? JSONParser.parse(Array(text.utf8))) ?? .null }
        for member in members {
            switch data[member] {
            case .string(let user)? where !user.isEmpty: return user
            case .number(let user)? where data[member]?.integer != nil: return user
            default: continue
            }
        }
        return nil
    }
}
