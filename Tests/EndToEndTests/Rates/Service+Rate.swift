import EndToEndSupport
import Testing

extension Service {
    /// Publishes a rate on which two people agree.
    func publish(_ rate: String, of currency: String = "USD", for day: String = "2026-01-05") async throws {
        let path = "/v1/rates/\(currency)/\(day)"
        let set = try await send(
            .put, path, as: Token.make(sub: "kim", scope: "finance"), headers: [("Content-Type", "application/json")],
            body: #"{"rate": "\#(rate)", "per": 1, "source": "a bank"}"#)
        // One near the last rate waits for nobody.
        guard set.status != 200 else { return }
        #expect(set.status == 202, "\(set)")
        let approved = try await post(
            "\(path)/approval", #"{"rate": "\#(rate)", "per": 1}"#, as: Token.make(sub: "lee", scope: "finance"))
        #expect(approved.status == 200, "\(approved)")
    }
}
