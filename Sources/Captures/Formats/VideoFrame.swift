import Diagnostics
import LocalFiles
internal import ChildProcesses
import Platform
import ImageFiles
import Imaging

/// Single pictures of a video, by the `ffmpeg` program: no library of this package decodes video.
///
/// The video may be a stranger's, and ffmpeg reads hundreds of formats. So it gets only what recordings need: an MP4 or
/// QuickTime file, no other protocol or format, limits of its own, no sockets and no processes, and on Linux 5.13 and later
/// no file but the video and the system's.
enum VideoFrame {
    /// Most bytes of ffmpeg's address space. ffmpeg 5.1 as Debian builds it reads a video of 1920 x 1440 pixels in 600 MiB,
    /// most of it libraries, and not in 400.
    private static let maximumAddressSpace: UInt64 = 2 << 30
    /// Most seconds of ffmpeg's processor time: it decodes the frames before too, 600 a second of a drawn H.264 video of
    /// 1920 x 1440 pixels. Twenty minutes at 60 a second, as many as a recording may have files, take 120 s, five times that
    /// where they are harder to decode.
    private static let maximumProcessorSeconds: UInt64 = 600

    /// A frame of a video, as a PNG in memory.
    /// - Parameters:
    ///   - number: counted from 0, in the order of showing. ffmpeg is ended at the deadline of the files' limits.
    ///   - searchPath: where ffmpeg is looked for, as `PATH`.
    /// - Throws: `.missingDependency` without ffmpeg, `.unsupported` for a video inside an archive and where no program may
    ///   be started, `.badInput` if there is no such frame or the file is not an MP4, `.timeout`, `.cancelled`, `.limitExceeded`.
    /// - Complexity: O(frames before it): they are decoded, not written.
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
                stage: .video, seen: words(for: outcome.ending), detail: lastLine(of: outcome.messages))
        }
        return InputFile(name: path + " frame \(number)", bytes: outcome.output)
    }

    /// Phones film as the sensor lies and mark the video to be turned; depth maps and intrinsics are not turned, so the
    /// picture must not be either. "file:" keeps ffmpeg from taking a name for one of its protocols. The filter picks by
    /// number, since the time stamps of phones' videos are not evenly spaced.
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

    /// The types that the first box of an MP4 or QuickTime file may have.
    private static let firstBoxes = ["ftyp", "moov", "mdat", "wide", "free", "skip"]

    /// Refuses anything but MP4 and QuickTime files before any program sees it: a playlist would name other files.
    private static func checkContainer(of path: String) throws(FlatteningError) {
        // Opening a pipe for reading would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw FileSystemError.last("the file cannot be opened", file: path, stage: .video)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FlatteningError(
                .fileAccess, "this is a folder, device or pipe, not a file", file: path, stage: .video)
        }
        // Four bytes of length, four of type.
        var start = [UInt8](repeating: 0, count: 8)
        var count = read(descriptor, &start, start.count)
        while count < 0, errno == EINTR { count = read(descriptor, &start, start.count) }
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

    /// Runs a program of the search path and takes what it writes to its standard output.
    /// - Parameters:
    ///   - limit: most bytes that it may write.
    ///   - file: the one file besides the system's that it may read.
    static func run(
        _ program: String, _ arguments: [String], limit: Int, reading file: String? = nil,
        deadline: ContinuousClock.Instant? = nil,
        searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
    ) throws(FlatteningError) -> ChildProcess.Outcome {
        #if os(macOS) || os(Linux)
            let path = try find(program, in: searchPath)
            var environment = ProcessEnvironment.scrubbed(ProcessInfo.processInfo.environment)
            environment["PATH"] = searchPath
            var child = ChildProcess(
                program: path, arguments: arguments, environment: environment, stage: .video)
            child.limits = ProcessLimits(
                addressSpace: maximumAddressSpace, processorSeconds: maximumProcessorSeconds, fileBytes: 0,
                openFiles: 256)
            child.files = FileAccess(
                system: systemPaths(for: path), readable: [file].compactMap(\.self), executes: true)
            child.isConfined = true
            child.output = .collected(limit: limit)
            let outcome: ChildProcess.Outcome
            do throws(FlatteningError) {
                outcome = try child.run(until: deadline)
            } catch {
                guard error.code == .limitExceeded else { throw error }
                throw FlatteningError(
                    .limitExceeded, "the video's frame is too large", stage: .video, seen: error.seen,
                    allowed: "\(limit) bytes (maximumFileBytes)")
            }
            switch outcome.ending {
            case .overdue:
                throw FlatteningError(
                    .timeout, "the time allowed was used up while \(program) read the video", stage: .video,
                    advice: "Allow more time, or take the pictures out before, into rgb/")
            case .cancelled:
                throw FlatteningError(
                    .cancelled, "cancelled while \(program) read the video", stage: .video)
            case .signalled(SIGXCPU):
                throw FlatteningError(
                    .limitExceeded, "\(program) takes too long for the video's frame", stage: .video,
                    seen: "more than \(maximumProcessorSeconds) s of processor time",
                    allowed: "\(maximumProcessorSeconds) s",
                    advice: "Take the pictures out before, into rgb/")
            default: return outcome
            }
        #else
            throw FlatteningError(
                .unsupported, "videos are not read on this system", stage: .video,
                advice: "Give the frames as pictures, in rgb/")
        #endif
    }

    private static func find(_ program: String, in searchPath: String?) throws(FlatteningError) -> String {
        let candidates = ProcessEnvironment.absoluteFolders(searchPath ?? "/usr/bin:/bin").map {
            $0 + "/" + program
        }
        guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw FlatteningError(
                .missingDependency, "ffmpeg, which reads videos, is not installed", stage: .video,
                allowed: "a program in an absolute folder of PATH",
                advice: "Install it: apt-get install ffmpeg, or brew install ffmpeg")
        }
        return path
    }

    /// What a program reads to start: itself, what shells and libraries it needs, and the libraries that lie beside it where
    /// it was not installed by the system.
    private static func systemPaths(for program: String) -> [String] {
        let real = URL(filePath: program).resolvingSymlinksInPath()
        let libraries = real.deletingLastPathComponent().deletingLastPathComponent().appending(path: "lib")
        let environment = ProcessInfo.processInfo.environment
        return [
            "/usr", "/bin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store",
            "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
            "/sys/devices/system/cpu", "/dev/urandom", libraries.path(percentEncoded: false), program,
            real.path(percentEncoded: false),
        ] + ProcessEnvironment.absoluteFolders(environment["LD_LIBRARY_PATH"])
    }

    // MARK: - Words

    private static func words(for ending: ChildProcess.Ending) -> String? {
        switch ending {
        case .exited(0): nil
        case .exited(let code): "ffmpeg's exit code \(code)"
        case .signalled(let signal): "ffmpeg ended by signal \(signal)"
        default: nil
        }
    }

    private static func lastLine(of messages: String) -> String? {
        messages.split(whereSeparator: \.isNewline).last.map { String($0.prefix(300)) }
    }
}
