"""What users would pick instead, on the same inputs: run by `bench`, one process a case.

python peers.py CASE INPUTS THREADS

Reads the input, says {"ready": versions}, then for each line of standard input runs once and prints {"seconds": ..., "processor_seconds": ...};
at the end of input prints {"facts": ..., "peak_mb": ...}. Imports and inputs are not timed. A package that is not there
ends it with {"missing": its name}.
"""

import json
import os
import resource
import subprocess
import sys
import time

INPUTS, THREADS = sys.argv[2], int(sys.argv[3])
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import numpy as np  # noqa: E402  (after the thread counts)


def opencv():
    import cv2

    cv2.setNumThreads(THREADS)
    return cv2


def read_json(name):
    with open(f"{INPUTS}/{name}") as file:
        return json.load(file)


def read_bytes(name):
    with open(f"{INPUTS}/{name}", "rb") as file:
        return np.frombuffer(file.read(), np.uint8)


def mean(picture):
    return {"mean": float(picture.mean())}


# Each case returns what is timed, and what its result is to be compared by.


def decode(kind, size):
    cv2 = opencv()
    data = read_bytes(f"capture-{size}/image.jpg" if kind == "JPEG" else f"warp-{size}/flat.png")
    return lambda: cv2.imdecode(data, cv2.IMREAD_COLOR), mean


def encode(kind, size):
    cv2 = opencv()
    picture = cv2.imread(f"{INPUTS}/warp-{size}/flat.png")
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else INPUTS
    path = f"{folder}/peer-{os.getpid()}.{kind}"
    # Ours keeps colours at full resolution.
    full = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    options = [cv2.IMWRITE_JPEG_QUALITY, 92] + full if kind == "jpg" else []

    def facts(_):
        size = os.path.getsize(path)
        os.remove(path)
        return {"bytes": size}

    return lambda: cv2.imwrite(path, picture, options), facts


def cloud(size):
    import open3d as o3d

    camera = read_json(f"depth-{size}/camera.json")
    readings = np.load(f"{INPUTS}/depth-{size}/depth.npy")
    depth = o3d.geometry.Image(np.nan_to_num(readings, nan=0.0).astype(np.float32))
    height, width = readings.shape
    sx, sy = width / camera["width"], height / camera["height"]
    pinhole = o3d.camera.PinholeCameraIntrinsic(
        width, height, camera["fx"] * sx, camera["fy"] * sy,
        (camera["cx"] + 0.5) * sx - 0.5, (camera["cy"] + 0.5) * sy - 0.5)

    def run():
        points = o3d.geometry.PointCloud.create_from_depth_image(
            depth, pinhole, depth_scale=1.0, depth_trunc=1e9)
        center, covariance = points.compute_mean_and_covariance()
        return points, center, np.linalg.eigh(covariance)

    def facts(result):
        points, center, (_, axes) = result
        return {"points": len(points.points), "offset": float(abs(center @ axes[:, 0]))}

    return run, facts


def robust_plane():
    import open3d as o3d

    points = o3d.geometry.PointCloud(o3d.utility.Vector3dVector(np.load(f"{INPUTS}/plane/points.npy")))
    o3d.utility.random.seed(1)
    truth = np.array([0.15, -0.1, -1]) / np.linalg.norm([0.15, -0.1, -1])

    def facts(result):
        normal = np.asarray(result[0][:3])
        cosine = abs(normal @ truth) / np.linalg.norm(normal)
        return {"degrees": float(np.degrees(np.arccos(min(1.0, cosine))))}

    # A probability of 1 lets all iterations run.
    return lambda: points.segment_plane(0.002, 3, 1000, 1.0), facts


