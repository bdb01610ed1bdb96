// Flattens a sheet that is in memory by geometry alone: no file, no text.
import SheetFlattening

// A table 0.3 m away, seen straight on by a camera of 640 x 480 pixels, and on it a white sheet of 90 x 120 mm.
let size = PixelSize(width: 640, height: 480)
let camera = CameraIntrinsics(fx: 800, fy: 800, cx: 319.5, cy: 239.5, imageSize: size)
var photograph = RGBImage(
    width: size.width, height: size.height, filledWith: RGB(red: 70, green: 50, blue: 40))
for y in 80..<400 {
    for x in 200..<440 { photograph[x: x, y: y] = .white }
}
let depth = DepthMap(readings: Raster(width: 320, height: 240, filledWith: 0.3))

var options = SheetFlattener.Options()
options.dotsPerInch = 254
options.marginMillimeters = 0
let capture = Capture(image: photograph, depth: depth, intrinsics: camera)
let sheet = try SheetFlattener(options: options).flatten(capture)
let flat = sheet.picture.render()
print(sheet.method, flat.size, "pixels of 0.1 mm")
