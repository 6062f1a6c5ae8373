import ArgumentParser
import Console
import Glibc
import LedgerServer

/// The program and its commands.
@main
struct Ledgerd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledgerd",
        abstract: "A payments and coin-ledger service on PostgreSQL.",
        discussion: "ledgerd verifies payments at the payment gateway and credits coins exactly once.",
        version: BuildInfo.current.text,
        subcommands: Commands.all(with: Console.self))

    static func main() async {
        do {
            var command = try parsed()
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                refuse(error, of: type(of: command))
            } catch let fault as InputFault {
                refuse(fault.of(type(of: command)), of: type(of: command))
            }
        } catch {
            end(with: CommandFailure(error) ?? error)
        }
        end(.success)
    }

    /// The command that was typed.
    ///
    /// - Throws: the parser's error; for a misspelt command it says which one was probably meant.
    private static func parsed() throws -> any ParsableCommand {
        if let command = named() { return command }
        do {
            return try parseAsRoot()
        } catch  where exitCode(for: error) == .validationFailure {
            guard let misspelt = MisspeltCommand(CommandLine.arguments.dropFirst(), of: self) else { throw error }
            throw ValidationError("\(misspelt)")
        }
    }

    /// The command that the first words name, if the others are right for it; nil: the parser of all commands says what is
    /// wrong, or what was asked for, such as help.
    ///
    /// That parser looks at all commands on the way, and several times at the arguments of the one that is meant.
    private static func named() -> (any ParsableCommand)? {
        var command: any ParsableCommand.Type = self
        var words = CommandLine.arguments.dropFirst()
        while let next = command.configuration.subcommands.first(where: { $0._commandName == words.first }) {
            command = next
            words.removeFirst()
        }
        guard command.configuration.subcommands.isEmpty, let made = try? command.parseAsRoot(Array(words)),
            ObjectIdentifier(type(of: made)) == ObjectIdentifier(command)
        else { return nil }
        return made
    }

    /// Prints the error as `exit(withError:)` does, and ends the process.
    private static func end(with error: any Error) -> Never {
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        if code.isSuccess {
            if !message.isEmpty { print(message) }
        } else if !message.isEmpty {
            StandardError.print(message)
        }
        end(code)
    }

    /// Ends the process without the exit handlers of libraries.
    ///
    /// OpenSSL's handler frees what a thread that closes a connection may still use. Such a process crashed, and lost its
    /// exit code and its buffered output.
    private static func end(_ code: ExitCode) -> Never {
        fflush(nil)
        _exit(code.rawValue)
    }

    /// Prints an error of an option, with the usage of its command.
    ///
    /// `end(with:)` does the same for errors of parsing. For an error that a command throws later, it does not know
    /// the command.
    private static func refuse(_ error: ValidationError, of command: any ParsableCommand.Type) -> Never {
        StandardError.print("Error: \(error.message)\n\(usage(of: command))")
        end(.validationFailure)
    }

    private static func usage(of command: any ParsableCommand.Type) -> String {
        let usage = usageString(for: command)
        let name = usage.prefix { $0 != "-" && $0 != "[" && $0 != "<" }.split(separator: " ")
        return "Usage: \(usage)\n  See '\(name.joined(separator: " ")) --help' for more information."
    }
}
