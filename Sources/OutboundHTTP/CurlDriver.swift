import CCurl
import Glibc
import Synchronization

/// The one thread that drives curl's multi handle.
///
/// Unchecked: `inbox` is guarded by its mutex, `load` is atomic, `multi` is set once and any thread may wake it. Only
/// the driver thread uses the rest. It resumes tasks without holding a lock.
final class CurlDriver: @unchecked Sendable {
    /// Work from other threads for the driver.
    private struct Inbox {
        var submitted: [CurlTransfer] = []
        var cancelled: [CurlTransfer] = []
        var isShutDown = false
        /// Whether a wake-up is pending; one wake-up serves all work until then.
        var isAwaited = false
    }

    private let configuration: CurlTransport.Configuration
    private let knownAddresses: UnsafeMutablePointer<curl_slist>?
    private let inbox = Mutex(Inbox())
    private let load = Atomic(0)
    private let multi: UnsafeMutableRawPointer
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var handles: [ObjectIdentifier: CurlEasy] = [:]
    private var idle: [CurlEasy] = []
    private var nextSweep = ContinuousClock.now

    private static let isCurlReady = {
        // curl would write the secrets of every connection to this file.
        unsetenv("SSLKEYLOGFILE")
        return ccurl_global() == CURLE_OK
    }()
    private static let maxIdleHandles = 256
    private static let sweepInterval = Duration.milliseconds(250)

    init(_ configuration: CurlTransport.Configuration) {
        guard Self.isCurlReady, let multi = curl_multi_init() else { fatalError("libcurl can't be set up") }
        self.multi = multi
        self.configuration = configuration
        knownAddresses = configuration.knownAddresses.reduce(nil) { curl_slist_append($0, $1) }
        _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, ccurl_multiplex)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maxConnectionsPerHost)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maxConnections)
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maxConnections)
    }

    /// Runs when neither the thread nor the transport refers to the driver.
    deinit {
        for easy in idle { easy.free() }
        curl_multi_cleanup(multi)
        curl_slist_free_all(knownAddresses)
    }

    // MARK: From any thread

    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<CurlDriver>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status == 0 else { fatalError("can't create a thread for libcurl: \(status)") }
        pthread_detach(thread)
    }

    func submit(_ transfer: CurlTransfer) {
        guard load.add(1, ordering: .relaxed).newValue <= configuration.maxTransfers else {
            return finish(transfer, .failure(TransportError(.overloaded, "too many transfers at once")))
        }
        let isAccepted = post { inbox in
            guard !inbox.isShutDown else { return false }
            inbox.submitted.append(transfer)
            return true
        }
        if !isAccepted { finish(transfer, .failure(Self.closed)) }
    }

    func cancel(_ transfer: CurlTransfer) {
        transfer.isCancelled.store(true, ordering: .releasing)
        _ = post { inbox in
            guard !inbox.isShutDown else { return false }
            inbox.cancelled.append(transfer)
            return true
        }
    }

    func shutdown() {
        _ = post { inbox in
            inbox.isShutDown = true
            return true
        }
    }

    /// Posts work for the driver, and wakes it unless a wake-up is pending.
    private func post(_ work: (inout Inbox) -> Bool) -> Bool {
        let (isAccepted, needsWaking) = inbox.withLock { inbox in
            guard work(&inbox) else { return (false, false) }
            defer { inbox.isAwaited = true }
            return (true, !inbox.isAwaited)
        }
        if needsWaking { curl_multi_wakeup(multi) }
        return isAccepted
    }

    private func finish(_ transfer: CurlTransfer, _ outcome: CurlTransfer.Outcome) {
        load.subtract(1, ordering: .relaxed)
        transfer.finish(outcome)
    }

    // MARK: The driver thread

    private func run() {
        blockBrokenPipeSignal()
        while true {
            let work = takeInbox()
            if work.isShutDown { return failEverything(work) }
            for transfer in work.cancelled { give(up: transfer, Self.taskCancelled) }
            for transfer in work.submitted { begin(transfer) }
            var active: Int32 = 0
            curl_multi_perform(multi, &active)
            collect()
            sweep()
            curl_multi_poll(multi, nil, 0, running.isEmpty ? 60_000 : 250, nil)
        }
    }

    private func takeInbox() -> Inbox {
        inbox.withLock { inbox in
            let work = inbox
            inbox = Inbox(isShutDown: work.isShutDown)
            return work
        }
    }

    private func begin(_ transfer: CurlTransfer) {
        if transfer.isCancelled.load(ordering: .acquiring) {
            return finish(transfer, .failure(Self.taskCancelled))
        }
        guard let easy = idle.popLast() ?? CurlEasy() else {
            return finish(transfer, .failure(TransportError(.overloaded, "no curl handle")))
        }
        do throws(TransportError) {
            try easy.prepare(for: transfer, configuration, knownAddresses: knownAddresses)
        } catch {
            recycle(easy)
            return finish(transfer, .failure(error))
        }
        running[easy.handle] = transfer
        handles[ObjectIdentifier(transfer)] = easy
        guard curl_multi_add_handle(multi, easy.handle) == CURLM_OK else {
            return give(up: transfer, TransportError(.invalidRequest, "curl refused the transfer"))
        }
    }

    private func collect() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            // The removal frees the message, so it is read first.
            let code = ccurl_result(message)
            guard let transfer = running[handle] else { continue }
            let outcome = transfer.outcome(of: code, on: CurlEasy(handle: handle))
            release(transfer)
            finish(transfer, outcome)
        }
    }

    /// Ends a running transfer.
    ///
    /// A cancelled one may not be submitted yet. Then it still belongs to its task, and only its identity is used here.
    private func give(up transfer: CurlTransfer, _ error: TransportError) {
        guard handles[ObjectIdentifier(transfer)] != nil else { return }
        release(transfer)
        finish(transfer, .failure(error))
    }

    /// Removes the transfer from curl: no callback uses it afterwards.
    private func release(_ transfer: CurlTransfer) {
        guard let easy = handles.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
        curl_multi_remove_handle(multi, easy.handle)
        running[easy.handle] = nil
        recycle(easy)
    }

    private func recycle(_ easy: CurlEasy) {
        if idle.count < Self.maxIdleHandles { idle.append(easy) } else { easy.free() }
    }

    /// Ends transfers past their deadline that still wait for a connection, because curl's own timer doesn't run for
    /// them.
    private func sweep() {
        let now = ContinuousClock.now
        guard now >= nextSweep else { return }
        nextSweep = now + Self.sweepInterval
        for transfer in running.values where transfer.deadline + Self.sweepInterval < now {
            give(up: transfer, TransportError(.timeout, "no connection became free in time"))
        }
    }

    private func failEverything(_ work: Inbox) {
        for transfer in work.submitted { finish(transfer, .failure(Self.closed)) }
        for transfer in running.values { give(up: transfer, Self.closed) }
    }

    /// With `CURLOPT_NOSIGNAL` curl doesn't handle SIGPIPE, and OpenSSL can write to closed sockets.
    private func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static let closed = TransportError(.cancelled, "the transport is shut down")
    private static let taskCancelled = TransportError(.cancelled, "the task was cancelled")
}
