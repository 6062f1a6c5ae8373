import TestSupport
import Testing

/// What operators see of the service.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ObservabilityTests {
    @Test func `the metrics are those a scraper wants`() async throws {
        try await House.open { house, gateway, service in
            #expect(try await service.get("/metrics").status == 200, "before any traffic")
            let paid = try await service.credited(try await gateway.pay())
            #expect(try await service.present(paid).status == 200)
            #expect(try await service.present(.unmade()).status == 404)
            #expect(try await service.present(try await gateway.pay("1000", #", "status": "ready""#)).status == 202)
            _ = try await service.get("/v1/me/purchases/1", as: Token.user("ann"))
            _ = try await service.get("/no/such/path")

            // The text is made once a second.
            try await eventually("the latest request is counted") {
                try await service.get("/metrics").text.contains(#"route="unmatched",status="404""#)
            }
            let answer = try await service.get("/metrics")
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let samples = try Self.samples(answer.text)
            for wanted in [
                #"ledgerd_http_requests_total{method="POST",route="/v1/receipts",status="201"}"#,
                #"ledgerd_http_requests_total{method="POST",route="/v1/receipts",status="200"}"#,
                #"ledgerd_http_requests_total{method="POST",route="/v1/receipts",status="404"}"#,
                #"ledgerd_http_requests_total{method="POST",route="/v1/receipts",status="202"}"#,
                #"ledgerd_http_requests_total{method="GET",route="/v1/me/purchases/{id}",status="404"}"#,
                #"ledgerd_http_requests_total{method="GET",route="unmatched",status="404"}"#,
                #"ledgerd_http_request_seconds_count{method="GET",route="/v1/me/purchases/{id}"}"#,
                "ledgerd_posting_batch_size_count", "ledgerd_commit_seconds_count",
            ] {
                #expect(samples[wanted] == 1, "\(wanted)")
            }
            #expect(samples[#"ledgerd_http_request_seconds_count{method="POST",route="/v1/receipts"}"#] == 4)
            #expect(samples["ledgerd_posting_queue_depth"] == 0)
            let connections = ["idle", "lent"].map {
                samples[#"ledgerd_pool_connections{pool="reads",state="\#($0)"}"#] ?? -1
            }
            // Presented twice, credited once.
            #expect(samples[#"ledgerd_coins_total{coins="paid",entry="purchase"}"#] == 100)
            #expect(samples[#"ledgerd_won_total{entry="purchase"}"#] == 1000)
            #expect(samples[#"ledgerd_coins_total{coins="bonus",entry="spend"}"#] == 0, "it is there from the start")
            for wanted in [
                "process_cpu_seconds_total", "process_resident_memory_bytes", "process_virtual_memory_bytes",
                "process_open_fds", "process_start_time_seconds", "ledgerd_event_loop_lag_seconds_count",
                "ledgerd_task_lag_seconds_count",
            ] {
                #expect(samples[wanted] ?? 0 > 0, "\(wanted)")
            }
            #expect(!samples.keys.contains { $0.contains("trace") }, "tracing is off")
            #expect(connections.allSatisfy { $0 >= 0 } && (1...4).contains(connections.reduce(0, +)), "\(connections)")
            #expect(samples[#"ledgerd_pool_connections_limit{pool="reads"}"#] == 4)
            #expect(samples[#"ledgerd_pool_connections_waiting{pool="reads"}"#] == 0)
            let calls = samples.filter { $0.key.hasPrefix("ledgerd_gateway_calls_total{") }
            #expect(calls.contains { $0.key.contains(#"outcome="ok""#) && $0.value >= 1 }, "\(calls)")
            #expect(calls.contains { $0.key.contains(#"outcome="not_found""#) && $0.value == 1 }, "\(calls)")
            #expect(samples.keys.contains { $0.hasPrefix("ledgerd_gateway_call_seconds_count{") })
            #expect(!answer.text.contains("ann") && !answer.text.contains(paid.impUID), "no user, no payment")

            try await eventually("the receipt that waits is counted") {
                try Self.samples(try await service.get("/metrics").text)["ledgerd_receipt_retries_waiting"] == 1
            }
            try await gateway.change(
                Payment(impUID: try await house.books.texts("SELECT imp_uid FROM receipt_retry")[0], merchantUID: ""),
                to: "paid")
            try await house.books.makeReceiptsDue()
            try await eventually("the receipt that waited is counted") {
                let samples = try Self.samples(try await service.get("/metrics").text)
                return samples[#"ledgerd_receipt_retries_decided_total{decision="credited"}"#] == 1
                    && samples["ledgerd_receipt_retries_waiting"] == 0
            }
        }
    }

    @Test func `what waits for people is in the metrics from the start, with its age`() async throws {
        try await House.with { house in
            try await house.books.execute(
                """
                INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, amount, currency, found_at)
                VALUES ('{amount_mismatch}', 'portone-v1', 'imp_1', 'order-1', 1000, 'KRW', now() - interval '2 days')
                """)
            try await house.books.execute(
                """
                INSERT INTO approval (
                    key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name, proposed_at)
                VALUES ('k', 'refund', 'purchase:1', 'ann', '{}', '{}', 'r', 'kim', 'Kim', now() - interval '3 hours')
                """)
            let service = try await house.serve()
            var samples: [String: Double] = [:]
            try await eventually("all of it is shown: this comes last") {
                samples = try Self.samples(try await service.get("/metrics").text)
                return samples[#"ledgerd_approvals_oldest_seconds{act="refund"}"#] ?? 0 >= 3 * 3600
            }
            #expect(samples[#"ledgerd_approvals_waiting{act="refund"}"#] == 1)
            #expect(samples[#"ledgerd_findings_open{kind="amount_mismatch"}"#] == 1)
            #expect(samples[#"ledgerd_findings_oldest_seconds{kind="amount_mismatch"}"#] ?? 0 >= 2 * 86_400)
            #expect(samples[#"ledgerd_findings_open{kind="paid_unclaimed"}"#] == 0, "kinds without a finding show 0")
        }
    }

    @Test func `an hour above its limit of bonus coins is a finding, in lists and metrics`() async throws {
        try await House.with { house in
            let first = try await house.serve()
            let given = try await first.post(
                "/v1/users/ann/grants", #"{"coins": 70, "reason": "welcome"}"#, key: "g", as: Token.service())
            #expect(given.status == 201, "\(given)")
            // Its first look comes at the start.
            let service = try await house.serve(["LEDGERD_HOURLY_BONUS_LIMIT": "69"])
            try await eventually("the hour is shown") {
                try Self.samples(try await service.get("/metrics").text)[
                    #"ledgerd_findings_open{kind="bonus_above_limit"}"#] == 1
            }
            let found = try await service.get("/v1/findings?kind=bonus_above_limit", as: Token.finance())
            let finding = try #require(found.json["findings"].elements.first, "\(found)")
            #expect(finding["measured"] == 70 && finding["limit"] == 69 && finding["amount"].text == nil, "\(finding)")
            #expect(finding["hour"].text?.hasSuffix(":00:00.000Z") == true, "\(finding)")
            let resolved = try await service.post(
                "/v1/findings/\(finding["id"].integer ?? 0)/resolve", #"{"reason": "a campaign"}"#, as: Token.finance())
            #expect(resolved.json["status"].text == "resolved", "\(resolved)")
            try await house.expectSound()
        }
    }

    @Test func `the access log has one line per request and no secrets`() async throws {
        try await House.openProcess(["LEDGERD_LOG_LEVEL": "debug", "LEDGERD_SWEEP_INTERVAL": "1d"]) {
            _, gateway, service in
            let paid = try await gateway.pay()
            let answers = [
                try await service.present(paid, by: "ann-of-the-log"),
                try await service.present(.unmade(), by: "ann-of-the-log"),
                try await service.post("/v1/receipts", "{", as: Token.user("ann-of-the-log")),
                try await service.get("/v1/me/balance", as: Token.user("ann-of-the-log") + "x"),
                try await service.get("/v1/users/ann-of-the-log/balance", as: Token.service()),
                try await service.get("/ann-of-the-log?imp_uid=\(paid.impUID)"),
            ]
            for answer in answers {
                let id = sure(answer.headers["X-Request-Id"])
                try await eventually("the request is logged") { service.logLine(of: id) != nil }
                let line = sure(service.logLine(of: id))
                #expect(line.contains("status=\(answer.status)") && line.contains("duration_ms="), "\(line)")
                #expect(answer.code == nil || line.contains("code=\(answer.code ?? "")"), "\(line)")
                let lines = service.log.split(separator: "\n")
                #expect(lines.count { $0.contains("ledgerd: request bytes=") && $0.contains(id) } == 1)
            }
            let log = service.log
            let start = try #require(log.split(separator: "\n").first { $0.contains("Starting service lifecycle") })
            #expect(start.contains("PaymentSweep") && start.utf8.count < 2000, "names of services, not what they hold")
            for secret in [
                "ann-of-the-log", paid.impUID, paid.merchantUID, "eyJ", Token.secret, "sandbox-secret",
            ] {
                #expect(!log.contains(secret), "\(secret)")
            }
        }
    }

    /// The samples of a Prometheus text, read as strictly as the format is.
    private static func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var types: [String: String] = [:]
        var explained: Set<String> = []
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary)/) {
                #expect(types.updateValue(String(match.2), forKey: String(match.1)) == nil, "\(line)")
            } else if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) .+/) {
                explained.insert(String(match.1))
            } else {
                let match = line.wholeMatch(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})? (\S+)/)
                guard let match, let value = Double(match.3.replacing("Inf", with: "inf")) else {
                    throw DidNotHappen(description: "a line that is not Prometheus: \(line)")
                }
                let family = String(match.1).replacing(/_(bucket|sum|count)$/, with: "")
                #expect(types[String(match.1)] != nil || types[family] == "histogram", "no type: \(line)")
                #expect(samples.updateValue(value, forKey: "\(match.1)\(match.2 ?? "")") == nil, "twice: \(line)")
            }
        }
        #expect(explained.symmetricDifference(types.keys).isEmpty)
        return samples
    }
}
