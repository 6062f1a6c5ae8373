import Foundation
import Ledger
import PGVerifier

/// What a gateway lists of a run's period, page by page.
struct PaymentPages: Sendable {
    let gateways: Gateways

    /// What a page tells of one payment.
    enum Sighting: Sendable {
        /// What it is.
        case payment(GatewayPayment)
        /// That something happened to it.
        case event(PaymentEvent)
        /// That there is one, of which nothing can be read.
        case unreadable(UnreadableElement)
    }

    /// A page, and where the list goes on.
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

    /// The page of a stage's list at a place; nil when the stage has no list.
    func page(
        of stage: ReconciliationStage, _ period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> Sightings? {
        let whole = period.lowerBound...period.upperBound
        switch stage {
        case .v1Payments: return try await payments(gateways.v1?.payments(in: whole), at: place)
        case .v1Cancellations:
            // Up to now, with a minute for the difference of the clocks.
            let now = Date().addingTimeInterval(60)
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
