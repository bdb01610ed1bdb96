import Diagnostics
import LocalFiles
internal import ChildProcesses
import Platform
import ImageFiles
import Imaging

/// Single images of a video, decoded by the `ffmpeg` program: no library of this package decodes video.
///
/// The video may come from a stranger, and ffmpeg reads hundreds of formats. So ffmpeg is restricted to what recordings need:
/// an MP4 or QuickTime file, no other protocol or format, and the confinement of a ``HelperProgram``.
enum VideoFrame {
    /// The largest address space of ffmpeg, in bytes. Debian's build of ffmpeg 5.1 reads a video of 1920 x 1440 pixels in 600
    /// MiB, most of it for libraries, but not in 400.
    private static let maximumAddressSpace: UInt64 = 2 << 30
    /// The longest processor time of ffmpeg, in seconds. It also decodes all earlier frames, at 600 a second of a drawn H.264
    /// video of 1920 x 1440 pixels. Twenty minutes at 60 a second, the most frames that a recording may have as files, take
    /// 120 s, and five times that if they are harder to decode.
    private static let maximumProcessorSeconds: UInt64 = 600

    /// Returns a frame of a video, as a PNG in memory.
    /// - Parameters:
    ///   - number: counted from 0, in display order. ffmpeg is ended at the deadline of the files' limits.
    ///   - searchPath: the folders in which ffmpeg is looked for, as in `PATH`.
    /// - Throws: `.missingDependency` without ffmpeg, `.unsupported` for a video inside an archive and if no program may be
    ///   started, `.badInput` if there is no such frame or the file is not an MP4, `.timeout`, `.cancelled`,
    ///   `.limitExceeded`.
    /// - Complexity: O(frames before it): they are decoded, but not written.
    static func picture(
        number: Int, of name: String, in files: RecordedFiles,
        searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
    ) throws(FlatteningError) -> InputFile {
        guard files.contains(name), files.isFolder else {
            throw FlatteningError(
                .unsupported, "a video inside an archive is not read", file: files.path(name), stage: .video,
                advice: "Unpack the archive first")
        }
        guard files.limits.startsPrograms else {
            throw FlatteningError(
                .unsupported, "a video takes the ffmpeg program to be read, and none may be started here",
                file: files.path(name), stage: .video, allowed: "pictures in rgb/ (startsPrograms)",
                advice: "Take the pictures out before (mkdir rgb; ffmpeg -noautorotate -i rgb.mp4 -vsync 0 "
                    + "-start_number 0 rgb/%06d.jpg), or flatten this recording without \"batch\"")
        }
        let path = files.path(name)
        try checkContainer(of: path)
        let outcome: ChildProcess.Outcome
        do throws(FlatteningError) {
            outcome = try run(
                "ffmpeg", arguments(number: number, path: path, limits: files.limits),
                limit: files.limits.maximumFileBytes, reading: path, deadline: files.limits.deadline,
                searchPath: searchPath)
        } catch {
            throw error.naming(file: path)
        }
        guard outcome.ending == .exited(0) || outcome.ending == .unknown, !outcome.output.isEmpty else {
            throw FlatteningError(
                .badInput, "the video has no frame \(number) that ffmpeg can read", file: path,
                stage: .video, seen: helper("ffmpeg").words(for: outcome.ending),
                detail: HelperProgram.lastLine(of: outcome.messages))
        }
        return InputFile(name: path + " frame \(number)", bytes: outcome.output)
    }

    /// Phones store video in the sensor's orientation with a rotation mark; depth maps and intrinsics are not rotated, so the
    /// image must not be either. "file:" keeps ffmpeg from taking a name for one of its protocols. The filter selects by
    /// frame number, since the time stamps of phones' videos are not evenly spaced.
    private static func arguments(number: Int, path: String, limits: FlatteningLimits) -> [String] {
        let input =
            ["-protocol_whitelist", "file,pipe", "-f", "mov", "-noautorotate", "-threads", "1"]
            + ["-max_pixels", "\(limits.maximumColorPixels)", "-an", "-sn", "-dn", "-i", "file:" + path]
        let output =
            ["-an", "-sn", "-dn", "-vf", "select=eq(n\\,\(number))", "-frames:v", "1"]
            + ["-f", "image2pipe", "-c:v", "png", "-"]
        return ["-nostdin", "-hide_banner", "-loglevel", "error"] + input + output
    }

    // MARK: - The container

    /// The allowed types of the first box of an MP4 or QuickTime file.
    private static let firstBoxes = ["ftyp", "moov", "mdat", "wide", "free", "skip"]

    /// Refuses anything but MP4 and QuickTime files before any program opens it: a playlist could name other files.
    private static func checkContainer(of path: String) throws(FlatteningError) {
        // Opening a pipe for reading would wait for its writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the file cannot be opened", file: path, stage: .video)
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FlatteningError(
                .fileAccess, "this is a folder, device or pipe, not a file", file: path, stage: .video)
        }
        // Four bytes of length, then four of type.
        var start = [UInt8](repeating: 0, count: 8)
        var count = unsafe read(descriptor, &start, start.count)
        while count < 0, errno == EINTR { count = unsafe read(descriptor, &start, start.count) }
        guard count >= 0 else {
            throw FileSystemError.last("the file cannot be read", file: path, stage: .video)
        }
        guard count == start.count, firstBoxes.contains(where: { $0.utf8.elementsEqual(start[4...]) }) else {
            throw FlatteningError(
                .badInput, "the video is not an MP4 or QuickTime file, despite its name", file: path,
                stage: .video, seen: count == 0 ? "an empty file" : "another beginning",
                allowed: firstBoxes.joined(separator: ", ") + " as type of the first box")
        }
    }

    // MARK: - The program

    /// Runs a program of the search path and returns its standard output; see ``HelperProgram/run``.
    static func run(
        _ program: String, _ arguments: [String], limit: Int, reading file: String? = nil,
        deadline: ContinuousClock.Instant? = nil,
        searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
    ) throws(FlatteningError) -> ChildProcess.Outcome {
        try helper(program).run(
            arguments, limit: limit, reading: file, deadline: deadline, searchPath: searchPath)
    }

    private static func helper(_ program: String) -> HelperProgram {
        HelperProgram(
            name: program, product: "ffmpeg", purpose: "reads videos",
            installation: "apt-get install ffmpeg, or brew install ffmpeg", subject: "the video",
            portion: "the video's frame", wayOut: "Take the pictures out before, into rgb/", stage: .video,
            maximumAddressSpace: maximumAddressSpace, maximumProcessorSeconds: maximumProcessorSeconds)
    }
}
