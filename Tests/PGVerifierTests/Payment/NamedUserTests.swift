import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct NamedUserTests {
    private func user(
        _ customData: String?, customer: String? = nil, members: [String] = ["user_id", "userId"]
    )
        -> String?
    {
        let payment = GatewayPayment(
            gateway: "portone-v1", paymentID: "imp_1", merchantUID: "o-1", status: .paid, amount: 1000, currency: "KRW",
            customData: customData, customerID: customer)
        return payment.namedUser(in: members)
    }

    @Test func `the user stands in the app's data, under the first of the names that is there`() {
        #expect(user(#"{"user_id": "ann"}"#) == "ann")
        #expect(user(#"{"userId": "bob", "user_id": "ann"}"#) == "ann")
        #expect(user(#"{"userId": 42}"#) == "42")
        #expect(user(#""{\"user_id\": \"ann\"}""#) == "ann", "apps that write JSON themselves have it quoted twice")
        #expect(user(#"{"buyer": "ann"}"#, members: ["buyer"]) == "ann")
    }

    @Test func `the user is otherwise the customer, and otherwise nobody`() {
        #expect(user(nil, customer: "ann") == "ann")
        #expect(user(#"{"item": "coins"}"#, customer: "ann") == "ann")
        #expect(user(#"{"user_id": "bob"}"#, customer: "ann") == "bob")
        let long = #"{"user_id": "\#(String(repeating: "a", count: 5000))"}"#
        for text in [nil, "", "{", "[]", "1", #"{"user_id": ""}"#, #"{"user_id": null}"#, #"{"user_id": 1.5}"#, long] {
            #expect(user(text) == nil, "\(text ?? "none")")
        }
    }
}