def free_surface():
    """Bicubic B-spline of inverse depth, 24 x 48 coefficients, with a small bending penalty."""
    from scipy import sparse
    from scipy.interpolate import BSpline
    from scipy.sparse.linalg import spsolve

    x, y, z = np.load(f"{INPUTS}/surface/readings.npy").astype(float).T
    value = 1 / z

    def basis(position, count):
        low, high = position.min(), position.max() + 1e-6
        step = (high - low) / (count - 3)
        knots = low + step * np.arange(-3, count + 1)
        return BSpline.design_matrix(position, knots, 3)

    def bending(count):
        return sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(count - 2, count))

    def run():
        across, down = basis(x, 24), basis(y, 48)
        # Both have four weights a row: the products of each row, as one sparse matrix.
        columns = (down.indices.reshape(-1, 4)[:, :, None] * 24 + across.indices.reshape(-1, 4)[:, None, :]).reshape(-1)
        weights = (down.data.reshape(-1, 4)[:, :, None] * across.data.reshape(-1, 4)[:, None, :]).reshape(-1)
        design = sparse.csr_matrix(
            (weights, columns, np.arange(0, len(weights) + 1, 16)), shape=(len(x), 24 * 48))
        bx, by = bending(24), bending(48)
        penalty = sparse.kron(sparse.identity(48), bx.T @ bx) + sparse.kron(by.T @ by, sparse.identity(24))
        return design, spsolve((design.T @ design + 1e-3 * penalty).tocsc(), design.T @ value)

    def facts(result):
        design, coefficients = result
        return {"rms to readings mm": float(np.sqrt(np.mean((1 / (design @ coefficients) - z) ** 2)) * 1000)}

    return run, facts


def unrolling():
    """libigl's ARAP in the plane on the same grid, 40 iterations, from the same kind of start."""
    import igl

    flat = np.load(f"{INPUTS}/surface/grid.npy")
    rows, columns = flat.shape[0], flat.shape[1] // 3
    points = flat.reshape(-1, 3).astype(float)
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1].ravel(), index[:-1, 1:].ravel(), index[1:, 1:].ravel(), index[1:, :-1].ravel()
    faces = np.vstack([np.c_[a, c, b], np.c_[a, d, c]])
    center = points - points.mean(0)
    start = center @ np.linalg.svd(center, full_matrices=False)[2][:2].T

    def run():
        return arap(igl, points, faces, start)

    def facts(result):
        edges = np.vstack([np.c_[a, b], np.c_[a, d]])
        length = lambda p: np.linalg.norm(p[edges[:, 0]] - p[edges[:, 1]], axis=1)
        change = length(result[:, :2]) / length(points) - 1
        return {"vertices": len(points), "length change rms": float(np.sqrt(np.mean(change**2)))}

    return run, facts


def arap(igl, points, faces, start, iterations=40):
    data = igl.ARAPData()
    data.max_iter = iterations
    held = np.array([0], dtype=np.int32)  # without one the sheet may drift
    igl.arap_precomputation(points, faces, 2, held, data)
    return igl.arap_solve(start[held], data, start)


def warp(filter_name, size):
    cv2 = opencv()
    photograph = cv2.imread(f"{INPUTS}/capture-{size}/image.jpg")
    description = read_json(f"warp-{size}/warp.json")
    matrix = np.array(description["homography"]).reshape(3, 3)
    output = (description["width"], description["height"])
    flags = {"bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC}[filter_name] | cv2.WARP_INVERSE_MAP
    return lambda: cv2.warpPerspective(
        photograph, matrix, output, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255)), mean


