// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "receipt-flattening",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ReceiptFlattening", targets: ["ReceiptFlattening"]),
        .library(name: "SyntheticCaptures", targets: ["SyntheticCaptures"]),
        .executable(name: "flatten", targets: ["flatten"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
    ],
    targets: [
        // C at the bottom: nothing of these headers is seen outside the one target that imports each.
        .systemLibrary(
            name: "CTIFF", pkgConfig: "libtiff-4",
            providers: [.apt(["libtiff-dev"]), .brew(["libtiff"])]),
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
        // Declarations only: the library is loaded when a HEIC picture is read, and not needed to build.
        .systemLibrary(name: "CHEIF", providers: [.apt(["libheif1"]), .brew(["libheif"])]),
        // Header only, of its own: the library is loaded when an archive is opened.
        .systemLibrary(
            name: "CLibZip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        .target(name: "CPNGCodec", dependencies: ["CLibPNG", "CISAL"]),
        // OpenEXR is loaded when such a file is read; its decoding loop is C, as its structures are.
        .target(name: "COpenEXR"),
        // The inner loop of the warp, in C because only there a function can be built for one processor feature.
        .target(name: "CResampling"),

        // C libraries that are found at run time.
        .target(name: "RuntimeLibraries", dependencies: ["Imaging"], swiftSettings: swiftSettings),

        // Pictures, maps and files.
        .target(name: "Imaging", dependencies: ["CResampling"], swiftSettings: swiftSettings),
        .target(
            name: "ImageFiles",
            dependencies: [
                "Imaging", "CPNGCodec", "COpenEXR", "CTIFF", "CTurboJPEG", "CHEIF", "RuntimeLibraries",
            ],
            swiftSettings: swiftSettings),

        .target(
            name: "Archives", dependencies: ["Imaging", "ImageFiles", "CLibZip", "RuntimeLibraries"],
            swiftSettings: swiftSettings),

        // Geometry: no files.
        .target(
            name: "LinearAlgebra", dependencies: ["CLAPACKE", "RuntimeLibraries"],
            swiftSettings: swiftSettings),
        .target(
            name: "DepthGeometry", dependencies: ["Imaging", "LinearAlgebra"], swiftSettings: swiftSettings),
        .target(
            name: "SheetFlattening", dependencies: ["Imaging", "LinearAlgebra", "DepthGeometry"],
            swiftSettings: swiftSettings),

        // Other programs, within limits and confinement.
        .target(name: "CProcessLimits"),
        .target(
            name: "ChildProcesses", dependencies: ["Imaging", "ImageFiles", "CProcessLimits"],
            swiftSettings: swiftSettings),

        // Text and captures.
        .target(
            name: "TextRecognition", dependencies: ["Imaging", "CTesseract", "RuntimeLibraries"],
            swiftSettings: swiftSettings),
        .target(
            name: "Captures",
            dependencies: [
                "Imaging", "ImageFiles", "Archives", "DepthGeometry", "ChildProcesses",
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),

        // Many captures, each in a process of its own.
        .target(
            name: "BatchProcessing",
            dependencies: ["Imaging", "ImageFiles", "ChildProcesses", "CProcessLimits"],
            swiftSettings: swiftSettings),

        // What users import, and the command.
        .target(
            name: "ReceiptFlattening",
            dependencies: [
                "Imaging", "ImageFiles", "LinearAlgebra", "DepthGeometry", "SheetFlattening",
                "TextRecognition",
                "Captures", "Archives", "RuntimeLibraries",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "flatten",
            dependencies: [
                "ReceiptFlattening", "BatchProcessing",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),

        // Paper of known shape, drawn by ourselves: for samples, tests and benchmarks.
        .target(
            name: "SyntheticCaptures", dependencies: ["Imaging", "ImageFiles", "DepthGeometry", "Captures"],
            resources: [.process("Resources")], swiftSettings: swiftSettings),
        .executableTarget(
            name: "draw-samples",
            dependencies: [
                "SyntheticCaptures",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),

        .executableTarget(
            name: "measure-fusion",
            dependencies: [
                "SyntheticCaptures", "Captures", "DepthGeometry", "Imaging",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),

        .testTarget(
            name: "RuntimeLibrariesTests", dependencies: ["RuntimeLibraries", "Imaging"],
            swiftSettings: swiftSettings),
        .testTarget(name: "ImagingTests", dependencies: ["Imaging"], swiftSettings: swiftSettings),
        .testTarget(
            name: "ImageFilesTests", dependencies: ["ImageFiles", "Imaging", "CHEIF"],
            resources: [.copy("Fixtures")],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ArchivesTests", dependencies: ["Archives", "ImageFiles", "Imaging"],
            resources: [.copy("Fixtures")], swiftSettings: swiftSettings),
        .testTarget(
            name: "LinearAlgebraTests", dependencies: ["LinearAlgebra"], swiftSettings: swiftSettings),
        .testTarget(
            name: "DepthGeometryTests", dependencies: ["DepthGeometry", "Imaging", "LinearAlgebra"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SheetFlatteningTests",
            dependencies: ["SheetFlattening", "SyntheticCaptures", "DepthGeometry", "Imaging"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TextRecognitionTests",
            dependencies: ["TextRecognition", "SyntheticCaptures", "Imaging", "CTesseract"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CapturesTests",
            dependencies: ["Captures", "ImageFiles", "DepthGeometry", "ChildProcesses", "Imaging"],
            resources: [.copy("Fixtures")], swiftSettings: swiftSettings),
        .testTarget(
            name: "SyntheticCapturesTests",
            dependencies: ["SyntheticCaptures", "DepthGeometry", "ImageFiles", "Imaging"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ReceiptFlatteningTests",
            dependencies: ["ReceiptFlattening", "SyntheticCaptures", "RuntimeLibraries"],
            swiftSettings: swiftSettings),
        // What a worker that is taken over would try, for a test to see it refused.
        .executableTarget(
            name: "try-escapes", dependencies: ["BatchProcessing"], path: "Tests/EscapeAttempts",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ChildProcessesTests", dependencies: ["ChildProcesses", "CProcessLimits", "Imaging"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "BatchProcessingTests",
            dependencies: ["BatchProcessing", "try-escapes", "ChildProcesses", "Imaging"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CommandTests", dependencies: ["flatten"], exclude: ["Fixtures"],
            swiftSettings: swiftSettings),
    ]
)
