// swift-tools-version: 6.1
import PackageDescription

// Fuzzers for whatever reads what strangers send. A package of its own, so that users never build it. `make fuzz` does,
// with the flags that libFuzzer needs.
let package = Package(
    name: "fuzzers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "receipt-flattening", path: "..")],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", .product(name: "ReceiptFlattening", package: "receipt-flattening"),
                .product(name: "_FuzzedModules", package: "receipt-flattening"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
