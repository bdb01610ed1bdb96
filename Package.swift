// swift-tools-version: 6.3
import PackageDescription

/// Every module's storey, which is its folder in `Sources`, from the ground up: a module uses others of its own storey and of those
/// above it in this list, which is checked below.
let storeys: [(name: String, modules: [String])] = [
    // Headers and small layers over C libraries of others, which are linked or found at run time.
    (
        "Libraries",
        [
            "CTurboJPEG", "CLibPNG", "CISAL", "CLAPACKE", "CTIFF", "CHEIF", "CLeptonica", "CLibZip",
            "CSQLite", "CYAML",
            "CLibCrypto", "COnnxRuntime", "CTesseract", "CZBar", "CDMTX", "CZXing", "COpenEXR",
        ]
    ),
    // Words, numbers and weights, built in.
    ("Tables", ["CReceiptTables", "CContactTables", "CZoneTables", "CUnicodeTables", "CCaptureTables"]),
    // Loops of ours that have to be C.
    ("Kernels", ["CPNGCodec", "CResampling", "CProcessLimits"]),
    // What knows nothing of images.
    (
        "Foundations",
        [
            "Platform", "Diagnostics", "ScalarText", "LocalFiles", "RuntimeLibraries", "Parallelism",
            "ChildProcesses", "LinearAlgebra", "RobustStatistics", "Checksums", "SQLiteDatabase",
        ]
    ),
    // Images, depth and cameras.
    ("Images", ["Imaging", "ImageFiles", "DepthGeometry"]),
    // Images with depth from folders, recordings and archives.
    ("Captures", ["Archives", "Captures"]),
    // What is learned of sheets, rows and lines, and runs on our kernels.
    ("Networks", ["CSheetNetwork", "CLineNetwork", "CZoneNetwork", "SheetNetwork", "LineNetwork"]),
    // From an image to a flat sheet.
    ("Sheet", ["PrintDetection", "SheetFlattening", "SheetStitching", "SheetGuidance"]),
    // From a flat sheet to what it says.
    ("Text", ["TextRecognition", "Documents", "TextFormats"]),
    // What other packages link, `SheetFlattening` and `SheetGuidance` besides.
    (
        "Products",
        [
            "ReceiptFlattening", "ReceiptOutputs", "ReceiptCapture", "ContactStore", "DocumentArchive",
            "SyntheticCaptures",
        ]
    ),
    // The program.
    ("Command", ["BatchProcessing", "flatten"]),
]

