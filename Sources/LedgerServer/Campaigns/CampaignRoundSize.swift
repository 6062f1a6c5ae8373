/// How many users a round of a campaign has.
///
/// Each round costs a few transactions besides its batch, so that large ones are faster; but whoever acts meanwhile waits for
/// the whole batch.
struct CampaignRoundSize: Equatable {
    /// While others act.
    static let smallest = 64
    /// Two full batches, which two writers post at the same time.
    static let largest = 2048

    private(set) var users = smallest

    /// Doubles while nobody else acts, and is small again at once when somebody does.
    mutating func change(othersAct: Bool) {
        users = othersAct ? Self.smallest : min(2 * users, Self.largest)
    }
}
