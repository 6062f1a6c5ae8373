/// What a provider has earned, in coins.
struct EarningsBody: Encodable {
    let provider: String
    let coins: Int64
}
