import Foundation
import Ledger
import PGVerifier
import Timing

/// The gateways' lists of payments and events in a run's period, page by page.
struct PaymentPages: Sendable {
    let gateways: Gateways

    /// An element of a page.
    enum Sighting: Sendable {
        /// A payment.
        case payment(GatewayPayment)
        /// An event of a payment.
        case event(PaymentEvent)
        /// A payment that can't be decoded.
        case unreadable(UnreadableElement)
    }

    /// A page, and the position of the next one.
    struct Sightings: Sendable {
        var sightings: [Sighting] = []
        var next: String?
        /// How many payments the whole list has; nil if the gateway does not tell.
        var total: Int?

        init() {}

        fileprivate init<Element>(_ page: GatewayWalk<Element>.WalkPage, _ sighting: (Element) -> Sighting) {
            sightings = page.elements.map(sighting) + page.unreadable.map(Sighting.unreadable)
            next = page.next
            total = page.total
        }
    }

    /// The page of a stage's list at a position; nil if the stage has no list.
    func page(
        of stage: ReconciliationStage, _ period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> Sightings? {
        let whole = period.lowerBound...period.upperBound
        switch stage {
        case .v1Payments: return try await payments(gateways.v1?.payments(in: whole), at: place)
        case .v1Cancellations:
            // Up to now, plus a minute for the difference between the clocks.
            let now = Time.current.now.addingTimeInterval(60)
            guard period.upperBound < now else { return Sightings() }
            return try await payments(gateways.v1?.payments(.cancelled, in: period.upperBound...now), at: place)
        case .v2Payments: return try await payments(gateways.v2?.payments(in: whole), at: place)
        case .v2Events: return try await events(gateways.v2?.events(in: whole), at: place)
        case .books, .examining, .healing: return nil
        }
    }

    private func payments(_ walk: PaymentWalk?, at place: String?) async throws(GatewayError) -> Sightings {
        guard let page = try await walk?.page(at: place) else { return Sightings() }
        return Sightings(page, Sighting.payment)
    }

    private func events(_ walk: GatewayWalk<PaymentEvent>?, at place: String?) async throws(GatewayError) -> Sightings {
        guard let page = try await walk?.page(at: place) else { return Sightings() }
        return Sightings(page, Sighting.event)
    }
}
