"""Reading, batches and archives over the command, on the samples. FLATTEN names the command; else it is on PATH."""

import contextlib
import ctypes.util
import datetime
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock
from decimal import Decimal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))
ROOT = HERE.parent.parent
PHOTOGRAPH = ROOT / "SampleData" / "plane-structured" / "image.jpg"

import receipt_flattening as rf  # noqa: E402
from receipt_flattening._receipt import typed  # noqa: E402

try:
    import PIL.Image
except ImportError:
    PIL = None


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.receipt = rf.read(PHOTOGRAPH)

    def test_values_are_dates_and_decimals(self):
        receipt = self.receipt
        self.assertEqual(receipt.merchant, "QUIET HERON BAKERY")
        self.assertEqual(receipt.date, datetime.date(2023, 10, 26))
        self.assertEqual(receipt.time, datetime.time(11, 0))
        self.assertEqual(receipt.total, Decimal("61.78"))
        self.assertEqual(sum(item["amount"] for item in receipt.items), receipt.subtotal)
        self.assertEqual(receipt.tax_lines[0]["amount"], receipt.tax)
        self.assertGreater(receipt.confidence("total"), 0.8)
        self.assertIsNone(receipt.tip)
        self.assertIn("tip", receipt.missing)
        self.assertIsNone(receipt.confidence("tip"))
        with self.assertRaisesRegex(AttributeError, "no value 'sum'"):
            receipt.sum
        self.assertIn("total", dir(receipt))
        self.assertEqual(receipt.to_dict()["total"], receipt.total)

    def test_it_shows_itself(self):
        page = self.receipt._repr_html_()
        self.assertIn("QUIET HERON BAKERY", page)
        self.assertIn("data:image/png;base64,", page)
        self.assertTrue(self.receipt._repr_png_().startswith(b"\x89PNG"))
        self.assertEqual(self.receipt.image.shape[2], 3)
        self.assertIn("TOTAL", self.receipt.text)

    def test_values_of_strangers_are_no_html(self):
        values = {**self.receipt.values, "merchant": "<script>x</script>"}
        self.assertNotIn("<script>", rf.Receipt(values=values, pages=self.receipt.pages)._repr_html_())

    def test_bytes_arrays_and_images_are_as_good_as_a_file(self):
        self.assertEqual(rf.read(PHOTOGRAPH.read_bytes()).total, self.receipt.total)
        # A flat picture is read again as a scan.
        self.assertEqual(rf.read(self.receipt.image).total, self.receipt.total)
        if PIL:
            with PIL.Image.open(PHOTOGRAPH) as picture:
                self.assertEqual(rf.read(picture).total, self.receipt.total)

    def test_a_list_is_the_pages_of_one_document(self):
        pages = [PHOTOGRAPH, PHOTOGRAPH.read_bytes()]
        self.assertEqual(len(rf.read_all(pages)), 2)
        with self.assertRaisesRegex(rf.BadInput, "2 receipts"):
            rf.read(pages)
        joined = rf.read(pages, options=["--join-pages", "all"])
        self.assertEqual(len(joined.pages), 2)
        self.assertEqual(joined.text.count("TOTAL"), 2)

    def test_what_is_none_of_these_is_refused_here(self):
        for nothing in ([], [[]], [[1.5]]):
            with self.assertRaises(ValueError):
                rf.read(nothing)
        with self.assertRaises(rf.FileAccess):
            rf.read(ROOT / "nothing.jpg")
        with self.assertRaises(rf.BadInput):
            rf.read(b"no picture")

    def test_items_are_a_table(self):
        made = unittest.mock.Mock()
        # What pandas makes of rows is its business.
        with unittest.mock.patch.dict(sys.modules, {"pandas": made}):
            self.receipt.to_frame()
        (rows,), names = made.DataFrame.call_args
        self.assertEqual(rows, self.receipt.items)
        self.assertTrue(set(names["columns"]) <= set(rows[0]))
        with unittest.mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaises(ImportError):
            self.receipt.to_frame()

    def test_every_amount_of_the_schema_is_a_decimal(self):
        schema = json.loads((ROOT / "Schemas" / "fields.schema.json").read_text())
        names = [name for name, kind in schema["properties"].items() if kind.get("$ref") == "#/$defs/amount"]
        self.assertGreater(len(names), 5)
        self.assertTrue(all(isinstance(value, Decimal) for value in typed({name: "1.50" for name in names}).values()))


