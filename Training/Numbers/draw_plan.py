#!/usr/bin/env python3
"""Draws the table of telephone numbers (Sources/Tables/CContactTables/numbers.table) from libphonenumber's metadata.

    pip install phonenumbers==9.0.43 && python3 draw_plan.py > ../../Sources/Tables/CContactTables/numbers.table

A line a region: its ISO 3166-1 code, country code, trunk prefix ("-" for none), then for each kind of number (f fixed, m mobile,
o other) which lengths of the national number follow its first two digits: "m:15-17/10,11". The expressions of the metadata become
automata, so that the table is exact and not sampled. The metadata is Google's, Apache-2.0.
"""
import re._parser as parser
from re._constants import BRANCH, IN, LITERAL, MAX_REPEAT, NEGATE, RANGE, SUBPATTERN, CATEGORY, ANY
import phonenumbers

LONGEST = 15


class Automaton:
    """Thompson's construction; states are numbers, edges bear sets of digits or None."""

    def __init__(self, pattern):
        self.edges = []
        self.start = self.state()
        self.end = self.sequence(parser.parse(pattern), self.start)

    def state(self):
        self.edges.append([])
        return len(self.edges) - 1

    def edge(self, a, digits, b):
        self.edges[a].append((digits, b))

    def sequence(self, items, at):
        for operation, argument in items:
            at = self.item(operation, argument, at)
        return at

    def item(self, operation, argument, at):
        if operation in (LITERAL, IN, ANY):
            after = self.state()
            self.edge(at, self.digits(operation, argument), after)
            return after
        if operation is SUBPATTERN:
            return self.sequence(argument[3], at)
        if operation is BRANCH:
            after = self.state()
            for branch in argument[1]:
                self.edge(self.sequence(branch, at), None, after)
            return after
        if operation is MAX_REPEAT:
            least, most, body = argument
            for _ in range(least):
                at = self.sequence(body, at)
            after = self.state()
            self.edge(at, None, after)
            for _ in range(min(most, LONGEST) - least):
                at = self.sequence(body, at)
                self.edge(at, None, after)
            return after
        raise ValueError(operation)

    @staticmethod
    def digits(operation, argument):
        if operation is LITERAL:
            return {argument - 48}
        if operation is ANY:
            return set(range(10))
        found = set()
        for kind, value in argument:
            if kind is LITERAL:
                found.add(value - 48)
            elif kind is RANGE:
                found |= set(range(value[0] - 48, value[1] - 47))
            elif kind is CATEGORY:
                found |= set(range(10))
            elif kind is NEGATE:
                raise ValueError(kind)
        return found

    def closed(self, states):
        states = set(states)
        todo = list(states)
        while todo:
            for digits, after in self.edges[todo.pop()]:
                if digits is None and after not in states:
                    states.add(after)
                    todo.append(after)
        return states

    def step(self, states, digits):
        return self.closed(b for a in states for d, b in self.edges[a] if d is not None and d & digits)

    def lengths(self, prefix):
        """The lengths of the numbers that begin so."""
        states = self.closed([self.start])
        for digit in prefix:
            states = self.step(states, {int(digit)})
        found = set()
        for length in range(len(prefix), LONGEST + 3):
            if self.end in states:
                found.add(length)
            states = self.step(states, set(range(10)))
        return found


def runs(numbers, written):
    """"15-17,30" of a set of numbers."""
    parts, numbers = [], sorted(numbers)
    while numbers:
        first = last = numbers.pop(0)
        while numbers and numbers[0] == last + 1:
            last = numbers.pop(0)
        parts.append(written(first) if first == last else written(first) + "-" + written(last))
    return ",".join(parts)


def kind(descriptions):
    byprefix = {}
    for description in descriptions:
        if description is None or not description.national_number_pattern:
            continue
        possible = set(description.possible_length)
        automaton = Automaton(description.national_number_pattern)
        for prefix in range(100):
            lengths = automaton.lengths("%02d" % prefix) & possible
            if lengths:
                byprefix.setdefault(prefix, set()).update(lengths)
    bylengths = {}
    for prefix, lengths in byprefix.items():
        bylengths.setdefault(tuple(sorted(lengths)), set()).add(prefix)
    return ";".join(
        runs(prefixes, lambda n: "%02d" % n) + "/" + runs(lengths, str)
        for lengths, prefixes in sorted(bylengths.items()))


def main():
    print("# Telephone numbers of each region, drawn by Training/Numbers/draw_plan.py from libphonenumber %s (Apache-2.0)." %
          phonenumbers.__version__)
    for region in sorted(phonenumbers.SUPPORTED_REGIONS,
                         key=lambda r: (phonenumbers.country_code_for_region(r),
                                        phonenumbers.region_code_for_country_code(phonenumbers.country_code_for_region(r)) != r, r)):
        m = phonenumbers.PhoneMetadata.metadata_for_region(region)
        kinds = [("f", kind([m.fixed_line])), ("m", kind([m.mobile])),
                 ("o", kind([m.toll_free, m.premium_rate, m.shared_cost, m.voip, m.uan, m.personal_number]))]
        print(region, m.country_code, m.national_prefix or "-", *(name + ":" + text for name, text in kinds if text))


main()
