#!/usr/bin/env python3
"""Draws the table of brands (Sources/Tables/CReceiptTables/brands.table) from the name-suggestion-index.

    git clone https://github.com/osmlab/name-suggestion-index
    python3 draw_brands.py name-suggestion-index > ../../Sources/Tables/CReceiptTables/brands.table

The index (BSD 3-Clause, its contributors; made with OpenStreetMap's) says how chains of shops, restaurants and filling stations
write their names, what they sell, and in which countries. A row a spelling in Latin or Greek letters, or of Japan's, sorted by the bytes of its key:

    key TAB name TAB category TAB countries

The key is the name in small letters without accents, signs and spaces; countries are ISO 3166-1 codes with commas between them,
none where the brand is everywhere. The table was drawn from commit c8b272ef0f882ee76c5ac8bd2912d5db4d63cf30 of 2026-08-22.
"""

import collections
import json
import pathlib
import re
import sys
import unicodedata

# What is sold, by the keys of OpenStreetMap; of a brand with several the one that stands first here. What is not named sells nothing
# that a receipt is kept for.
CATEGORIES = {
    "fuel": "amenity/fuel amenity/charging_station shop/gas",
    "home": "shop/furniture shop/doityourself shop/hardware shop/garden_centre shop/paint shop/kitchen shop/bed "
    "shop/interior_decoration shop/houseware shop/household_linen shop/lighting shop/florist shop/carpet shop/tiles shop/flooring "
    "shop/curtain shop/bathroom_furnishing shop/power_tools shop/trade",
    "electronics": "shop/electronics shop/computer shop/mobile_phone shop/mobile_phone_accessories shop/hifi shop/appliance "
    "shop/camera shop/video_games shop/telecommunication shop/printer_ink shop/electrical shop/vacuum_cleaner",
    "general": "shop/department_store shop/variety_store shop/general shop/kiosk shop/tobacco",
    "clothing": "shop/clothes shop/shoes shop/bag shop/leather shop/jewelry shop/watches shop/fashion_accessories shop/fabric "
    "shop/tailor shop/shoe_repair shop/baby_goods",
    "leisure": "shop/books shop/toys shop/sports shop/outdoor shop/bicycle shop/music shop/musical_instrument shop/games shop/video "
    "shop/gift shop/party shop/craft shop/art shop/newsagent shop/stationery shop/fishing shop/ticket shop/pet amenity/cinema "
    "leisure/fitness_centre leisure/sports_centre leisure/bowling_alley leisure/amusement_arcade leisure/trampoline_park",
    "care": "shop/chemist shop/cosmetics shop/perfumery shop/beauty shop/hairdresser shop/hairdresser_supply shop/massage "
    "shop/laundry shop/dry_cleaning",
    "health": "amenity/pharmacy amenity/dentist amenity/doctors amenity/clinic amenity/hospital shop/optician shop/hearing_aids "
    "shop/medical_supply shop/nutrition_supplements shop/herbalist healthcare/laboratory amenity/veterinary",
    "groceries": "shop/supermarket shop/convenience shop/bakery shop/butcher shop/greengrocer shop/beverages shop/alcohol shop/wine "
    "shop/deli shop/cheese shop/seafood shop/frozen_food shop/health_food shop/confectionery shop/chocolate shop/coffee shop/tea "
    "shop/pastry shop/dairy shop/spices shop/nuts shop/food shop/wholesale",
    "restaurant": "amenity/restaurant amenity/fast_food amenity/cafe amenity/bar amenity/pub amenity/ice_cream",
    "travel": "tourism/hotel tourism/motel tourism/hostel tourism/apartment amenity/car_rental amenity/car_sharing amenity/parking "
    "shop/travel_agency",
    "vehicle": "shop/car shop/car_repair shop/car_parts shop/tyres shop/motorcycle shop/truck amenity/car_wash "
    "amenity/vehicle_inspection",
    "post": "amenity/post_office shop/copyshop",
}
CATEGORY_OF = {key: name for name, keys in CATEGORIES.items() for key in keys.split()}
SPELLINGS = ("name", "brand", "short_name", "alt_name", "official_name")
# Fewer letters stand anywhere by chance.
FEWEST_LETTERS = 2


def key_of(name: str) -> str:
    """As Vocabulary.folded does it, without spaces."""
    letters = {"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ı": "i", "ς": "σ"}
    text = unicodedata.normalize("NFKD", name).lower().translate(str.maketrans(letters))
    return "".join(c for c in text if c.isalnum())


def countries_of(places: dict) -> set[str] | None:
    """None for everywhere. Parts of countries count as their countries."""
    found = set()
    for place in places.get("include", []):
        if not isinstance(place, str) or place == "001":
            return None
        code = re.match(r"[a-z]{2}(?=$|-)", place)
        if not code:
            # A part of the world.
            return None
        # France without what lies overseas.
        found.add("FR" if code[0] == "fx" else code[0].upper())
    return found or None


def is_readable(key: str, countries: set[str] | None) -> bool:
    """Whether the vocabulary has a language of its letters."""
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in key if c.isalpha()}
    return bool(scripts) and (scripts <= {"LATIN", "GREEK"} or countries == {"JP"})


def main() -> None:
    rows: dict[str, list[tuple]] = collections.defaultdict(list)
    places: dict[str, list[set[str] | None]] = collections.defaultdict(list)
    # A supermarket with pumps is a supermarket; else what stands first.
    order = ["shop/supermarket", *(key for keys in CATEGORIES.values() for key in keys.split())]
    for path in sorted(pathlib.Path(sys.argv[1], "data/brands").glob("*/*.json")):
        kind = "/".join(path.with_suffix("").parts[-2:])
        if kind not in CATEGORY_OF:
            continue
        for item in json.loads(path.read_text())["items"]:
            tags = item.get("tags")
            if not tags:
                continue
            # Behind a name stands in brackets which of several of it is meant.
            name = re.sub(r"\s*\([^)]*\)", "", item["displayName"]).strip()
            countries = countries_of(item["locationSet"])
            # "Aldi" is also where it is called "Aldi Nord".
            words = name.split(" ")
            for end in range(1, len(words) + 1):
                places[" ".join(words[:end])].append(countries)
            spellings = [name, *(tags.get(key, "") for key in SPELLINGS), *item.get("matchNames", [])]
            for key in {key_of(part) for spelling in spellings for part in spelling.split(";")}:
                if len(key) >= FEWEST_LETTERS and is_readable(key, countries):
                    rows[key].append((key_of(name) != key, order.index(kind), name))
    for key in sorted(rows, key=str.encode):
        # Its own name before another's that is also called so.
        _, place, name = min(rows[key])
        countries = "" if None in places[name] else ",".join(sorted(set().union(*places[name])))
        print(key, name, CATEGORY_OF[order[place]], countries, sep="\t")


if __name__ == "__main__":
    main()
