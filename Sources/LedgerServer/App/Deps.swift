import Foundation
import Ledger

/// What the features of a service are made of.
struct Deps: Sendable {
    let configuration: ServeConfiguration
    let crediter: ReceiptCrediter
    let desks: Desks
    let receipts: ReceiptDesk
    let readers: EventReaders
    /// Acts on endpoints; nil: no webhooks are sent.
    let endpoints: EndpointSender?
    let monitoring: Monitoring
    let window: ShopWindow
    /// What one user may do at the same time, with receipts and orders together.
    let limit: PerUserLimit
    /// The time zone of days.
    let timeZone: TimeZone

    var ledger: Ledger { crediter.ledger }

    init(
        _ configuration: ServeConfiguration, crediter: ReceiptCrediter, desks: Desks, readers: EventReaders,
        endpoints: EndpointSender?, monitoring: Monitoring
    ) throws {
        let ledger = crediter.ledger
        (self.configuration, self.crediter, self.desks) = (configuration, crediter, desks)
        (self.readers, self.endpoints, self.monitoring) = (readers, endpoints, monitoring)
        limit = PerUserLimit()
        receipts = ReceiptDesk(
            crediter: crediter, limit: limit,
            budget: RefusalBudget(ledger.refusals, limit: try configuration[Settings.receipts.refusedReceipts]),
            trials: configuration.storeTrials)
        window = ShopWindow { try await ledger.products.listWithPrices() }
        timeZone = try configuration[Settings.books.timeZone]
    }
}
