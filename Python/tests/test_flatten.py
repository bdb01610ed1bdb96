"""The wrapper against the command, on the samples. FLATTEN names the command; else it is on PATH."""

import os
import pathlib
import pickle
import struct
import sys
import tempfile
import unittest
import zlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))
SAMPLES = HERE.parent.parent / "SampleData"

import receipt_flattening as rf  # noqa: E402
from receipt_flattening import _images  # noqa: E402
from receipt_flattening._errors import error  # noqa: E402


def drawn(height=300, width=200):
    """A white sheet of 120 x 180 pixels on a dark table, with bars of print."""
    picture = np.full((height, width, 3), 40, np.uint8)
    picture[60:240, 40:160] = 235
    for row in range(75, 230, 14):
        picture[row : row + 4, 52:148] = 30
    return picture


class Flattening(unittest.TestCase):
    def test_depth_and_camera_give_true_size(self):
        """A sheet of 58 x 100 mm, 250 mm before a camera of 800 pixels focal length: 3.2 pixels a millimetre."""
        picture = np.full((480, 400, 3), 40, np.uint8)
        picture[80:400, 107:293] = 235
        for row in range(100, 385, 16):
            picture[row : row + 4, 125:275] = 30
        depth = np.full((240, 200), 0.25)
        camera = rf.Intrinsics(fx=800, fy=800, cx=199.5, cy=239.5, distortion=[0, 0, 0, 0, 0])
        result = rf.flatten(picture, depth, camera, options=["--method", "plane"])
        self.assertEqual(result.report["method"], "plane")
        # A pixel of the photograph at either side is 0.6 mm.
        self.assertAlmostEqual(result.report["sheet_mm"]["width"], 58.1, delta=0.7)
        self.assertAlmostEqual(result.report["sheet_mm"]["height"], 100.0, delta=0.7)
        self.assertAlmostEqual(result.report["plane"]["distance_mm"], 250, delta=0.1)

    def test_a_sample_is_read(self):
        result = rf.flatten_file(SAMPLES / "curl-structured", text=True)
        self.assertEqual(result.image.shape[:2], result.map.shape[:2])
        self.assertEqual(result.image.dtype, np.uint8)
        self.assertEqual(result.map.dtype, np.float32)
        self.assertGreater(len(result.text.splitlines()), 10)
        self.assertIn("total", result.report["fields"])
        self.assertEqual(set(result.report), set(rf.Report.__annotations__))

    def test_map_says_where_pixels_come_from(self):
        picture = drawn()
        result = rf.flatten(picture)
        inside = np.isfinite(result.map).all(axis=2)
        column, row = np.nan_to_num(result.map).round().astype(int).transpose(2, 0, 1)
        inside &= (column >= 0) & (column < picture.shape[1]) & (row >= 0) & (row < picture.shape[0])
        self.assertGreater(inside.mean(), 0.9)
        difference = result.image[inside].astype(int) - picture[row[inside], column[inside]]
        # Half a pixel off at the edges of the print; on paper and ink, nothing.
        self.assertLess(np.median(np.abs(difference)), 3)

    def test_grey_and_colour_are_one(self):
        picture = drawn()
        gray = rf.flatten(picture[:, :, 0])
        self.assertTrue(np.array_equal(gray.image, rf.flatten(picture).image))

    def test_black_and_white(self):
        values = np.unique(rf.flatten(drawn(), options=["--bw"]).image)
        self.assertTrue(set(values.tolist()) <= {0, 255})

    def test_relative_and_missing(self):
        result = rf.flatten(drawn())
        self.assertIsNone(result.text)
        self.assertIsNone(result.report["sheet_mm"])

    def test_errors_have_their_kinds(self):
        with self.assertRaises(rf.WrongUsage) as usage:
            rf.flatten(drawn(), options=["--no-such"])
        self.assertEqual(usage.exception.exit_code, 64)
        self.assertIn("--no-such", str(usage.exception))
        with self.assertRaises(rf.FileAccess):
            rf.flatten_file("/nowhere/at all")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "broken.jpg")
            path.write_bytes(b"no picture")
            with self.assertRaises(rf.BadInput):
                rf.flatten_file(path)
        with self.assertRaises(rf.BelowDemand):
            rf.flatten(drawn(), options=["--require", "depth"])
        with self.assertRaises(rf.LimitExceeded):
            rf.flatten(drawn(), options=["--max-side", "50"])
        with self.assertRaises(rf.Timeout):
            rf.flatten_file(SAMPLES / "fold-structured", timeout=0.001)
        self.assertIsInstance(error(-9, ""), rf.Defect)

    def test_a_missing_command_is_told(self):
        named = os.environ.get("FLATTEN")
        os.environ["FLATTEN"] = "/nowhere/flatten"
        try:
            with self.assertRaises(rf.MissingLibrary):
                rf.version()
        finally:
            if named is None:
                del os.environ["FLATTEN"]
            else:
                os.environ["FLATTEN"] = named

    def test_what_is_no_photograph_is_refused_here(self):
        for wrong in (np.zeros((4, 4), np.float32), np.zeros((4, 4, 4), np.uint8), np.zeros((0, 4, 3), np.uint8)):
            with self.assertRaises(ValueError):
                rf.flatten(wrong)
        with self.assertRaises(ValueError):
            rf.flatten(drawn(), depth=np.zeros(5))

    def test_a_name_that_begins_with_a_dash_is_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                _images.write_pnm(pathlib.Path("--force.ppm"), drawn())
                self.assertGreater(rf.flatten_file("--force.ppm").image.size, 0)
            finally:
                os.chdir(before)

    def test_version(self):
        self.assertRegex(rf.version(), r"^\d+\.\d+\.\d+$")