let package = Package(
    name: "receipt-flattening",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ReceiptFlattening", targets: ["ReceiptFlattening"]),
        .library(name: "ReceiptOutputs", targets: ["ReceiptOutputs"]),
        .library(name: "SheetFlattening", targets: ["SheetFlattening"]),
        .library(name: "SheetGuidance", targets: ["SheetGuidance"]),
        .library(name: "ReceiptCapture", targets: ["ReceiptCapture"]),
        .library(name: "ContactStore", targets: ["ContactStore"]),
        .library(name: "DocumentArchive", targets: ["DocumentArchive"]),
        .library(name: "SyntheticCaptures", targets: ["SyntheticCaptures"]),
        .executable(name: "flatten", targets: ["flatten"]),
        // No public interface: modules that Fuzzers has no other way to.
        .library(name: "_FuzzedModules", targets: ["BatchProcessing", "ContactStore", "ReceiptOutputs"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        // C at the bottom: nothing of these headers is seen outside the one target that imports each.
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]),
        // Header only: the library is loaded with the first plane, since OpenBLAS takes long to load.
        .systemLibrary(
            name: "CLAPACKE",
            providers: [.apt(["liblapacke-dev", "libopenblas-dev"]), .brew(["lapack", "openblas"])]),
        .systemLibrary(
            name: "CLibPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CISAL", pkgConfig: "libisal",
            providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]),
        // tesseract's header only: the library is loaded when text is asked for, so that the rest runs without it. Its
        // exceptions end in a file of C++, before they reach Swift.
        .target(name: "CTesseract"),
        // A few functions over ONNX Runtime, which is loaded when a page is read with it; its table is declared by ourselves.
        .target(name: "COnnxRuntime"),
        // Headers only, without pkg-config, which would link what is loaded when a file of a rarer format is read.
        .systemLibrary(name: "CHEIF", providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
        .systemLibrary(
            name: "CLeptonica", providers: [.apt(["libleptonica-dev"]), .brew(["leptonica"])]),
        .systemLibrary(name: "CTIFF", providers: [.apt(["libtiff-dev"]), .brew(["libtiff"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CLibZip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        // Headers only: libcrypto is loaded by a batch, which tells files apart by SHA-256. CryptoKit does so on Apple's systems.
        .systemLibrary(name: "CLibCrypto", providers: [.apt(["libssl-dev"])]),
        // zbar's, libdmtx's and ZXing-C++'s functions, declared by ourselves: they are loaded when codes are looked for.
        .systemLibrary(name: "CZBar"),
        .systemLibrary(name: "CDMTX"),
        .systemLibrary(name: "CZXing"),
        .target(name: "CPNGCodec", dependencies: ["CLibPNG", "CISAL"]),
        // Header only: OpenEXR is loaded when such a file is read; its decoding loop is C, as its structures are.
        .target(name: "COpenEXR"),
        // The inner loop of the warp, in C because only there a function can be built for one processor feature.
        .target(name: "CResampling"),
        // Kernels of the network that finds sheets, and its weights.
        .target(name: "CSheetNetwork", exclude: ["sheet.weights"]),
        // Kernels of the network that reads lines, and its weights.
        .target(name: "CLineNetwork", exclude: ["line.weights", "rows.weights"]),
        // The kernel of the network that reads machine-readable zones.
        .target(name: "CZoneNetwork"),
        // What receipts say in each language, and the weights of the model that classifies their rows.
        .target(
            name: "CReceiptTables",
            exclude: ["words", "rows.weights", "confidence.table", "kinds.weights", "brands.table"]),
        // What telephone numbers look like in each country, and what business cards say.
        .target(name: "CContactTables", exclude: ["words", "numbers.table"]),
        .target(name: "CCaptureTables", exclude: ["words"]),
        // The weights of the network that reads machine-readable zones.
        .target(name: "CZoneTables", exclude: ["cells.weights", "states.table"]),
        // What languages and regions are called, and the plain forms of letters.
        .target(
            name: "CUnicodeTables",
            exclude: [
                "languages.table", "regions.table", "accents.table", "forms.table", "compatibility.table",
            ]),

        // What the sources take from the system, without ICU.
        .target(name: "Platform"),
        // What a library throws, and nothing else.
        .target(name: "Diagnostics"),
        // Text by its scalars, for formats, names and paths.
        .target(name: "ScalarText"),
        // Files within limits, replaced whole; no pixel.
        .target(
            name: "LocalFiles", dependencies: ["ScalarText", "Diagnostics"]),
        // C libraries that are found at run time.
        .target(name: "RuntimeLibraries", dependencies: ["Diagnostics"]),
        // SHA-256 by the system's library.
        .target(
            name: "Checksums",
            dependencies: [
                "Platform", "LocalFiles", "Diagnostics", "RuntimeLibraries",
                .target(name: "CLibCrypto", condition: .when(platforms: [.linux])),
            ]),
        // SQLite, found at run time.
        .target(
            name: "SQLiteDatabase",
            dependencies: ["CSQLite", "RuntimeLibraries", "Diagnostics", "ScalarText"]),
        // Work on all cores, and away from an actor.
        .target(name: "Parallelism", dependencies: ["Platform"]),

        // Numbers.
        .target(
            name: "LinearAlgebra", dependencies: ["Platform", "CLAPACKE", "RuntimeLibraries"]),
        .target(name: "RobustStatistics"),

        // Images and maps, and their files.
        .target(
            name: "Imaging",
            dependencies: ["Platform", "CResampling", "Diagnostics", "Parallelism", "RobustStatistics"]),
        .target(
            name: "ImageFiles",
            dependencies: [
                "Imaging", "LocalFiles", "Diagnostics", "CPNGCodec", "COpenEXR", "CTIFF", "CTurboJPEG",
                "CHEIF", "CLeptonica", "RuntimeLibraries", "ScalarText",
            ]),

        // Geometry: no files.
        .target(
            name: "DepthGeometry",
            dependencies: [
                "Platform", "Imaging", "Diagnostics", "Parallelism", "LinearAlgebra", "RobustStatistics",
            ]),
        .target(
            name: "PrintDetection",
            dependencies: [
                "Platform", "LineNetwork", "Imaging", "Diagnostics", "Parallelism", "RobustStatistics",
                "RuntimeLibraries",
            ]),
        // Where sheets are in a picture: inference of the network that Training/ trains.
        .target(
            name: "SheetNetwork", dependencies: ["CSheetNetwork", "Imaging", "Parallelism", "Diagnostics"]),
        .target(
            name: "SheetFlattening",
            dependencies: [
                "Platform", "DepthGeometry", "PrintDetection", "SheetNetwork", "Imaging", "Diagnostics",
                "Parallelism",
                "LinearAlgebra",
                "RobustStatistics", "RuntimeLibraries",
            ]),

        // Parts of one sheet, made flat each, joined by their print: no files.
        .target(
            name: "SheetStitching",
            dependencies: [
                "Platform", "Imaging", "Diagnostics", "Parallelism", "LinearAlgebra", "RobustStatistics",
            ]),

        // Archives and what cameras leave behind.
        .target(
            name: "Archives",
            dependencies: [
                "Platform", "LocalFiles", "Diagnostics", "CLibZip", "RuntimeLibraries", "ScalarText",
            ]),
        .target(name: "CProcessLimits"),
        .target(
            name: "ChildProcesses",
            dependencies: ["Platform", "LocalFiles", "Diagnostics", "CProcessLimits"]),
        .target(
            name: "Captures",
            dependencies: [
                "CYAML", "RuntimeLibraries", "Platform", "DepthGeometry", "ImageFiles", "Imaging", "Archives",
                "ChildProcesses",
                "LocalFiles", "ScalarText",
                "Diagnostics", "Parallelism", "RobustStatistics",
            ]),

        // What stands in a line of print: inference of the network that Training/Reader exports.
        .target(
            name: "LineNetwork", dependencies: ["CLineNetwork", "Imaging", "Diagnostics"]),

        // Text, and what it means.
        .target(
            name: "TextRecognition",
            dependencies: [
                "CUnicodeTables", "Platform", "PrintDetection", "LineNetwork", "Imaging", "LocalFiles",
                "Diagnostics", "Parallelism",
                "RobustStatistics",
                "CTesseract", "COnnxRuntime", "RuntimeLibraries",
            ]),
        .target(
            name: "Documents",
            dependencies: [
                "CUnicodeTables", "Platform", "TextRecognition", "CReceiptTables", "CContactTables",
                "CZoneNetwork", "CZoneTables", "CZBar",
                "CDMTX",
                "CZXing", "ScalarText",
                "RuntimeLibraries", "Imaging", "LocalFiles", "Parallelism", "RobustStatistics", "Diagnostics",
            ]),
        .target(
            name: "TextFormats",
            dependencies: ["Platform", "ScalarText", "TextRecognition", "Imaging", "Diagnostics"]),

        // What users import: the pipeline as a whole, and two parts that stand alone.
        .target(
            name: "ReceiptFlattening",
            dependencies: [
                "Platform", "ScalarText", "SheetFlattening", "SheetStitching", "TextRecognition", "Documents",
                "TextFormats",
                "Captures",
                "Archives", "ImageFiles", "DepthGeometry", "LinearAlgebra", "Imaging", "LocalFiles",
                "Diagnostics",
                "Parallelism", "RobustStatistics", "RuntimeLibraries",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // What a receipt is written as besides image, text and report: pages, drawings over photographs, meshes, tables, PDF of many.
        .target(
            name: "ReceiptOutputs",
            dependencies: [
                "Platform", "ScalarText", "ReceiptFlattening", "Documents", "TextFormats", "TextRecognition",
                "SheetFlattening",
                "ImageFiles",
                "DepthGeometry", "Imaging", "Diagnostics",
            ]),
        .target(
            name: "SheetGuidance",
            dependencies: ["SheetFlattening", "DepthGeometry", "Imaging", "Parallelism", "RobustStatistics"]),
        .target(
            name: "ReceiptCapture",
            dependencies: [
                "ReceiptFlattening", "SheetGuidance", "Documents", "Captures", "SheetFlattening",
                "DepthGeometry", "ImageFiles", "Imaging", "LocalFiles", "Diagnostics", "Parallelism",
                "RobustStatistics", "CCaptureTables", "TextRecognition",
            ]),

        // Contacts from business cards, kept in one file: SQLite with full-text search.
        .target(
            name: "ContactStore",
            dependencies: [
                "SQLiteDatabase", "TextRecognition", "Platform", "Documents", "LocalFiles", "ScalarText",
                "Diagnostics",
            ]),

        // Receipts, cards and documents with their images, in one folder.
        .target(
            name: "DocumentArchive",
            dependencies: [
                "SQLiteDatabase", "Checksums", "ContactStore", "ReceiptFlattening", "ReceiptOutputs",
                "Documents", "TextFormats", "TextRecognition", "ImageFiles", "Imaging", "LocalFiles",
                "ScalarText",
                "Platform", "Diagnostics",
            ]),

        // Many captures, each in a process of its own.
        .target(
            name: "BatchProcessing",
            dependencies: [
                "Platform", "LocalFiles", "Diagnostics", "Parallelism", "ChildProcesses", "CProcessLimits",
                "Checksums", "RuntimeLibraries", "ScalarText",
            ]),

        // The command.
        .executableTarget(
            name: "flatten",
            dependencies: [
                "Parallelism", "ChildProcesses",
                "Platform", "ScalarText", "ReceiptFlattening", "ReceiptOutputs", "BatchProcessing",
                "ContactStore", "DocumentArchive", "Checksums", "SQLiteDatabase",
                "SheetFlattening",
                "TextFormats",
                "TextRecognition",
                "Documents",
                "Captures",
                "ImageFiles", "DepthGeometry", "Imaging", "LocalFiles", "Diagnostics",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // Paper of known shape, drawn by ourselves: for samples, tests and benchmarks.
        .target(
            name: "SyntheticCaptures",
            dependencies: [
                "Captures", "DepthGeometry", "ImageFiles", "Imaging", "LocalFiles", "Diagnostics",
                "Parallelism",
                "RobustStatistics",
            ],
            resources: [.process("Resources")]),
        // What the package sees of pages' texts: for the training of its models, and for trials.
        .executableTarget(
            name: "page-texts",
            dependencies: [
                "Documents", "TextRecognition", "TextFormats", "ImageFiles", "Imaging", "LocalFiles",
            ],
            path: "Training/PageTexts"),
        // What tests share: folders, numbers drawn from a seed, files put together byte by byte.
        .target(
            name: "TestSupport", dependencies: ["Diagnostics", "RobustStatistics"], path: "Tests/TestSupport"),
        // Pages drawn in type of known places, and texts as if they had been read.
        .target(
            name: "TextTestSupport", dependencies: ["TextRecognition", "SyntheticCaptures", "Imaging"],
            path: "Tests/TextTestSupport"),
        // A receipt that several targets' tests flatten, drawn once.
        .target(
            name: "DrawnReceipts", dependencies: ["SyntheticCaptures", "DepthGeometry", "Imaging"],
            path: "Tests/DrawnReceipts"),
        .testTarget(name: "PlatformTests", dependencies: ["Platform"]),
        .testTarget(name: "ScalarTextTests", dependencies: ["ScalarText"]),
        .testTarget(
            name: "DiagnosticsTests", dependencies: ["Diagnostics"]),
        .testTarget(
            name: "LocalFilesTests", dependencies: ["LocalFiles", "Diagnostics", "TestSupport"]),
        .testTarget(
            name: "RuntimeLibrariesTests", dependencies: ["RuntimeLibraries", "TestSupport"]),
        .testTarget(
            name: "ParallelismTests", dependencies: ["Parallelism"]),
        .testTarget(
            name: "ImagingTests",
            dependencies: [
                "Imaging", "Diagnostics", "Parallelism", "RobustStatistics",
            ]),
        .testTarget(
            name: "ImageFilesTests",
            dependencies: [
                "ImageFiles", "Imaging", "CHEIF", "CTIFF", "LocalFiles", "Diagnostics", "RobustStatistics",
                "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "ArchivesTests",
            dependencies: [
                "Archives", "LocalFiles", "Diagnostics", "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "LinearAlgebraTests", dependencies: ["LinearAlgebra", "RobustStatistics"]),
        .testTarget(
            name: "RobustStatisticsTests", dependencies: ["RobustStatistics"]),
        .testTarget(
            name: "DepthGeometryTests",
            dependencies: [
                "DepthGeometry", "Imaging", "Diagnostics", "RobustStatistics", "TestSupport",
            ]),
        .testTarget(
            name: "SheetNetworkTests",
            dependencies: [
                "SheetNetwork", "CSheetNetwork", "Imaging", "Diagnostics", "RobustStatistics", "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "SheetFlatteningTests",
            dependencies: [
                "SheetFlattening", "SheetNetwork", "SyntheticCaptures", "DepthGeometry", "Imaging",
                "Diagnostics",
                "RobustStatistics", "TextTestSupport",
            ]),
        .testTarget(
            name: "SheetStitchingTests",
            dependencies: ["SheetStitching", "Imaging", "Diagnostics", "RobustStatistics"]),
        .testTarget(
            name: "PrintDetectionTests", dependencies: ["PrintDetection", "TextTestSupport", "Imaging"]),
        .testTarget(
            name: "LineNetworkTests",
            dependencies: [
                "LineNetwork", "CLineNetwork", "Imaging", "Diagnostics", "RobustStatistics", "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "TextRecognitionTests",
            dependencies: [
                "TextRecognition", "TextTestSupport", "PrintDetection", "CTesseract", "Imaging",
                "Diagnostics", "Parallelism", "TestSupport",
            ]),
        .testTarget(
            name: "DocumentsTests",
            dependencies: [
                "Documents", "CReceiptTables", "CZoneTables", "TextRecognition", "TextTestSupport", "Imaging",
                "Diagnostics", "RobustStatistics", "TestSupport",
            ]),
        .testTarget(
            name: "ContactStoreTests",
            dependencies: [
                "ContactStore", "SQLiteDatabase", "Documents", "Imaging", "Diagnostics", "RobustStatistics",
                "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "DocumentArchiveTests",
            dependencies: [
                "DocumentArchive", "SQLiteDatabase", "ReceiptFlattening", "RobustStatistics", "DrawnReceipts",
                "Documents", "Diagnostics", "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "TextFormatsTests",
            dependencies: [
                "TextFormats", "TextRecognition", "TextTestSupport", "Imaging", "Diagnostics", "TestSupport",
            ]),
        .testTarget(
            name: "CapturesTests",
            dependencies: [
                "Captures", "ImageFiles", "DepthGeometry", "ChildProcesses", "Imaging", "LocalFiles",
                "Diagnostics", "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "SyntheticCapturesTests",
            dependencies: [
                "SyntheticCaptures", "DepthGeometry", "ImageFiles", "Imaging", "LocalFiles",
                "RobustStatistics", "TestSupport",
            ]),
        .testTarget(
            name: "ReceiptFlatteningTests",
            dependencies: [
                "ReceiptFlattening", "SyntheticCaptures", "RuntimeLibraries", "SheetFlattening",
                "TextRecognition", "Captures", "ImageFiles", "DepthGeometry", "Imaging", "LocalFiles",
                "Diagnostics", "LinearAlgebra", "DrawnReceipts", "TextTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "ReceiptOutputsTests",
            dependencies: [
                "ReceiptOutputs", "ReceiptFlattening", "TextRecognition", "TextFormats", "Captures",
                "Documents", "SyntheticCaptures", "SheetFlattening", "BatchProcessing",
                "DrawnReceipts", "DepthGeometry", "Imaging", "Diagnostics", "Checksums", "TestSupport",
            ]),
        .testTarget(
            name: "SheetGuidanceTests",
            dependencies: [
                "SheetGuidance", "SyntheticCaptures", "SheetFlattening", "Captures", "DepthGeometry",
                "Imaging", "Diagnostics",
            ]),
        .testTarget(
            name: "ReceiptCaptureTests",
            dependencies: [
                "ReceiptCapture", "DrawnReceipts", "ReceiptFlattening", "SheetGuidance", "Documents",
                "SyntheticCaptures",
                "Captures", "ImageFiles", "DepthGeometry", "Imaging", "LocalFiles", "Diagnostics",
                "TestSupport", "TextTestSupport",
            ]),
        // What a worker that is taken over would try, for a test to see it refused.
        .executableTarget(
            name: "try-escapes", dependencies: ["BatchProcessing"], path: "Tests/EscapeAttempts"),
        .testTarget(
            name: "ChecksumsTests",
            dependencies: ["Checksums", "RuntimeLibraries", "Diagnostics", "TestSupport"]),
        .testTarget(
            name: "ChildProcessesTests",
            dependencies: ["ChildProcesses", "CProcessLimits", "Diagnostics", "TestSupport"]),
        .testTarget(
            name: "BatchProcessingTests",
            dependencies: [
                "BatchProcessing", "try-escapes", "ChildProcesses", "Checksums", "RuntimeLibraries",
                "Diagnostics", "TestSupport",
            ]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "flatten", "ReceiptFlattening", "BatchProcessing", "ContactStore", "DocumentArchive",
                "Documents",
                "SyntheticCaptures", "DrawnReceipts",
                "DepthGeometry", "TextFormats", "LocalFiles",
                "Imaging", "Diagnostics", "TextTestSupport", "TestSupport",
            ], exclude: ["Fixtures"]),
    ]
)

/// The height of each module's storey.
let heights = Dictionary(
    uniqueKeysWithValues: storeys.enumerated().flatMap { height, storey in storey.modules.map { ($0, height) }
    })

/// Modules whose loops run over pixels, readings and weights by pointers: all others say `unsafe` where they touch memory by
/// themselves, which in these would stand on every other line.
let handlingPixels: Set = [
    "Imaging", "ImageFiles", "DepthGeometry", "SheetNetwork", "LineNetwork", "PrintDetection",
    "SheetFlattening", "TextRecognition", "Documents", "SyntheticCaptures",
]

for target in package.targets {
    if target.type != .system {
        target.swiftSettings = [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("ExistentialAny"),
        ]
    }
    guard let height = heights[target.name] else { continue }
    if target.type != .system, !handlingPixels.contains(target.name) {
        target.swiftSettings?.append(.strictMemorySafety())
    }
    target.path = "Sources/\(storeys[height].name)/\(target.name)"
    for case .byNameItem(let name, _) in target.dependencies where heights[name, default: 0] > height {
        fatalError("\(target.name) uses \(name), of a storey above its own")
    }
}
