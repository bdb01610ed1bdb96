import ArgumentParser
import SQLiteDatabase
import Documents
import Platform
import ReceiptFlattening
import RuntimeLibraries

/// `flatten doctor`: lists what works on this system, and what the rest lacks.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what can be done here, and how to install what is missing.",
        usage: "flatten doctor",
        discussion: """
            Each line is something that flatten does: "ok", or "--" with what is missing and the line that installs it. \
            Ends with \(ExitReason.missingLibrary.rawValue) where nothing can be flattened.
            """)

    func run() throws {
        let libraries = [Database.library, Database.cipherLibrary] + LibraryVersions.current.libraries
        let diagnosis = Diagnosis(
            libraries: libraries, isThere: { FileManager.default.fileExists(atPath: $0) },
            searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
        try TextOutput.write(diagnosis.page + "\n")
        if !diagnosis.canFlatten { throw ExitCode(ExitReason.missingLibrary.rawValue) }
    }
}

/// What the installed libraries and programs make possible.
struct Diagnosis {
    /// Something that flatten can do, its requirements, and how to install them.
    private struct Ability {
        var task: String
        /// Names of libraries, all of which are required.
        var libraries: [String] = []
        /// Names of programs, all of which are required.
        var programs: [String] = []
        /// Files, any one of which is enough.
        var files: [String] = []
        var installation: String
    }

    private static let abilities = [
        Ability(
            task: "flatten", libraries: ["LAPACK"], installation: "apt-get install liblapacke libopenblas0"),
        Ability(
            task: "read other than Latin letters", libraries: ["tesseract"],
            installation: "apt-get install libtesseract5 tesseract-ocr-eng"),
        Ability(
            task: "read Chinese and Japanese by the learned reader", libraries: ["ONNX Runtime"],
            installation: "make reader"),
        Ability(
            task: "PDF", programs: ["pdfinfo", "pdftoppm", "pdftotext", "pdfimages", "pdftocairo"],
            installation: "apt-get install poppler-utils"),
        Ability(task: "TIFF", libraries: ["libtiff"], installation: "apt-get install libtiff6"),
        Ability(task: "HEIC and AVIF", libraries: ["libheif"], installation: "apt-get install libheif1"),
        Ability(
            task: "WebP, GIF, BMP and JPEG 2000", libraries: ["Leptonica"],
            installation: "apt-get install libtesseract5"),
        Ability(
            task: "archives (.zip, .r3d)", libraries: ["libzip"],
            installation: "apt-get install libzip4 (libzip5 from Debian 13 on)"),
        Ability(task: "recordings with videos", programs: ["ffmpeg"], installation: "apt-get install ffmpeg"),
        Ability(
            task: "depth in OpenEXR", libraries: ["OpenEXR"],
            installation: "apt-get install libopenexr-3-1-30"),
        Ability(
            task: "cameras in YAML", libraries: ["libyaml"], installation: "apt-get install libyaml-0-2"),
        Ability(
            task: "bar codes, QR and Data Matrix", libraries: ["zbar", "libdmtx"],
            installation: "apt-get install libzbar0 libdmtx0b"
        ),
        Ability(
            task: "Aztec, PDF417 and Micro QR codes", libraries: ["ZXing-C++"],
            installation: "ZXing-C++ 2.3 or later, which Debian 12 has not"),
        Ability(task: "faces", files: FaceDetector.paths, installation: "apt-get install opencv-data"),
        Ability(
            task: "an archive of documents, contacts of business cards", libraries: ["SQLite"],
            installation: "apt-get install libsqlite3-0"),
        Ability(
            task: "encrypted archives", libraries: ["SQLCipher"],
            installation: "apt-get install libsqlcipher0 (libsqlcipher1 from Debian 13 on)"),
    ]

    /// A line for each ability.
    let page: String
    /// Whether a sheet can be flattened at all.
    let canFlatten: Bool

    /// - Parameters:
    ///   - libraries: the state of each library.
    ///   - isThere: whether a file exists.
    ///   - searchPath: the folders of programs, separated by colons.
    init(libraries: [LibraryVersion], isThere: (String) -> Bool, searchPath: String) {
        let usable = Set(
            libraries.filter { library in
                switch library.state {
                case .loaded, .unasked: true
                case .unavailable, .short: false
                }
            }.map(\.name))
        let folders = searchPath.split(separator: ":")
        func missing(for ability: Ability) -> [String] {
            ability.libraries.filter { !usable.contains($0) }
                + ability.programs.filter { program in !folders.contains { isThere("\($0)/\(program)") } }
                + (ability.files.isEmpty || ability.files.contains(where: isThere) ? [] : ["its data"])
        }
        page = Self.abilities.map { ability in
            let missing = missing(for: ability)
            guard !missing.isEmpty else { return "ok  " + ability.task }
            return "--  \(ability.task): \(missing.joined(separator: ", ")) missing; \(ability.installation)"
        }.joined(separator: "\n")
        canFlatten = Self.abilities.first.map { missing(for: $0).isEmpty } ?? false
    }
}
