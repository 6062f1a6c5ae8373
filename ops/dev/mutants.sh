# shellcheck shell=sh
# ./dev mutants: broken safety lines, which a test must notice.

# break_lines [--list] [NAME...]: see Tests/Mutants/run.py.
break_lines() {
    case " $* " in *' --list '*) exec python3 Tests/Mutants/run.py "$@" ;; esac
    install_missing openssl python3-venv hledger beancount
    pin_versions
    start_test_cluster
    LEDGERD_BUILD_OPTIONS=$build_options PYTHONDONTWRITEBYTECODE=1 python3 Tests/Mutants/run.py "$@"
}
