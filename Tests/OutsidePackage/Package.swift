// swift-tools-version: 6.1
import PackageDescription

let library = Target.Dependency.product(name: "ReceiptFlattening", package: "receipt-flattening")

// A package that knows Receipt Flattening only as its users do: by its library products. Its programs are the snippets.
let package = Package(
    name: "outside-package",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "receipt-flattening", path: "../..")],
    targets: [
        .executableTarget(name: "outside", dependencies: [library]),
        .executableTarget(name: "memory", dependencies: [library]),
        .executableTarget(name: "codes", dependencies: [library]),
        .executableTarget(name: "engine", dependencies: [library]),
        .executableTarget(name: "items", dependencies: [library]),
        .executableTarget(name: "passport", dependencies: [library]),
        .executableTarget(
            name: "outputs",
            dependencies: [library, .product(name: "ReceiptOutputs", package: "receipt-flattening")]),
        .executableTarget(
            name: "geometry",
            dependencies: [.product(name: "SheetFlattening", package: "receipt-flattening")]),
        .executableTarget(
            name: "contacts",
            dependencies: [
                library, .product(name: "ContactStore", package: "receipt-flattening"),
                .product(name: "DocumentArchive", package: "receipt-flattening"),
            ]),
        .executableTarget(
            name: "followed",
            dependencies: [library, .product(name: "ReceiptCapture", package: "receipt-flattening")]),
        .executableTarget(
            name: "guided",
            dependencies: [
                library, .product(name: "SheetGuidance", package: "receipt-flattening"),
                .product(name: "ReceiptCapture", package: "receipt-flattening"),
            ]),
    ]
)
