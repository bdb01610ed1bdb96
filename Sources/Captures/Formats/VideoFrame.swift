import Foundation
import ImageFiles
import Imaging

/// Single pictures of a video, by the `ffmpeg` program: no library of this package decodes video.
enum VideoFrame {
    /// A frame of a video, as a PNG in memory.
    /// - Parameter number: counted from 0, in the order of showing.
    /// - Throws: `.missingDependency` without ffmpeg, `.unsupported` for a video inside an archive and where no program may
    ///   be started, `.badInput` if there is no such frame.
    /// - Complexity: O(frames before it): they are decoded, not written.
    static func picture(
        number: Int, of name: String, in files: RecordedFiles
    ) throws(FlatteningError) -> InputFile {
        guard files.contains(name), files.isFolder else {
            throw FlatteningError(
                .unsupported, "a video inside an archive is not read", file: files.path(name), stage: "video",
                advice: "Unpack the archive first")
        }
        guard files.limits.startsPrograms else {
            throw FlatteningError(
                .unsupported, "a video takes the ffmpeg program to be read, and none may be started here",
                file: files.path(name), stage: "video", allowed: "pictures in rgb/ (startsPrograms)",
                advice: "Take the pictures out before (mkdir rgb; ffmpeg -noautorotate -i rgb.mp4 -vsync 0 "
                    + "-start_number 0 rgb/%06d.jpg), or flatten this recording without \"batch\"")
        }
        // Phones film as the sensor lies and mark the video to be turned; depth maps and intrinsics are not turned, so
        // the picture must not be either. "file:" keeps ffmpeg from taking a name for one of its protocols. The filter
        // picks by number, since the time stamps of phones' videos are not evenly spaced.
        let arguments = [
            "-nostdin", "-hide_banner", "-loglevel", "error", "-noautorotate", "-i",
            "file:" + files.path(name),
            "-vf", "select=eq(n\\,\(number))", "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-",
        ]
        let bytes = try run("ffmpeg", arguments, limit: files.limits.maximumFileBytes)
        guard !bytes.isEmpty else {
            throw FlatteningError(
                .badInput, "the video has no frame \(number) that ffmpeg can read", file: files.path(name),
                stage: "video")
        }
        return InputFile(name: files.path(name) + " frame \(number)", bytes: bytes)
    }

    /// What a program of the search path writes to its standard output.
    static func run(
        _ program: String, _ arguments: [String], limit: Int
    ) throws(FlatteningError) -> [UInt8] {
        #if os(macOS) || os(Linux)
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(
                separator: ":")
            guard
                let path = folders.map({ "\($0)/\(program)" }).first(where: {
                    FileManager.default.isExecutableFile(atPath: $0)
                })
            else {
                throw FlatteningError(
                    .missingDependency, "ffmpeg, which reads videos, is not installed", stage: "video",
                    advice: "Install it: apt-get install ffmpeg, or brew install ffmpeg")
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            let output = Pipe()
            process.standardOutput = output
            // Complaints that nobody reads would fill their pipe and hold the program up.
            process.standardError = FileHandle.nullDevice
            do {
                try process.run()
            } catch {
                throw FlatteningError(
                    .missingDependency, "ffmpeg cannot be started", stage: "video",
                    detail: error.localizedDescription)
            }
            var bytes: [UInt8] = []
            while let piece = try? output.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty {
                bytes.append(contentsOf: piece)
                if bytes.count > limit {
                    // Nobody reads on, and a signal that can be ignored, or that our own thread has blocked, would not
                    // end a program that waits for that.
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                    throw FlatteningError(
                        .limitExceeded, "the video's frame is too large", stage: "video",
                        seen: "more than \(limit) bytes", allowed: "\(limit) bytes (maximumFileBytes)")
                }
            }
            process.waitUntilExit()
            return bytes
        #else
            throw FlatteningError(
                .unsupported, "videos are not read on this system", stage: "video",
                advice: "Give the frames as pictures, in rgb/")
        #endif
    }
}
