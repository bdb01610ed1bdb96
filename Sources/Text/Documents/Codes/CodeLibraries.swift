import CDMTX
import CZBar
import CZXing
import Diagnostics
package import RuntimeLibraries
import ScalarText

/// The C libraries that read codes, found at run time.
package enum CodeLibraries {
    /// The libraries' versions; loads the libraries that are installed.
    package static var versions: [LibraryVersion] {
        [
            zbar.version(of: "zbar", version(of:)),
            dmtx.version(of: "libdmtx") { $0.dmtxVersion().map { String(cString: $0) } ?? "unknown" },
            zxing.version(of: "ZXing-C++", version(of:)),
        ]
    }

    private static let advice =
        "Install zbar and libdmtx: apt-get install libzbar0 libdmtx0b, or brew install zbar libdmtx"

    static let zbar = RuntimeLibrary<CZBarFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libzbar.so.0"], darwin: ["libzbar.0.dylib"]),
        functions: FunctionNames(czbar_function_names()),
        purpose: "zbar, which reads codes,", stage: .finding, allowed: "zbar 0.23", advice: advice
    ) { zbar in
        let version = version(of: zbar)
        return version.hasScalarPrefix("0.23.") ? nil : "is version \(version), not 0.23"
    }

    static let dmtx = RuntimeLibrary<CDMTXFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libdmtx.so.0"], darwin: ["libdmtx.0.dylib"]),
        functions: FunctionNames(cdmtx_function_names()),
        purpose: "libdmtx, which reads Data Matrix codes,", stage: .finding,
        allowed: "libdmtx 0.7.5 or newer",
        advice: advice
    ) { dmtx in
        // The structure layouts used here are those of 0.7.5; later 0.7 releases keep them.
        let version = dmtx.dmtxVersion().map { String(cString: $0) } ?? "unknown"
        let isKnown = ["0.7.5", "0.7.6", "0.7.7", "0.7.8"].contains(version)
        return isKnown ? nil : "is version \(version), not 0.7.5 to 0.7.8"
    }

    /// libZXing.so.2 (Debian 12) is not tried: it has no C functions and aborts the process on some images.
    static let zxing = RuntimeLibrary<CZXingFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(
            linux: ["libZXing.so.4", "libZXing.so.3"],
            darwin: ["libZXing.4.dylib", "libZXing.3.dylib"], keg: "zxing-cpp"),
        functions: FunctionNames(czxing_function_names()),
        purpose: "ZXing-C++, which reads codes,", stage: .finding, allowed: "ZXing-C++ 2.3 or newer",
        advice: advice
    ) { zxing in
        let version = version(of: zxing)
        let numbers = version.split(atScalar: ".").prefix(2).compactMap { Int($0) }
        return [2, 3].lexicographicallyPrecedes(numbers) || numbers == [2, 3]
            ? nil : "is version \(version), older than 2.3"
    }

    private static func version(of zbar: CZBarFunctions) -> String {
        var (major, minor, patch) = (UInt32(0), UInt32(0), UInt32(0))
        _ = zbar.zbar_version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }

    private static func version(of zxing: CZXingFunctions) -> String {
        zxing.ZXing_Version().map { String(cString: $0) } ?? "unknown"
    }
}
