"""Scores contacts against drawn cards: score.py CARDS.jsonl CONTACTS.jsonl [-v]

Prints for each field the share of the cards' values that were given right, and the share of the given ones that are right. Right: letters and digits
equal but for case (names, organisations, titles, addresses), equal (numbers in E.164, mail addresses, hosts).
"""

import collections
import json
import re
import sys


def plain(text):
    return re.sub(r"\W", "", text.lower())


def host(url):
    return re.sub(r"^(https?://)?(www\.)?", "", url.lower()).rstrip("/")


def main():
    wanted, right, given = collections.Counter(), collections.Counter(), collections.Counter()
    verbose = "-v" in sys.argv
    for number, (card, contact) in enumerate(zip(open(sys.argv[1]), open(sys.argv[2]))):
        card, contact = json.loads(card), json.loads(contact)
        truth = card["truth"]
        pairs = {
            "name": ([plain(truth["name"])], [plain(n["value"]["full"]) for n in contact["names"]]),
            "organisation": ([plain(truth["organisation"])] if truth["organisation"] else [], [plain(contact["organisation"]["value"])] if contact.get("organisation") else []),
            "title": ([plain(truth["title"])] if truth["title"] else [], [plain(contact["title"]["value"])] if contact.get("title") else []),
            "phone": (truth["phones"], [p["value"]["number"] for p in contact["phones"]]),
            "phone kind": ([p + k for p, k in zip(truth["phones"], truth["kinds"])], [p["value"]["number"] + p["value"]["kind"] for p in contact["phones"]]),
            "email": (truth["emails"], [e["value"] for e in contact["emails"]]),
            "url": ([host(u) for u in truth["urls"]], [host(u["value"]) for u in contact["urls"]]),
            "address": ([plain(truth["address"])] if truth["address"] else [], [plain(contact["address"]["value"]["full"])] if contact.get("address") else []),
        }
        for key, (want, got) in pairs.items():
            hits = sum((collections.Counter(want) & collections.Counter(got)).values())
            wanted[key] += len(want)
            given[key] += len(got)
            right[key] += hits
            if verbose and (hits < len(want) or hits < len(got)) and key in sys.argv:
                print(number, "layout", card["layout"], key, want, got, "|", " / ".join(" ".join(w["text"] for w in l["words"]) for b in card["blocks"] for l in b["lines"]))
    for key in wanted:
        print(f"{key:13s} right of wanted {right[key] / max(wanted[key], 1):.3f} ({wanted[key]})  right of given {right[key] / max(given[key], 1):.3f} ({given[key]})")


main()