class Images(unittest.TestCase):
    def test_every_filter_is_taken_back(self):
        """Rows filtered as the standard says, by arithmetic on whole numbers, come back; seed 7."""
        pixels = np.random.default_rng(7).integers(0, 256, (10, 9, 3), np.uint8)
        rows = pixels.reshape(10, 27).astype(int)
        filtered = bytearray()
        for index, row in enumerate(rows):
            above = rows[index - 1] if index else np.zeros(27, int)
            left = np.concatenate([np.zeros(3, int), row[:-3]])
            corner = np.concatenate([np.zeros(3, int), above[:-3]])
            kind = index % 5
            if kind == 4:
                whole = left + above - corner
                nearest = [min((abs(w - a), 0, a), (abs(w - b), 1, b), (abs(w - c), 2, c))[2] for w, a, b, c in zip(whole, left, above, corner)]
                guess = np.array(nearest)
            else:
                guess = (0 * row, left, above, (left + above) // 2)[kind]
            filtered += bytes([kind]) + ((row - guess) % 256).astype(np.uint8).tobytes()

        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.png")
            head = struct.pack(">IIBBBBB", 9, 10, 8, 2, 0, 0, 0)
            path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(filtered))) + chunk(b"IEND", b""))
            self.assertTrue(np.array_equal(_images.read_png(path), pixels))

    def test_an_error_goes_from_process_to_process(self):
        """A pool of processes hands errors over by pickle; one that cannot be read back would break the pool."""
        for code in (3, 64, 65, 69, 70, 71, 74, 75, -9, 99):
            one = error(code, "error: it is too dark")
            other = pickle.loads(pickle.dumps(one))
            self.assertEqual((type(other), str(other), other.exit_code), (type(one), "it is too dark", code))

    def test_options_that_leave_no_single_result_are_wrong_usage(self):
        with self.assertRaises(rf.WrongUsage):
            rf.flatten_file(SAMPLES / "plane-lidar", options=["--help"])


if __name__ == "__main__":
    unittest.main()
