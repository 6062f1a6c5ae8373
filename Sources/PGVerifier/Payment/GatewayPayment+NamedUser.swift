import WireFormats

extension GatewayPayment {
    /// Longer texts are ignored.
    private static let longestCustomData = 4096

    /// The user that the app named when it opened the payment window: a member of V1's `custom_data` or V2's
    /// `customData`, else V2's `customer.id`; nil if it named none.
    ///
    /// The payer can write any name there, so it is only the user for whom they pay.
    ///
    /// - Parameter members: the possible member names of the user, the most important first.
    package func namedUser(in members: [String]) -> String? {
        namedInCustomData(members) ?? customerID
    }

    private func namedInCustomData(_ members: [String]) -> String? {
        guard let customData, customData.utf8.count <= Self.longestCustomData,
            var data = try? JSONParser.parse(Array(customData.utf8))
        else { return nil }
        // Apps that encode the JSON themselves send it as a JSON string.
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
