// Flattens bytes to bytes: the library opens no file.
import Foundation
import ReceiptFlattening

let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? "SampleData/curl-structured")
// Numbers that somebody else gives: an error names the one that no camera has.
let camera = try CameraIntrinsics(
    validatingFx: 1660, fy: 1660, cx: 750.2, cy: 1004.3, imageSize: PixelSize(width: 1500, height: 2000))
let capture = try Capture(
    imageData: Data(contentsOf: folder.appending(path: "image.jpg")),
    depthData: Data(contentsOf: folder.appending(path: "depth.png")), metersPerUnit: 0.0001,
    intrinsics: camera)
let flat = try ReceiptFlattener().flatten(capture).picture
let image = flat.render()
let png = try image.pngData(pixelsPerMeter: flat.pixelsPerMeter)
let jpeg = try image.jpegData(quality: 0.8, pixelsPerMeter: flat.pixelsPerMeter)
print(flat.size, "pixels:", png.count, "bytes of PNG,", jpeg.count, "bytes of JPEG")
