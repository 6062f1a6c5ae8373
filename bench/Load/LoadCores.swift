import Foundation

/// The cores of the load: clients and gateway take none from what is measured.
enum LoadCores {
    /// What `./dev bench --cores` leaves to the load, as taskset(1) takes it; nil: there was no such option.
    static let list = ProcessInfo.processInfo.environment["LEDGERD_BENCH_LOAD_CORES"]

    /// The program and arguments that run a program on these cores, in the process that they start.
    static func command(_ program: String, _ arguments: [String]) -> (program: String, arguments: [String]) {
        guard let list else { return (program, arguments) }
        return ("/usr/bin/taskset", ["-c", list, program] + arguments)
    }

    /// Moves the calling thread, and no other, to these cores.
    static func moveThread(to list: String? = list) throws {
        guard let list else { return }
        // proc_thread_self(5): PID/task/TID.
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        let thread = URL(filePath: path).lastPathComponent
        let taskset = Process()
        taskset.executableURL = URL(filePath: "/usr/bin/taskset")
        taskset.arguments = ["-cp", list, thread]
        taskset.standardOutput = FileHandle.nullDevice
        try taskset.run()
        taskset.waitUntilExit()
        guard taskset.terminationStatus == 0 else {
            throw Program.Failed(description: "taskset -cp \(list) \(thread) failed")
        }
    }
}
