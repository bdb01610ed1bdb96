import Captures
import DepthGeometry
import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

/// Dynamic Depth, put together here as its description says: a JPEG, its XMP, and pictures appended behind it.
@Suite struct DynamicDepthTests {
    /// What a file is made of, as a camera might have written it.
    private struct Photograph {
        var namespaces = dynamic
        var semantics = true
        var primaryPadding = 0
        var range =
            #"DepthMap:Format="RangeInverse" DepthMap:Near="0.25" DepthMap:Far="2" DepthMap:Units="Meters""#
        var uri: String? = "android/depthmap"
        var model = ""
        var depth = "gray8.png"
        var behind: [UInt8] = []
        var lengthError = 0
        /// Properties as elements instead of attributes.
        var usesElements = false

        static let dynamic = (
            "http://ns.google.com/photos/dd/1.0/container/", "http://ns.google.com/photos/dd/1.0/item/"
        )
        static let shared = (
            "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/1.0/container/item/"
        )

        func bytes() throws -> [UInt8] {
            let picture = try Fixture.imageFile("half-color.jpg")
            let gain = try Fixture.imageFile("gray.jpg")
            let map = try Fixture.imageFile(depth)
            func item(_ properties: [(String, String)]) -> String {
                let inner =
                    usesElements
                    ? "<Container:Item r:parseType='Resource'>"
                        + properties.map { "<Item:\($0.0)>\($0.1)</Item:\($0.0)>" }.joined()
                        + "</Container:Item>"
                    : "<Container:Item "
                        + properties.map { "Item:\($0.0)=\"\($0.1)\"" }.joined(separator: " ") + "/>"
                return "<r:li r:parseType='Resource'>\(inner)</r:li>"
            }
            // The first item states neither length nor, unless there is some, padding; each item orders its own.
            var primary = [("Mime", "image/jpeg")]
            if semantics { primary.append(("Semantic", "Primary")) }
            if primaryPadding > 0 { primary.append(("Padding", "\(primaryPadding)")) }
            var depthItem = [("Mime", "image/png"), ("Length", "\(map.count + lengthError)")]
            if semantics { depthItem.insert(("Semantic", "DepthMap"), at: 0) }
            if let uri { depthItem.append(("DataURI", uri)) }
            let items = [
                primary,
                [
                    ("Length", "\(gain.count)"), ("Semantic", "GainMap"), ("Mime", "image/jpeg"),
                    ("Padding", "3"),
                ],
                depthItem,
            ].map(item).joined()
            let depthURI = uri.map { " DepthMap:DepthURI=\"\($0)\"" } ?? ""
            let packet = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                <r:Description xmlns:Container="\(namespaces.0)" xmlns:Item="\(namespaces.1)"
                 xmlns:Device="http://ns.google.com/photos/dd/1.0/device/"
                 xmlns:Camera="http://ns.google.com/photos/dd/1.0/camera/"
                 xmlns:ImagingModel="http://ns.google.com/photos/dd/1.0/imagingmodel/"
                 xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"
                 xmlns:DepthMap="http://ns.google.com/photos/dd/1.0/depthmap/">
                <Device:Container><Container:Directory><r:Seq>\(items)</r:Seq></Container:Directory></Device:Container>
                <Device:Cameras><r:Seq><r:li r:parseType="Resource"><Device:Camera>
                <Camera:DepthMap DepthMap:ItemSemantic="Segmentation" DepthMap:Format="RangeLinear" DepthMap:Near="1"
                 DepthMap:Far="3" DepthMap:DepthURI="android/segments"/>
                <Camera:DepthMap DepthMap:ItemSemantic="Depth" \(range)\(depthURI)/>
                <Camera:ImagingModel \(model)/>
                </Device:Camera></r:li></r:Seq></Device:Cameras></r:Description></r:RDF></x:xmpmeta>
                """
            let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
            let length = content.count + 2
            var file = Array(picture.prefix(2))
            file += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
            file += content
            file += picture.dropFirst(2)
            file += [UInt8](repeating: 0, count: primaryPadding)
            file += gain
            file += [0, 0, 0]
            return file + map + behind
        }

        func read() throws -> EmbeddedCapture? {
            try EmbeddedCapture.read(InputFile(name: "phone.jpg", bytes: try bytes()))
        }
    }

    /// The values of gray8.png, over the greatest.
    private static func shares() throws -> [Double] {
        try Fixture.imageFile("gray8.raw").map { Double($0) / 255 }
    }

    private static let variants: [(name: String, photograph: Photograph)] = {
        var padded = Photograph()
        padded.primaryPadding = 11
        // A phone's maker may append blocks of its own that nothing lists.
        var followed = Photograph()
        followed.behind = [UInt8](repeating: 0x41, count: 500)
        var shared = Photograph()
        shared.namespaces = Photograph.shared
        shared.uri = nil
        var byName = Photograph()
        byName.semantics = false
        var elements = Photograph()
        elements.usesElements = true
        return [
            ("as described", Photograph()), ("padded", padded), ("followed", followed),
            ("shared namespaces", shared),
            ("named by URI alone", byName), ("elements", elements),
        ]
    }()

    @Test(arguments: variants.map(\.name))
    func theDepthMapIsFoundInTheOrderOfTheItems(name: String) throws {
        let photograph = try #require(Self.variants.first { $0.name == name }?.photograph)
        let depth = try #require(try photograph.read()?.depth)
        #expect(depth.isDisparity && depth.isAbsolute && !depth.isRadial)
        #expect(depth.readings.size == PixelSize(width: 37, height: 21))
        for (reading, share) in zip(depth.readings.elements, try Self.shares()) {
            // The specification's own formula; single precision.
            let distance = 2 * 0.25 / (2 - share * (2 - 0.25))
            #expect(abs(1 / Double(reading) / distance - 1) < 1e-5)
        }
    }

    @Test func linearRangesAndRaysAndDioptres() throws {
        var photograph = Photograph()
        photograph.range =
            #"DepthMap:Format="RangeLinear" DepthMap:Near="0.5" DepthMap:Far="4" DepthMap:MeasureType="OpticRay""#
        let linear = try #require(try photograph.read()?.depth)
        // No unit is stated: shape, never size.
        #expect(!linear.isDisparity && !linear.isAbsolute && linear.isRadial)
        let share = try Self.shares()[100]
        #expect(abs(Double(linear.readings.elements[100]) - (0.5 + 3.5 * share)) < 1e-5)

        photograph.range =
            #"DepthMap:Format="RangeLinear" DepthMap:Near="5" DepthMap:Far="0.5" DepthMap:Units="Diopters""#
        let dioptres = try #require(try photograph.read()?.depth)
        #expect(dioptres.isDisparity && dioptres.isAbsolute)
        #expect(abs(Double(dioptres.readings.elements[100]) - (5 - 4.5 * share)) < 1e-5)
    }

    @Test func theImagingModelIsTheCamera() throws {
        var photograph = Photograph()
        photograph.model =
            #"ImagingModel:FocalLengthX="3000" ImagingModel:FocalLengthY="3010" ImagingModel:ImageWidth="4000" "#
            + #"ImagingModel:ImageHeight="3000" ImagingModel:PrincipalPointX="0.51" ImagingModel:PrincipalPointY="0.48""#
        let pixels = try #require(try photograph.read()?.camera)
        #expect(pixels.focalLength == SIMD2(3000, 3010))
        // From the picture's corner, which lies half a pixel before the first pixel's centre.
        #expect(pixels.principalPoint == SIMD2(0.51 * 4000 - 0.5, 0.48 * 3000 - 0.5))
        #expect(pixels.size == PixelSize(width: 4000, height: 3000))

        photograph.model =
            #"ImagingModel:FocalLengthX="0.75" ImagingModel:FocalLengthY="1" ImagingModel:ImageWidth="4000" "#
            + #"ImagingModel:ImageHeight="3000""#
        let shares = try #require(try photograph.read()?.camera)
        #expect(shares.focalLength == SIMD2(3000, 3000) && shares.principalPoint == SIMD2(1999.5, 1499.5))

        // Neither pixels nor shares of the sides: no square pixel comes of it.
        photograph.model =
            #"ImagingModel:FocalLengthX="4.4" ImagingModel:FocalLengthY="4.4" ImagingModel:ImageWidth="4000" "#
            + #"ImagingModel:ImageHeight="3000""#
        let millimetres = try #require(try photograph.read())
        #expect(millimetres.camera == nil && millimetres.depth != nil)
    }

    @Test func aDirectoryThatDoesNotFitIsTold() throws {
        for error in [-7, 100_000, 1 << 41] {
            var photograph = Photograph()
            photograph.lengthError = error
            // Seven bytes fewer still begin with the map and end before it does; the decoder tells.
            let thrown = try #require(throws: FlatteningError.self, "\(error)") { _ = try photograph.read() }
            #expect(thrown.code == .badInput && thrown.file != nil, "\(error)")
        }
        var none = Photograph()
        none.range = ""
        #expect(throws: FlatteningError.self) { try none.read() }
        var empty = Photograph()
        empty.range =
            #"DepthMap:Format="RangeLinear" DepthMap:Near="2" DepthMap:Far="1" DepthMap:Units="Meters""#
        #expect(throws: FlatteningError.self) { try empty.read() }
    }

    @Test func sixteenBitMapsKeepTheirSteps() throws {
        var photograph = Photograph()
        photograph.depth = "gray16.png"
        let depth = try #require(try photograph.read()?.depth)
        #expect(depth.form.contains("16-bit"))
    }

    @Test(
        "Cut or damaged anywhere, a file gives what is in it, nothing, or an error that says what is wrong with it"
    )
    func damaged() throws {
        let bytes = try Photograph().bytes()
        for length in stride(from: 4, to: bytes.count, by: 61) {
            let cut = InputFile(name: "cut", bytes: Array(bytes[..<length]))
            expectValueOrRefusal("\(length) bytes") { try EmbeddedCapture.read(cut) }
        }
        for position in stride(from: 20, to: 3000, by: 7) {
            var spoiled = bytes
            spoiled[position] ^= 0x15
            let file = InputFile(name: "spoiled", bytes: spoiled)
            expectValueOrRefusal("byte \(position)") { try EmbeddedCapture.read(file) }
        }
    }
}
