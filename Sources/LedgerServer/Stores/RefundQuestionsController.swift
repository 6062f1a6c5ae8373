import Hummingbird
import Ledger
import LedgerWire

/// What stores ask about refunds, and users' consents to tell them how their coins were used.
struct RefundQuestionsController: Sendable {
    let acts: RefundQuestionActs
    let stores: Stores

    /// `GET /v1/purchases/{id}/refund-questions`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: try await acts.find(ofPurchase: try context.pathID()))
    }

    /// `POST /v1/refund-questions/{id}/overrule`: the last choice stands.
    func overrule(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: RefundQuestionOverruleRequestBody.self, context: context)
        return try Response(
            json: try await acts.overrule(
                try context.pathID(), to: try body.preference.choice("/preference", of: RefundPreference.self),
                because: body.reason.value, by: try context.requirePrincipal().subject))
    }

    /// `GET /v1/users/{user}/store-consent`.
    func consent(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let consent = try await stores.consent(of: try context.requireUserInPath()) else {
            throw Problem(.notFound, "the user has not said whether stores may be told")
        }
        return try Response(json: StoreConsentBody(consent))
    }

    /// `PUT /v1/users/{user}/store-consent`: a repeat changes nothing.
    func setConsent(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        guard !user.isForgotten else { throw Problem(.invalidRequest, "the user was forgotten") }
        let body = try await request.decode(as: StoreConsentRequestBody.self, context: context)
        return try Response(
            json: StoreConsentBody(
                try await stores.set(
                    consents: body.consents, of: user, by: try context.requirePrincipal().subject)))
    }
}

/// The request of a person's choice.
struct RefundQuestionOverruleRequestBody: Decodable {
    let preference: NonEmpty
    let reason: NonEmpty

    typealias CodingKeys = RefundQuestionOverruleRequest.CodingKeys
}

/// The request of a consent.
struct StoreConsentRequestBody: Decodable {
    let consents: Bool

    typealias CodingKeys = StoreConsentRequest.CodingKeys
}

extension StoreConsentBody {
    init(_ consent: StoreConsent) {
        self.init(
            user: consent.user.rawValue, consents: consent.consents, setBy: consent.setBy, setAt: consent.setAt)
    }
}

extension RefundQuestionsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "listRefundQuestions", "/v1/purchases/{id}/refund-questions", .support, .support,
                "Get what its store asked about a refund of a purchase",
                "What became of the purchase's paid coins, and of each of the last 20 questions what the store was or will be told.",
                parameters: [.purchase],
                answers: [.ok(PurchaseRefundQuestionsBody.self, "The coins and the questions.")], refusals: [.notFound])
        ) { $0.show },
        Route(
            .write(
                "overruleRefundQuestion", .post, "/v1/refund-questions/{id}/overrule", .support, .support,
                "Choose what a store is told about a refund",
                """
                It takes the place of the rule, and is sent at once. The last choice stands; after the answer, or the deadline, none is \
                taken. To the App Store nothing is sent without the user's consent. Google Play takes no part of a refund: for \
                `grant_prorated` it is told `NEUTRAL`. No key is needed: a repeat is the same choice.
                """,
                parameters: [.refundQuestion],
                body: .json(
                    RefundQuestionOverruleRequestBody.self,
                    .init("decline", ["preference": "decline", "reason": "asks for the third time this month"])),
                answers: [.ok(RefundQuestionBody.self, "The question, with what the store is told.")],
                refusals: [.notFound, .refundQuestionClosed])
        ) { $0.overrule },
        Route(
            .read(
                "getStoreConsent", "/v1/users/{user}/store-consent", .serviceRead, .users,
                "Get whether a user lets stores be told how coins were used", parameters: [.user],
                answers: [.ok(StoreConsentBody.self, "The user's last word.")], refusals: [.notFound])
        ) { $0.consent },
        Route(
            .write(
                "setStoreConsent", .put, "/v1/users/{user}/store-consent", .serviceWrite, .users,
                "Store whether a user lets stores be told how coins were used",
                """
                When a buyer asks a store for a refund, the store asks what was used. Without consent, the App Store is told \
                nothing, and Google Play `NEUTRAL` unless a person chose; how much was used is not told. The last word stands, also for questions that wait. A repeat changes nothing.
                """,
                parameters: [.user],
                body: .json(StoreConsentRequestBody.self, .init("consent", ["consents": true])),
                answers: [.ok(StoreConsentBody.self, "The user's word as it is stored.")])
        ) { $0.setConsent },
    ]

    static func make(with deps: Deps) throws -> Self? {
        RefundQuestionsController(acts: deps.desks.refundQuestions, stores: deps.ledger.stores)
    }
}
