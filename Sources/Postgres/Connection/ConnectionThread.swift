import Glibc

/// The dedicated thread of one connection, as the executor of its actor.
///
/// libpq blocks, and Swift's cooperative pool has only one thread per core: one slow statement there could stop the
/// process. Jobs run in order of arrival. Enqueuing a job costs a mutex and, if the thread sleeps, a wake-up.
///
/// `@unchecked Sendable`: `jobs`, `isAsleep` and `isStopping` are guarded by `mutex`.
final class ConnectionThread: SerialExecutor, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var isAsleep = false
    private var isStopping = false

    private init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Starts a thread that lives until ``stop()``.
    ///
    /// - Throws: `connectionFailed` if the system can't create a thread.
    static func start() throws(PostgresError) -> ConnectionThread {
        let executor = ConnectionThread()
        let retained = Unmanaged.passRetained(executor)
        let status = Threads.startDetached(argument: retained.toOpaque()) { argument in
            guard let argument else { return nil }
            Unmanaged<ConnectionThread>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }
        guard status == 0 else {
            retained.release()
            throw PostgresError(.connectionFailed, "can't start a thread for the connection (errno \(status))")
        }
        return executor
    }

    /// Ends the thread after the waiting jobs.
    ///
    /// Call it when no caller can enqueue jobs.
    func stop() {
        pthread_mutex_lock(mutex)
        isStopping = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        // Not after unlocking: the job may be the connection's last, and end the thread that owns the condition.
        if isAsleep { pthread_cond_signal(condition) }
        isAsleep = false
        pthread_mutex_unlock(mutex)
    }

    private func run() {
        var batch: [UnownedJob] = []
        while next(&batch) {
            for job in batch {
                job.runSynchronously(on: asUnownedSerialExecutor())
            }
            batch.removeAll(keepingCapacity: true)
        }
    }

    /// Waits for jobs and takes them all; `false` if the thread is to end.
    private func next(_ batch: inout [UnownedJob]) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty && !isStopping {
            isAsleep = true
            pthread_cond_wait(condition, mutex)
        }
        isAsleep = false
        swap(&jobs, &batch)
        return !batch.isEmpty
    }
}

/// Starts threads and checks the return codes.
enum Threads {
    /// Starts a detached thread; returns 0 or the error number of `pthread_create`.
    static func startDetached(
        argument: UnsafeMutableRawPointer,
        _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        return pthread_create(&thread, &attributes, body, argument)
    }
}
