public import Foundation

/// What is happening now, and what waits.
public struct LiveBody: Codable, Hashable, Sendable {
    /// The moment of these values.
    public let asOf: Date
    /// The number of payments of each of the last 60 minutes, oldest first; the last minute is not over.
    ///
    /// - Count: `60...60`
    public let paymentsPerMinute: [Int64]
    /// The number of acts that wait to be written by this process.
    public let queueDepth: Member.Natural
    /// The state of each gateway, as this process sees it.
    public let gateways: [Gateway]
    /// What is still to be decided.
    public let open: OpenItemsBody

    /// A gateway, as this process has seen it since its start.
    public struct Gateway: Codable, Hashable, Sendable {
        /// The gateway.
        public let gateway: Member.Gateway
        /// `closed`: requests are sent; `probing`, `open`: the gateway fails, and few or no requests are sent.
        ///
        /// - Values: `closed`, `probing`, `open`
        public let circuit: String
        /// The number of requests.
        public let calls: Member.Natural
        /// The number of those that failed.
        public let failedCalls: Member.Natural
        /// The mean duration of a request, in milliseconds; nil: there was none.
        ///
        /// - Range: `0...`
        public let meanMilliseconds: Double?
        /// The number of callers that wait to send a request.
        public let waiting: Member.Natural

        private enum CodingKeys: String, CodingKey {
            case gateway, circuit, calls, waiting
            case failedCalls = "failed_calls"
            case meanMilliseconds = "mean_ms"
        }

        /// Creates it from its members.
        public init(
            gateway: String, circuit: String, calls: Int64, failedCalls: Int64, meanMilliseconds: Double?,
            waiting: Int64
        ) {
            self.gateway = gateway
            self.circuit = circuit
            self.calls = calls
            self.failedCalls = failedCalls
            self.meanMilliseconds = meanMilliseconds
            self.waiting = waiting
        }
    }

    private enum CodingKeys: String, CodingKey {
        case gateways, open
        case asOf = "as_of"
        case paymentsPerMinute = "payments_per_minute"
        case queueDepth = "queue_depth"
    }

    /// Creates it from its members.
    public init(
        asOf: Date, paymentsPerMinute: [Int64], queueDepth: Int64, gateways: [Gateway], open: OpenItemsBody
    ) {
        self.asOf = asOf
        self.paymentsPerMinute = paymentsPerMinute
        self.queueDepth = queueDepth
        self.gateways = gateways
        self.open = open
    }
}

/// What a person or the service has still to decide; each number is counted up to 10,000.
public struct OpenItemsBody: Codable, Hashable, Sendable {
    /// Open findings.
    public let findings: Member.Natural
    /// Receipts that wait for the gateway.
    public let receiptsWaiting: Member.Natural
    /// When the oldest of them began to wait.
    public let oldestReceiptAt: Date?
    /// Refunds that the gateway has not decided.
    public let refundsPending: Member.Natural
    /// When the oldest of them was requested.
    public let oldestRefundAt: Date?
    /// Webhooks that are not processed.
    public let webhooksWaiting: Member.Natural
    /// Reconciliations that are running.
    public let reconciliationsRunning: Member.Natural
    /// Lines of settlement files without a payment in the books.
    public let settlementLinesUnmatched: Member.Natural
    /// The moment before which the books are closed; nil: never closed.
    public let closedUntil: Date?
    /// When the books were sealed last; nil: never.
    public let sealedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case findings
        case receiptsWaiting = "receipts_waiting"
        case oldestReceiptAt = "oldest_receipt_at"
        case refundsPending = "refunds_pending"
        case oldestRefundAt = "oldest_refund_at"
        case webhooksWaiting = "webhooks_waiting"
        case reconciliationsRunning = "reconciliations_running"
        case settlementLinesUnmatched = "settlement_lines_unmatched"
        case closedUntil = "closed_until"
        case sealedAt = "sealed_at"
    }

    /// Creates it from its members.
    public init(
        findings: Int64, receiptsWaiting: Int64, oldestReceiptAt: Date?, refundsPending: Int64,
        oldestRefundAt: Date?, webhooksWaiting: Int64, reconciliationsRunning: Int64,
        settlementLinesUnmatched: Int64, closedUntil: Date?, sealedAt: Date?
    ) {
        self.findings = findings
        self.receiptsWaiting = receiptsWaiting
        self.oldestReceiptAt = oldestReceiptAt
        self.refundsPending = refundsPending
        self.oldestRefundAt = oldestRefundAt
        self.webhooksWaiting = webhooksWaiting
        self.reconciliationsRunning = reconciliationsRunning
        self.settlementLinesUnmatched = settlementLinesUnmatched
        self.closedUntil = closedUntil
        self.sealedAt = sealedAt
    }
}
