import Foundation
import Testing

/// Recordings of a still receipt, drawn by `draw-samples` once for all tests: small, since that program is not optimised
/// here. The layouts are those of the formats' descriptions.
enum DrawnRecordings {
    /// TUM RGB-D, four shots, of which number 3 alone is in focus.
    static let tum = draw("lidar", ["--layout", "tum", "--shots", "4", "--sharpest", "3"])
    /// Stray Scanner, three shots.
    static let strayScanner = draw("lidar", ["--layout", "stray-scanner", "--shots", "3"])
    /// TUM RGB-D, three shots from places centimetres apart.
    static let shaken = draw("lidar", ["--layout", "tum", "--shots", "3", "--shake", "50"])
    /// TUM RGB-D, five shots whose depth has noise of its own in each reading.
    static let noisy = draw("structuredLight", ["--layout", "tum", "--shots", "5"])

    /// Gone with the process, as what is drawn once for all tests belongs to none of them.
    private static let place: URL = {
        atexit { try? FileManager.default.removeItem(at: DrawnRecordings.place) }
        return FileManager.default.temporaryDirectory.appending(path: "drawn-recordings-\(UUID().uuidString)")
    }()

    private static func draw(_ sensor: String, _ options: [String]) -> Result<String, any Error> {
        Result {
            let folder = place.appending(path: options.joined().replacing("-", with: "")).path()
            let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "draw-samples")
            let outcome = try FlattenProcess.run(
                [
                    folder, "--count", "1", "--seed", "12", "--kinds", "plane", "--sensors",
                    sensor,
                    "--long-side", "400", "--items", "4", "--draft",
                ] + options, program: program.path())
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            return folder + "/plane-\(sensor)-12"
        }
    }
}
