package import Foundation
import Glibc
import Synchronization

/// A process that a test started.
///
/// It dies with the test process whatever ends that: the kernel kills it (`setpriv --pdeathsig`).
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Exit: Equatable {
        case code(Int32)
        case signal(Int32)
    }

    package let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    private let ending = Mutex<Exit?>(nil)

    package struct NotStarted: Error { let errno: Int32 }
    package struct StillRunning: Error { let standardError: String }

    /// Starts a program with these arguments and nothing but this environment.
    ///
    /// - Parameters:
    ///   - openFiles: its limit of open files, soft and hard; nil: the test's own.
    ///   - directory: where its output is kept.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], openFiles: Int? = nil,
        in directory: URL
    ) throws {
        let name = UUID().uuidString
        outputPath = directory.appending(path: name + ".out").path
        errorPath = directory.appending(path: name + ".err").path
        let limit = openFiles.map { ["/usr/bin/prlimit", "--nofile=\($0):\($0)"] } ?? []
        let command = ["setpriv", "--pdeathsig", "KILL"] + limit + [program] + arguments
        pid = try Nursery.shared.spawn(
            "/usr/bin/setpriv", command, environment: environment, output: outputPath, errors: errorPath)
        Thread.detachNewThread { [self] in reap() }
    }

    package var standardOutput: String { Self.text(outputPath) }
    package var standardError: String { Self.text(errorPath) }

    /// The end of what it said, without the requests it answered.
    package var lastWords: String { standardError.lastWords }

    package var hasEnded: Bool { ending.withLock { $0 != nil } }

    /// The most memory that it has had at once, in bytes, while it runs.
    package var peakMemory: Int {
        sure(Self.text("/proc/\(pid)/status").firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }) << 10
    }

    /// Sends a signal, unless the process has ended.
    package func signal(_ number: Int32) {
        ending.withLock { ending in
            if ending == nil { kill(pid, number) }
        }
    }

    /// Waits for the end.
    ///
    /// - Throws: ``StillRunning`` when it does not come in time.
    package func exit(within patience: Duration = Patience.hang) async throws -> Exit {
        let deadline = ContinuousClock.now + patience
        while true {
            if let exit = ending.withLock({ $0 }) { return exit }
            guard .now < deadline else { throw StillRunning(standardError: standardError) }
            // The pause between two looks.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The id is not given to another process before it was reaped, which ``signal(_:)`` can't come between.
    private func reap() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
        ending.withLock { ending in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            let signal = status & 0x7F
            ending = signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
        }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}

extension String {
    /// The end of a log, without the requests that were answered.
    package var lastWords: String {
        let lines = split(separator: "\n").filter { !$0.contains("ledgerd: request bytes=") }
        return lines.suffix(8).joined(separator: "\n")
    }
}

/// The one thread that starts processes.
///
/// The kernel takes the end of the thread that started a process for its parent's death, and threads of pools end when
/// they have nothing to do.
private final class Nursery: Sendable {
    static let shared = Nursery()

    private let waiting = DispatchSemaphore(value: 0)
    private let queue = Mutex<[@Sendable () -> Void]>([])

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                waiting.wait()
                let job = queue.withLock { $0.removeFirst() }
                job()
            }
        }
    }

    func spawn(
        _ path: String, _ arguments: [String], environment: [String: String], output: String, errors: String
    ) throws -> pid_t {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<pid_t, ChildProcess.NotStarted>>(.failure(.init(errno: 0)))
        queue.withLock { queue in
            queue.append {
                let outcome = Self.spawnHere(path, arguments, environment, output, errors)
                result.withLock { $0 = outcome }
                done.signal()
            }
        }
        waiting.signal()
        done.wait()
        return try result.withLock { $0 }.get()
    }

    private static func spawnHere(
        _ path: String, _ arguments: [String], _ environment: [String: String], _ output: String, _ errors: String
    ) -> Result<pid_t, ChildProcess.NotStarted> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // A socket of the test that lived on in a child would not be closed when the test closes it.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let file = Int32(name), file > 2 { posix_spawn_file_actions_addclose(&actions, file) }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Ctrl-C at the terminal is for the test process; and what it blocks or ignores is no business of the child's.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var pid: pid_t = 0
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let status = withCStrings(arguments) { arguments in
            withCStrings(variables) { variables in
                posix_spawn(&pid, path, &actions, &attributes, arguments, variables)
            }
        }
        return status == 0 ? .success(pid) : .failure(.init(errno: status))
    }

    private static func withCStrings<Answer>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Answer
    ) -> Answer {
        var pointers = texts.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("there is always the nil at the end") }
            return body(base)
        }
    }
}