class Batches(unittest.TestCase):
    def test_each_comes_to_its_end_and_what_fails_stops_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "broken.jpg"
            broken.write_bytes(b"nothing")
            found = {pathlib.Path(o.capture).name: o for o in rf.batch([PHOTOGRAPH, broken], progress=False)}
        self.assertEqual(set(found), {"image.jpg", "broken.jpg"})
        self.assertEqual(found["image.jpg"].receipt.total, Decimal("61.78"))
        self.assertIsNone(found["broken.jpg"].receipt)
        self.assertIsInstance(found["broken.jpg"].error, rf.BadInput)

    def test_nothing_is_a_batch_of_nothing(self):
        self.assertEqual(list(rf.batch([])), [])

    def test_what_concerns_all_is_raised(self):
        with self.assertRaises(rf.WrongUsage):
            list(rf.batch([PHOTOGRAPH], options=["--bogus"]))

    def test_who_asks_for_no_more_ends_it(self):
        outcomes = rf.batch([PHOTOGRAPH, PHOTOGRAPH], progress=True)
        with contextlib.redirect_stderr(io.StringIO()):
            next(outcomes)
            outcomes.close()


class Archives(unittest.TestCase):
    def test_what_is_kept_is_found_mended_and_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = rf.Archive(pathlib.Path(folder) / "papers")
            with self.assertRaises(rf.FileAccess):
                archive.list()
            added = archive.add(PHOTOGRAPH, tags=["office"])
            self.assertEqual([document["tags"] for document in added], [["office"]])
            self.assertEqual(archive.add(PHOTOGRAPH), [])
            id = added[0]["id"]
            self.assertEqual([d["id"] for d in archive.list("heron", since="2023-01-01", tag="office")], [id])
            self.assertEqual(archive.list("nowhere"), [])
            self.assertEqual(archive.set(id, total="12.50", note_of_mine="x")["entered"], {"total": "12.50", "note_of_mine": "x"})
            self.assertEqual(archive.totals(by="all")[0]["total"], 12.5)
            self.assertEqual(archive.undo(id)["entered"], {})
            self.assertEqual(archive.taxes()[0]["rate"], "7")
            self.assertEqual(archive.file(id, "original"), PHOTOGRAPH.read_bytes())
            self.assertEqual(archive.show(id[:8])["id"], id)
            table = pathlib.Path(folder) / "t.csv"
            archive.export(table, category="groceries")
            self.assertEqual(len(table.read_text().splitlines()), 2)
            archive.check()
            self.assertEqual(archive.reread(id, take=True), [])
            archive.remove(id)
            self.assertEqual(archive.list(), [])

    @unittest.skipUnless(ctypes.util.find_library("sqlcipher"), "SQLCipher, which encrypts archives, is not installed")
    def test_one_with_a_passphrase_is_read_with_that_only(self):
        with tempfile.TemporaryDirectory() as folder:
            key = pathlib.Path(folder) / "key"
            key.write_text("geheim")
            key.chmod(0o600)
            path = pathlib.Path(folder) / "papers"
            rf.Archive(path, passphrase_file=key).add(PHOTOGRAPH)
            self.assertEqual(len(rf.Archive(path, passphrase_file=key).list()), 1)
            with self.assertRaises(rf.BadInput):
                rf.Archive(path).list()


class Notebook(unittest.TestCase):
    def test_the_example_runs(self):
        notebook = json.loads((HERE.parent / "examples" / "receipts.ipynb").read_text())
        code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(code), 3)
        here = os.getcwd()
        os.chdir(ROOT)
        try:
            said = io.StringIO()
            names = {}
            with contextlib.redirect_stdout(said):
                for cell in code:
                    exec(compile(cell, "receipts.ipynb", "exec"), names)
        finally:
            os.chdir(here)
        self.assertIn("QUIET HERON BAKERY", said.getvalue())


if __name__ == "__main__":
    unittest.main()