def curved_warp(filter_name, size):
    cv2 = opencv()
    photograph = cv2.imread(f"{INPUTS}/capture-{size}/image.jpg")
    description = read_json(f"warp-{size}/warp.json")
    width, height, spacing = description["width"], description["height"], description["spacing"]
    nodes = np.load(f"{INPUTS}/warp-{size}/curved-nodes.npy")
    flags = {"bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC}[filter_name]

    def run():
        # resize puts a node into the middle of its cell, so the picture starts half a cell in.
        dense = cv2.resize(nodes, None, fx=spacing, fy=spacing, interpolation=cv2.INTER_LINEAR)
        dense = dense[spacing // 2 : spacing // 2 + height, spacing // 2 : spacing // 2 + width]
        return cv2.remap(
            photograph, dense, None, flags, borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255))

    return run, mean


def tesseract_page():
    """tesseract's own program: one pass, one thread."""
    environment = os.environ | {"OMP_THREAD_LIMIT": "1"}

    def run():
        return subprocess.run(
            ["tesseract", f"{INPUTS}/page/page.png", "-", "--psm", "6", "--dpi", "300"],
            capture_output=True, text=True, check=True, env=environment).stdout

    return run, lambda text: {"characters": len(text)}


def plane_script(size):
    """What one writes in an afternoon: Open3D finds the plane, OpenCV warps by its homography."""
    import open3d as o3d

    cv2 = opencv()
    folder = f"{INPUTS}/capture-{size}"
    path = f"{'/dev/shm' if os.access('/dev/shm', os.W_OK) else INPUTS}/peer-{os.getpid()}.png"

    def run():
        description = read_json(f"capture-{size}/capture.json")
        photograph = cv2.imread(f"{folder}/image.jpg")
        depth = cv2.imread(f"{folder}/depth.png", cv2.IMREAD_UNCHANGED).astype(np.float32)
        depth *= description["depth"]["unit_metres"]
        camera = description["intrinsics"]
        scale = depth.shape[1] / camera["width"]
        pinhole = o3d.camera.PinholeCameraIntrinsic(
            depth.shape[1], depth.shape[0], camera["fx"] * scale, camera["fy"] * scale,
            (camera["cx"] + 0.5) * scale - 0.5, (camera["cy"] + 0.5) * scale - 0.5)
        points = o3d.geometry.PointCloud.create_from_depth_image(
            o3d.geometry.Image(depth), pinhole, depth_scale=1.0, depth_trunc=10.0)
        (a, b, c, d), _ = points.segment_plane(0.003, 3, 1000)
        # The picture's middle two thirds, seen straight on at the photograph's density.
        normal = np.array([a, b, c]) * (-1 if c > 0 else 1)
        matrix = np.array([[camera["fx"], 0, camera["cx"]], [0, camera["fy"], camera["cy"]], [0, 0, 1]])
        ray = np.linalg.inv(matrix) @ [camera["width"] / 2, camera["height"] / 2, 1]
        center = ray * (-d / (np.array([a, b, c]) @ ray))
        right = np.cross([0, 1, 0], -normal)
        right /= np.linalg.norm(right)
        down = np.cross(-normal, right)
        density = camera["fx"] / center[2]
        width, height = int(camera["width"] * 0.7), int(camera["height"] * 0.7)
        corner = center - right * width / 2 / density - down * height / 2 / density
        homography = matrix @ np.stack([right / density, down / density, corner], axis=1)
        flat = cv2.warpPerspective(
            photograph, homography, (width, height), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP)
        cv2.imwrite(path, flat)

    def facts(_):
        os.remove(path)
        return {}

    return run, facts


CASES = {f"{task}/{size}": (function, arguments)
    for size in (3, 12, 48)
    for task, function, arguments in [
        ("decode JPEG", decode, ("JPEG", size)),
        ("decode PNG", decode, ("PNG", size)),
        ("encode PNG", encode, ("png", size)),
        ("encode JPEG", encode, ("jpg", size)),
        ("bilinear warp", warp, ("bilinear", size)),
        ("bicubic warp", warp, ("bicubic", size)),
        ("curved bilinear warp", curved_warp, ("bilinear", size)),
        ("curved bicubic warp", curved_warp, ("bicubic", size)),
        ("plane script", plane_script, (size,)),
    ]}
CASES |= {f"cloud/{size}": (cloud, (size,)) for size in ("256x192", "640x480", "4032x3024")}
CASES |= {
    "robust plane": (robust_plane, ()),
    "free surface": (free_surface, ()),
    "unrolling": (unrolling, ()),
    "text": (tesseract_page, ()),
}


def versions():
    from importlib import metadata

    found = {}
    for module, package in [("cv2", "opencv-python-headless"), ("open3d", "open3d"), ("scipy", "scipy"), ("igl", "libigl")]:
        if module in sys.modules:
            found[package] = metadata.version(package)
    return found


def say(answer):
    print(json.dumps(answer), flush=True)


def peak_megabytes():
    """Of this process or of the largest that it ran. getrusage would count what the starting process held before exec."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    with open("/proc/self/status") as status:
        own = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
    return (children or own) / 1e6


def main():
    function, arguments = CASES[sys.argv[1]]
    try:
        run, facts = function(*arguments)
    except ImportError as error:
        say({"missing": str(error)})
        return
    say({"ready": versions()})
    for _ in sys.stdin:
        clock, processor = time.perf_counter(), time.process_time()
        run()
        say({"seconds": time.perf_counter() - clock, "processor_seconds": time.process_time() - processor})
    say({"peak_mb": peak_megabytes(), "facts": facts(run())})


main()
