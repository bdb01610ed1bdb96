// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// What a program needs that draws captures.
let drawingTool: [Target.Dependency] = [
    "ToolWords",
    .product(name: "ReceiptFlattening", package: "receipt-flattening"),
    .product(name: "SyntheticCaptures", package: "receipt-flattening"),
    .product(name: "ArgumentParser", package: "swift-argument-parser"),
]

// A package of its own, so that whoever depends on the library does not resolve the benchmark's tools.
let package = Package(
    name: "receipt-flattening-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "receipt-flattening", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.29.0", traits: []),
    ],
    targets: [
        // The words that a tool was started with.
        .target(name: "ToolWords", swiftSettings: swiftSettings),
        // What is measured: one file a stage.
        .target(
            name: "Stages",
            dependencies: [
                .product(name: "ReceiptFlattening", package: "receipt-flattening"),
                .product(name: "SheetGuidance", package: "receipt-flattening"),
                .product(name: "SyntheticCaptures", package: "receipt-flattening"),
            ],
            swiftSettings: swiftSettings),
        // Beside the peers, interleaved: the table of RESULTS.md.
        .executableTarget(
            name: "bench",
            dependencies: [
                "Stages", "ToolWords", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings),
        // How right the results are: ACCURACY.md.
        .executableTarget(
            name: "accuracy",
            dependencies: [
                "Stages", "ToolWords", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ReceiptFlattening", package: "receipt-flattening"),
                .product(name: "SyntheticCaptures", package: "receipt-flattening"),
            ],
            swiftSettings: swiftSettings),
        // SampleData, and any number of other captures.
        .executableTarget(
            name: "draw-samples", dependencies: drawingTool, swiftSettings: swiftSettings),
        // What fusing frames takes away of a depth camera's error.
        .executableTarget(
            name: "measure-fusion", dependencies: drawingTool, swiftSettings: swiftSettings),
        // How long an archive of many documents lets one wait.
        .executableTarget(
            name: "measure-archive",
            dependencies: [
                "ToolWords",
                .product(name: "DocumentArchive", package: "receipt-flattening"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: swiftSettings),
        // By themselves, with percentiles and thresholds.
        .executableTarget(
            name: "StageBenchmarks",
            dependencies: ["Stages", .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/StageBenchmarks", swiftSettings: swiftSettings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ]
)
