#!/usr/bin/python3
"""Writes the man page ledgerd(8), in mdoc, from the binary's own help.

usage: manual.py VERSION DATE < HELP, where HELP is the output of `ledgerd --experimental-dump-help` and DATE is as in
`November 22, 2026`.
"""

import json
import sys

ABOUT = """
.Nm
turns payments into coins, exactly once, in a double-entry ledger on PostgreSQL.
.Pp
The package installs two units for
.Xr systemd 1 :
.Bl -tag -width Ds
.It Pa ledgerd.service
.Nm Cm serve .
It notifies the service manager of readiness and liveness, and logs to the journal.
.It Pa ledgerd-migrate.service
.Nm Cm migrate ,
as the owner of the tables.
Enabled, it runs before each start of the service.
.El
"""

END = """
.Sh ENVIRONMENT
An option whose description names a variable
.Ev LEDGERD_...
can also be set by that variable.
The option wins, then the environment, then the file named by
.Fl -config
or
.Ev LEDGERD_CONFIG .
.Bl -tag -width Ds
.It Ev LEDGERD_..._FILE
For each secret, the path of a file that contains it.
Do not set it together with the variable itself.
.It Ev CREDENTIALS_DIRECTORY
The directory of
.Xr systemd 1 Ns 's
credentials.
Secrets that are not set otherwise are read from its files, such as
.Pa ledgerd_jwt_secret .
.It Ev NOTIFY_SOCKET , WATCHDOG_USEC
Socket and interval for notifications to the service manager, see
.Xr sd_notify 3 .
.El
.Sh FILES
.Bl -tag -width Ds
.It Pa /etc/ledgerd/ledgerd.env
The service's settings.
.It Pa /etc/ledgerd/credentials/
The service's secrets, one file each, named after the setting, such as
.Pa database_url
and
.Pa jwt_secret .
Only root can read them; systemd gives copies to the service.
.It Pa /etc/ledgerd/migrate/database_url
The URL of the tables' owner, for
.Pa ledgerd-migrate.service .
.El
.Sh SIGNALS
.Bl -tag -width Ds
.It Dv SIGTERM , SIGINT
The service finishes running requests, commits the queue and stops.
.El
.Sh EXIT STATUS
0 on success, 1 on failure, 64 for invalid options or arguments.
The descriptions of
.Nm Cm reconcile
and
.Nm Cm doctor
list their own exit codes.
.Sh EXAMPLES
Prepare a database and serve:
.Bd -literal -offset indent
ledgerd init --admin-url postgresql://postgres@db/postgres --directory /etc/ledgerd
ledgerd products add coins_100 --title '100 Coin' --price 1000 --coins 100
systemctl enable --now ledgerd
journalctl --unit ledgerd --follow
.Ed
.Sh SEE ALSO
.Xr psql 1 ,
.Xr systemctl 1 ,
.Xr journalctl 1 ,
.Xr systemd.exec 5
.Pp
.Pa /usr/share/doc/ledgerd/operations.md.gz
"""


def text(words):
    """Running text: escapes roff's special characters, and starts each sentence on a new line."""
    for sign, escape in [("\\", r"\e"), ("-", r"\-"), ("'", r"\(aq"), ("`", r"\(ga"), ("…", "..."), ("→", r"\(->"),
                         ("₩", "KRW "), ("\u201c", r"\(lq"), ("\u201d", r"\(rq")]:
        words = words.replace(sign, escape)
    lines = " ".join(words.split()).replace(". ", ".\n").splitlines()
    return "\n".join(r"\&" + line if line[:1] in ".'" else line for line in lines)


def paragraphs(words):
    return "\n.Pp\n".join(text(part) for part in words.split("\n\n"))


def flag(name):
    return "Fl " + ("" if name["kind"] == "short" else "-") + name["name"]


def item(argument):
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        return ".It Ar " + value
    names = " , ".join(flag(name) for name in argument["names"])
    return ".It " + names + (" Ar " + value if argument["kind"] == "option" else "")


def options(arguments):
    shown = [a for a in arguments if a.get("shouldDisplay", True) and not is_common(a)]
    if not shown:
        return
    print(".Bl -tag -width Ds")
    for argument in shown:
        print(item(argument))
        print(paragraphs(" ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))))
        if argument.get("defaultValue"):
            print(text("Default: " + argument["defaultValue"] + "."))
    print(".El")


def is_common(argument):
    """Whether the argument is --help or --version, which every command has."""
    return any(name["name"] in ("help", "version") for name in argument.get("names", []))


def commands(command, path):
    for child in command.get("subcommands", []):
        if not child.get("shouldDisplay", True) or child["commandName"] == "help":
            continue
        name = path + [child["commandName"]]
        print(".Ss " + " ".join(["ledgerd"] + name))
        print(text(child.get("abstract", "")))
        if child.get("discussion"):
            print(".Pp\n" + paragraphs(child["discussion"]))
        options(child.get("arguments", []))
        commands(child, name)


def main():
    version, date = sys.argv[1:]
    command = json.load(sys.stdin)["command"]
    print(".\\\" Written by packaging/manual.py from the binary's help; do not edit.")
    print(f".Dd {date}\n.Dt LEDGERD 8\n.Os ledgerd {version}\n.Sh NAME\n.Nm ledgerd")
    print(".Nd payments and coin ledger service")
    print(".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar options\n.Nm\n.Ar command\n.Fl -help\n.Nm\n.Fl -version")
    print(".Sh DESCRIPTION" + ABOUT.rstrip())
    print(".Sh COMMANDS")
    commands(command, [])
    print(END.strip())


if __name__ == "__main__":
    main()
