import Parallelism
import DepthGeometry
import Foundation
import Imaging

/// Renders the photograph: rays through every pixel, light, lens, sensor.
///
/// The image is rendered in independent bands of rows. Each band goes through these steps: samples of the sheet and the
/// table, their mean per pixel in linear light, the lens's blur and fall-off, the sensor's noise, the sRGB curve.
struct PhotographRenderer {
    let camera: CameraIntrinsics
    let pose: CameraPose
    let mesh: SheetMesh
    let print: SheetPrint
    let irradiance: Irradiance
    let light: SceneLight
    let table: TableTop
    let look: PhotographLook
    let supersampling: Int
    let seed: UInt64
    /// Seed of the sensor's noise.
    let noiseSeed: UInt64

    /// Number of rows in a band.
    private static let bandRows = 32
    /// Reach of the blur, in rows.
    private static let halo = 2
    /// The reflectance of bare paper and of its unprinted back.
    private static let paperReflectance: Float = 0.84
    private static let backReflectance: Float = 0.78

    /// Renders some rows of the photograph; the same whether they are rendered alone or with others.
    func render(rows: Range<Int>, threading: Threading) -> RGBImage {
        let size = camera.imageSize
        let fine = camera.scaled(
            to: PixelSize(width: size.width * supersampling, height: size.height * supersampling))
        let rasterizer = SheetRasterizer(mesh: mesh, camera: fine, pose: pose)
        let encode = Self.encodingTable()
        return RGBImage(width: size.width, height: rows.count) { picture in
            picture.initialize(repeating: .white)
            let picture = DisjointRows(picture, rowLength: size.width)
            forEachBand(of: rows, threading: threading, minimumRows: Self.bandRows) { drawn in
                let padded =
                    max(drawn.lowerBound - Self.halo, 0)..<min(drawn.upperBound + Self.halo, size.height)
                var light = Array(repeating: Float(0), count: padded.count * size.width * 3)
                light.withUnsafeMutableBufferPointer { light in
                    shade(padded, rasterizer: rasterizer, into: light)
                    blur(light, rows: padded.count)
                    develop(
                        light, from: padded.lowerBound, rows: drawn, encode: encode,
                        into: picture[drawn.lowerBound - rows.lowerBound..<drawn.upperBound - rows.lowerBound]
                    )
                }
            }
        }
    }

    /// Computes the linear light of some rows, before the lens.
    private func shade(
        _ rows: Range<Int>, rasterizer: SheetRasterizer, into light: UnsafeMutableBufferPointer<Float>
    ) {
        let width = camera.imageSize.width
        let s = supersampling
        let hits = SheetRasterizer.Hits(capacity: width * s * rows.count * s)
        defer { hits.deallocate() }
        let hasSheet = rasterizer.draw(
            lines: rows.lowerBound * s..<rows.upperBound * s, width: width * s, into: hits)
        let share = 1 / Float(s * s)
        let eye = pose.position
        irradiance.front.withUnsafeBufferPointer { front in
            irradiance.back.withUnsafeBufferPointer { back in
                print.texels.elements.withUnsafeBufferPointer { texels in
                    for y in rows {
                        for x in 0..<width {
                            var sheetLight: Float = 0
                            var sheetSamples = 0
                            if hasSheet {
                                for j in 0..<s {
                                    let line = ((y - rows.lowerBound) * s + j) * width * s + x * s
                                    for i in 0..<s where hits.inverseDepth[line + i] != 0 {
                                        let u = hits.u[line + i]
                                        let v = hits.v[line + i]
                                        sheetSamples += 1
                                        sheetLight +=
                                            hits.inverseDepth[line + i] > 0
                                            ? Self.paperReflectance * printed(u, v, texels) * lit(u, v, front)
                                            : Self.backReflectance * lit(u, v, back)
                                    }
                                }
                            }
                            let at = ((y - rows.lowerBound) * width + x) * 3
                            let sheet = sheetLight * share
                            var red = sheet * look.paperTint.x
                            var green = sheet * look.paperTint.y
                            var blue = sheet * look.paperTint.z
                            if sheetSamples < s * s {
                                let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
                                let weight = 1 - Float(sheetSamples) * share
                                let color = tableLight(eye: eye, direction: pose.directionInTable(ray))
                                red += color.x * weight
                                green += color.y * weight
                                blue += color.z * weight
                            }
                            light[at] = red * look.whiteBalance.x
                            light[at + 1] = green * look.whiteBalance.y
                            light[at + 2] = blue * look.whiteBalance.z
                        }
                    }
                }
            }
        }
    }

