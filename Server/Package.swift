// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that who links the library gets none of these dependencies.
let package = Package(
    name: "flatten-server",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "flatten-server", targets: ["flatten-server"])],
    dependencies: [
        .package(name: "receipt-flattening", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // Of the tests alone; Hummingbird's own take it too.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    ],
    targets: [
        // Routes, jobs, access and the web app.
        .target(
            name: "FlattenServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ReceiptFlattening", package: "receipt-flattening"),
                .product(name: "SheetGuidance", package: "receipt-flattening"),
                .product(name: "ReceiptCapture", package: "receipt-flattening"),
                .product(name: "DocumentArchive", package: "receipt-flattening"),
            ],
            resources: [.embedInCode("WebApp")]),
        .executableTarget(
            name: "flatten-server",
            dependencies: [
                "FlattenServer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "DocumentArchive", package: "receipt-flattening"),
                .product(name: "ReceiptCapture", package: "receipt-flattening"),
            ]),
        .testTarget(
            name: "FlattenServerTests",
            dependencies: [
                "FlattenServer", "flatten-server",
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
