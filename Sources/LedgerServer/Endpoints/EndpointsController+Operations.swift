import LedgerWire

extension EndpointsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listEndpoints", "/v1/endpoints", .endpoints, .endpoints,
                "List the endpoints, oldest first",
                page: ListBody<EndpointBody>.self)
        ) { $0.list },
        Route(
            .keyed(
                "createEndpoint", "/v1/endpoints", .both(.endpoints, and: .events), .endpoints,
                "Create an endpoint",
                """
                Events are sent to its URL, signed by Standard Webhooks. docs/webhooks.md tells how to receive them. \
                Only this response and that of `rotateEndpointSecret` show the secret.
                """,
                body: .json(
                    EndpointRequestBody.self,
                    .init("all", "all events", ["url": "https://hooks.example.com/ledgerd"]),
                    .init(
                        "some", "events of some types",
                        [
                            "url": "https://hooks.example.com/game", "description": "the game server",
                            "types": ["purchase.credited", "coins.spent"],
                        ])),
                answers: [.created(EndpointBody.self, "The endpoint, with its secret.", headers: [.location])],
                refusals: [.endpointsOff, .endpointURLRefused, .tooManyEndpoints])
        ) { $0.create },
        Route(
            .read(
                "getEndpoint", "/v1/endpoints/{id}", .endpoints, .endpoints,
                "Get an endpoint",
                parameters: [.endpoint],
                answers: [.ok(EndpointBody.self, "The endpoint.")],
                refusals: [.notFound])
        ) { $0.show },
        Route(
            .write(
                "changeEndpoint", .patch, "/v1/endpoints/{id}", .endpoints, .endpoints,
                "Change, disable or enable an endpoint",
                """
                Members that are not sent stay. An endpoint that is enabled again continues with the first event \
                that it did not get. A change of the URL, a wider filter and enabling again need the scope `events` \
                too; without it: 403 `forbidden`.
                """,
                parameters: [.endpoint],
                body: .json(
                    EndpointChangeRequestBody.self,
                    .init("disable", "send nothing", ["enabled": false]),
                    .init("filter", "other events", ["types": ["coins.spent"], "users": ["ann"]])),
                answers: [.ok(EndpointBody.self, "The changed endpoint.")],
                refusals: [.notFound, .endpointsOff, .endpointURLRefused, .tooManyAtOnce])
        ) { $0.change },
        Route(
            .write(
                "deleteEndpoint", .delete, "/v1/endpoints/{id}", .endpoints, .endpoints,
                "Delete an endpoint",
                parameters: [.endpoint],
                answers: [.init(204, "It is deleted.")],
                refusals: [.notFound])
        ) { $0.delete },
        Route(
            .keyed(
                "rotateEndpointSecret", "/v1/endpoints/{id}/rotate-secret", .endpoints, .endpoints,
                "Replace the secret of an endpoint",
                """
                For 24 hours, the former secret signs too, so that the receiver can change it at any time of the \
                day.
                """,
                parameters: [.endpoint],
                answers: [.ok(EndpointBody.self, "The endpoint, with its new secret.")],
                refusals: [.notFound, .endpointsOff],
                meanings: [400: "The idempotency key is missing or invalid."])
        ) { $0.rotateSecret },
        Route(
            .write(
                "testEndpoint", .post, "/v1/endpoints/{id}/test", .endpoints, .endpoints,
                "Send a test event to an endpoint",
                "It is sent once, also to a disabled endpoint, and is not among the deliveries.",
                parameters: [.endpoint],
                answers: [.ok(DeliveryBody.self, "What became of it.")],
                refusals: [.notFound, .endpointsOff])
        ) { $0.test },
        Route(
            .list(
                "listDeliveries", "/v1/endpoints/{id}/deliveries", .endpoints, .endpoints,
                "List the attempts at an endpoint, newest first",
                "Attempts are kept for 30 days.",
                parameters: [.endpoint, .query("failed", .flag(default: false), "only failed attempts")],
                page: ListBody<DeliveryBody>.self,
                refusals: [.notFound])
        ) { $0.deliveries },
        Route(
            .keyed(
                "replayEvents", "/v1/endpoints/{id}/replay", .both(.endpoints, and: .events), .endpoints,
                "Send events again",
                """
                The events after `after` are sent again, each user's in order, beside new events. Only events that \
                the endpoint wants are sent.
                """,
                parameters: [.endpoint],
                body: .json(
                    ReplayRequestBody.self,
                    .init("range", "a range of events", ["after": 0, "until": 100]),
                    .init("failed", "events that were given up", ["after": 0, "only_failed": true])),
                answers: [.accepted(ReplayBody.self, "The replay has begun.")],
                refusals: [.notFound, .tooManyReplays])
        ) { $0.replay },
        Route(
            .list(
                "listReplays", "/v1/endpoints/{id}/replays", .endpoints, .endpoints,
                "List the replays of an endpoint, newest first",
                parameters: [.endpoint],
                page: ListBody<ReplayBody>.self,
                refusals: [.notFound])
        ) { $0.replays },
    ]

    static func make(with deps: Deps) throws -> Self? {
        EndpointsController(acts: EndpointActs(ledger: deps.ledger, sender: deps.endpoints))
    }
}