    /// Linear light of the uniform dark wall beyond the table's horizon.
    private static let wall = SIMD3<Float>(repeating: 0.05)

    /// Returns the light from the table along a ray.
    private func tableLight(eye: SIMD3<Double>, direction: SIMD3<Double>) -> SIMD3<Float> {
        guard let hit = table.hit(from: eye, along: direction) else { return Self.wall }
        guard !hit.isRoom else { return table.color(of: hit, seed: seed) }
        let scattered = table.color(of: hit, seed: seed) * tableIrradiance(hit.x, hit.y)
        return scattered + SIMD3(repeating: light.mirrored(along: direction))
    }

    private func tableIrradiance(_ x: Double, _ y: Double) -> Float {
        let i = (x - irradiance.tableOrigin.x) / Irradiance.tableStep
        let j = (y - irradiance.tableOrigin.y) / Irradiance.tableStep
        guard i >= 0, j >= 0, i < Double(irradiance.tableColumns - 1), j < Double(irradiance.tableRows - 1)
        else {
            return 1
        }
        let column = Int(i)
        let row = Int(j)
        return irradiance.table.withUnsafeBufferPointer {
            bilinear(
                $0, row * irradiance.tableColumns + column, irradiance.tableColumns,
                Float(i - Double(column)),
                Float(j - Double(row)))
        }
    }

    @inline(__always)
    private func lit(_ u: Float, _ v: Float, _ light: UnsafeBufferPointer<Float>) -> Float {
        let i = u / Float(mesh.stepU)
        let j = v / Float(mesh.stepV)
        let column = min(max(Int(i), 0), mesh.columns - 2)
        let row = min(max(Int(j), 0), mesh.rows - 2)
        return bilinear(light, row * mesh.columns + column, mesh.columns, i - Float(column), j - Float(row))
    }

    @inline(__always)
    private func bilinear(
        _ values: UnsafeBufferPointer<Float>, _ at: Int, _ stride: Int, _ s: Float, _ t: Float
    ) -> Float {
        let top = values[at] + (values[at + 1] - values[at]) * s
        let bottom = values[at + stride] + (values[at + stride + 1] - values[at + stride]) * s
        return top + (bottom - top) * t
    }

    /// Returns the print's share of the paper's brightness, by bilinear interpolation; beyond the middle of an outermost
    /// texel, that texel alone.
    @inline(__always)
    private func printed(_ u: Float, _ v: Float, _ texels: UnsafeBufferPointer<UInt8>) -> Float {
        let width = print.texels.width
        let x = u * Float(print.density) - 0.5
        let y = v * Float(print.density) - 0.5
        let column = min(max(Int(x), 0), width - 2)
        let row = min(max(Int(y), 0), print.texels.height - 2)
        let at = row * width + column
        let s = min(max(x - Float(column), 0), 1)
        let t = min(max(y - Float(row), 0), 1)
        let top = Float(texels[at]) + (Float(texels[at + 1]) - Float(texels[at])) * s
        let bottom =
            Float(texels[at + width]) + (Float(texels[at + width + 1]) - Float(texels[at + width])) * s
        return (top + (bottom - top) * t) * (1 / 255)
    }

