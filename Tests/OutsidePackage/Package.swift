// swift-tools-version: 6.1
import PackageDescription

// A package that knows Receipt Flattening only as its users do: by its library product.
let package = Package(
    name: "outside-package",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "receipt-flattening", path: "../..")],
    targets: [
        .executableTarget(
            name: "outside",
            dependencies: [.product(name: "ReceiptFlattening", package: "receipt-flattening")]),
        .executableTarget(
            name: "guided",
            dependencies: [.product(name: "ReceiptFlattening", package: "receipt-flattening")]),
    ]
)
