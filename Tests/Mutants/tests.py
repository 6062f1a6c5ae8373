#!/usr/bin/env python3
"""Tests of switched.py, and that it has a place for the mutants that there are."""

import unittest

import run
import switched

TEXT = '''struct Wallet {
    let note = "a { that opens nothing"  // nor does this {
    var isEmpty: Bool { coins == 0 }
    init?(_ coins: Int) {
        guard coins >= 0 else { return nil }
        self.coins = coins
    }
    mutating func spend(_ coins: Int) throws -> Int {
        func left() -> Int { self.coins - coins }
        if "\\(coins) {".isEmpty { return 0 }
        guard left() >= 0 else { throw Refused("\\(name(of: "}")) has \\(coins)") }
        return left()
    }
}
'''


def mutant(name, before, after=""):
    return run.Mutant(name, "here", {"file": "Wallet.swift"}, before.split("\n"), after.split("\n"))


class SwitchedTests(unittest.TestCase):
    def test_a_body_is_a_functions_an_initialisers_or_a_propertys(self):
        heads = [TEXT[:start].splitlines()[-1].strip() for start, _ in sorted(switched.bodies(TEXT))]
        self.assertEqual(heads, [
            "var isEmpty: Bool {", "init?(_ coins: Int) {", "mutating func spend(_ coins: Int) throws -> Int {",
            "func left() -> Int {"])

    def test_a_body_is_there_with_each_change_and_as_it_is(self):
        mutants = [mutant("empty", "coins == 0", "true"), mutant("debt", "guard coins >= 0 else { return nil }")]
        text, done = switched.switched(TEXT, mutants)
        self.assertEqual([each.name for each in done], ["empty", "debt"])
        self.assertIn('{ if isMutant("empty") { true } else { coins == 0 } }', text)
        self.assertIn('init?(_ coins: Int) { if isMutant("debt") {\n        \n        self.coins = coins\n', text)
        self.assertEqual([(name, last - first) for name, first, last in switched.lines(text)], [("empty", 0), ("debt", 6)])

    def test_two_mutants_of_a_body_do_not_meet(self):
        mutants = [mutant("one", "coins == 0", "coins == 1"), mutant("two", "coins == 0", "coins == 2")]
        text, _ = switched.switched(TEXT, mutants)
        self.assertIn(
            '{ if isMutant("one") { coins == 1 } else if isMutant("two") { coins == 2 } else { coins == 0 } }', text)

    def test_what_stands_in_no_body_is_built_alone(self):
        text, done = switched.switched(TEXT, [mutant("note", "a { that opens nothing")])
        self.assertEqual((text, done), (TEXT, []))

    def test_a_body_around_another_switched_one_is_built_alone(self):
        mutants = [mutant("outer", "return left()", "return 0"), mutant("inner", "self.coins - coins", "0")]
        self.assertEqual([each.name for each in switched.switched(TEXT, mutants)[1]], ["inner"])

    def test_most_mutants_have_a_switch(self):
        alone = []
        mutants = [each for each in run.read_all() if not each.is_sql]
        for path in {each.values["file"] for each in mutants}:
            mine = [each for each in mutants if each.values["file"] == path]
            done = switched.switched((run.ROOT / path).read_text(), mine)[1]
            alone += [each.name for each in mine if each not in done]
        # Each of these costs ./dev mutants a build.
        self.assertLessEqual(len(alone), 10, alone)


if __name__ == "__main__":
    unittest.main()