    /// Blurs with a Gaussian of five taps along both axes. Missing rows at the band's edge do no harm, because they lie in
    /// the halo.
    private func blur(_ light: UnsafeMutableBufferPointer<Float>, rows: Int) {
        let sigma = look.blur
        guard sigma > 0 else { return }
        let near = exp(-0.5 / (sigma * sigma))
        let far = exp(-2 / (sigma * sigma))
        let total = 1 + 2 * (near + far)
        let (w0, w1, w2) = (1 / total, near / total, far / total)
        let width = camera.imageSize.width
        let stride = width * 3
        let copy = UnsafeMutablePointer<Float>.allocate(capacity: rows * stride)
        defer { copy.deallocate() }
        for row in 0..<rows {
            let line = row * stride
            for x in 0..<width {
                let l2 = line + max(x - 2, 0) * 3
                let l1 = line + max(x - 1, 0) * 3
                let r1 = line + min(x + 1, width - 1) * 3
                let r2 = line + min(x + 2, width - 1) * 3
                let at = line + x * 3
                for channel in 0..<3 {
                    copy[at + channel] =
                        w0 * light[at + channel] + w1 * (light[l1 + channel] + light[r1 + channel])
                        + w2 * (light[l2 + channel] + light[r2 + channel])
                }
            }
        }
        for row in 0..<rows {
            let line = row * stride
            let a2 = max(row - 2, 0) * stride
            let a1 = max(row - 1, 0) * stride
            let b1 = min(row + 1, rows - 1) * stride
            let b2 = min(row + 2, rows - 1) * stride
            for x in 0..<stride {
                light[line + x] =
                    w0 * copy[line + x] + w1 * (copy[a1 + x] + copy[b1 + x]) + w2
                    * (copy[a2 + x] + copy[b2 + x])
            }
        }
    }

    /// Applies lens fall-off, exposure, noise and the sRGB curve.
    private func develop(
        _ light: UnsafeMutableBufferPointer<Float>, from firstRow: Int, rows: Range<Int>, encode: [UInt8],
        into picture: UnsafeMutableBufferPointer<RGB>
    ) {
        let width = camera.imageSize.width
        let centerX = Float(width - 1) / 2
        let centerY = Float(camera.imageSize.height - 1) / 2
        let farthest = centerX * centerX + centerY * centerY
        let noise = NoiseHash.mix(noiseSeed ^ 0x5EED)
        let scale = Float(encode.count - 1)
        encode.withUnsafeBufferPointer { encode in
            @inline(__always)
            func developed(_ value: Float, _ place: Int) -> UInt8 {
                let deviation = (look.readNoise * look.readNoise + look.shotNoise * value).squareRoot()
                let noisy = value + deviation * NoiseHash.normal(noise, UInt64(truncatingIfNeeded: place))
                return encode[Int(min(max(noisy, 0), 1) * scale + 0.5)]
            }
            for y in rows {
                let dy = Float(y) - centerY
                for x in 0..<width {
                    let dx = Float(x) - centerX
                    let gain = look.exposure * (1 - look.vignetting * (dx * dx + dy * dy) / farthest)
                    let at = ((y - firstRow) * width + x) * 3
                    let place = (y * width + x) * 3
                    picture[(y - rows.lowerBound) * width + x] = RGB(
                        red: developed(light[at] * gain, place),
                        green: developed(light[at + 1] * gain, place + 1),
                        blue: developed(light[at + 2] * gain, place + 2))
                }
            }
        }
    }

    /// Returns sRGB values (IEC 61966-2-1) of linear values 0 to 1 in 16,384 steps.
    private static func encodingTable() -> [UInt8] {
        (0..<16384).map { index in
            UInt8((SRGBCurve.value(of: Double(index) / 16383) * 255).rounded())
        }
    }
}

/// The effect of lens, sensor and white balance on a photograph.
public struct PhotographLook: Sendable, Equatable {
    /// Linear value of a white surface in the open light, before clipping at 1.
    public var exposure: Float
    /// The fall-off in the image's corners, 0 to 1; grows with the square of the radius.
    public var vignetting: Float
    /// Deviation of the lens's Gaussian blur in pixels, 0 to 1.
    public var blur: Float
    /// Deviation of the noise in the dark, in linear light.
    public var readNoise: Float
    /// Variance of the noise per unit of linear light.
    public var shotNoise: Float
    /// Factors on red, green and blue that the camera's white balance leaves uncorrected.
    public var whiteBalance: SIMD3<Float>
    /// Colour of bare paper.
    public var paperTint: SIMD3<Float>

    /// Creates a look; by default a phone in a lit room.
    public init(
        exposure: Float = 0.92, vignetting: Float = 0.22, blur: Float = 0.45, readNoise: Float = 0.0012,
        shotNoise: Float = 0.00004, whiteBalance: SIMD3<Float> = SIMD3(1, 1, 1),
        paperTint: SIMD3<Float> = SIMD3(0.99, 1, 0.985)
    ) {
        self.exposure = exposure
        self.vignetting = vignetting
        self.blur = blur
        self.readNoise = readNoise
        self.shotNoise = shotNoise
        self.whiteBalance = whiteBalance
        self.paperTint = paperTint
    }
}
