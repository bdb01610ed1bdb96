package import Parallelism

// Images of paper, made independent of the light they were taken in, for people who want them clean.

extension Raster where Element == RGB {
    /// The image as under even light: bare paper becomes bright, its brightest channel 255, and shadows vanish.
    ///
    /// The three channels of a pixel get the same factor, so colours keep their hue and coloured paper its colour; the
    /// brightest channel of paper is assumed to reflect nearly all light. See `PaperLight` for what counts as paper and
    /// what as print.
    /// O(pixels).
    package func withEvenLight(threading: Threading = .allCores) -> RGBImage {
        guard !elements.isEmpty else { return self }
        let light = PaperLight(of: self, threading: threading) { Swift.max($0.red, $0.green, $0.blue) }.grid
        return mapRows(threading: threading) { y, pixels, output in
            light.forEachColumn(ofRow: y, width: pixels.count) { x, paper in
                // In units of 1/256, so that the rest is integer arithmetic; paper is at least 1.
                let factor = UInt32(65280 / paper)
                output[x] = RGB(
                    red: pixels[x].red.scaled(by: factor), green: pixels[x].green.scaled(by: factor),
                    blue: pixels[x].blue.scaled(by: factor))
            }
        }
    }

    /// The image in black and white: paper is white, print is black, and only the edges of letters have grey levels.
    ///
    /// The edge lies half-way between paper and the darkest print nearby. The ramp across it takes half of the range
    /// between the two, so that letters keep the shape that their own grey levels describe. A pixel less than 15 % darker
    /// than the paper around it counts as paper. O(pixels).
    package func inBlackAndWhite(threading: Threading = .allCores) -> GrayImage {
        let gray = gray()
        guard !elements.isEmpty else { return gray }
        let light = PaperLight(of: gray, threading: threading) { $0 }.grid
        let even = gray.evened(by: light, threading: threading)
        // Half-way between this and white is 15 % darker: paper grain and show-through stay white.
        let palest: Float = 0.7 * 255
        // The share of a cell's pixels that are the darkest of its print: a few letters' cores, more than specks.
        let inkQuantile = 0.02
        var darkest = CellGrid(
            of: even, cell: light.cell, quantile: inkQuantile, threading: threading,
            brightness: { $0 })
        darkest.values = darkest.values.map { min($0, palest) }
        let ink = darkest.filtered(radius: 2, min).smoothed()
        return even.mapRows(threading: threading) { y, pixels, output in
            ink.forEachColumn(ofRow: y, width: pixels.count) { x, print in
                let value = 127.5 + (Float(pixels[x]) - (255 + print) / 2) * (510 / (255 - print))
                output[x] = UInt8(min(max(value, 0), 255))
            }
        }
    }
}

extension Raster where Element == UInt8 {
    /// The image as under even light: paper is 255.
    func evened(by light: CellGrid, threading: Threading) -> GrayImage {
        mapRows(threading: threading) { y, pixels, output in
            light.forEachColumn(ofRow: y, width: pixels.count) { x, paper in
                output[x] = pixels[x].scaled(by: UInt32(65280 / paper))
            }
        }
    }
}

extension Raster {
    /// An image of the same size, made row by row with the rows divided among threads.
    fileprivate func mapRows<Pixel>(
        threading: Threading,
        _ body:
            @Sendable (
                _ y: Int, _ pixels: UnsafeBufferPointer<Element>, _ output: UnsafeMutableBufferPointer<Pixel>
            ) -> Void
    ) -> Raster<Pixel> {
        Raster<Pixel>(width: width, height: height) { output in
            let target = DisjointRows(output, rowLength: width)
            forEachBand(of: 0..<height, threading: threading) { rows in
                elements.withUnsafeBufferPointer { pixels in
                    for y in rows {
                        let row = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
                        body(y, row, target[y])
                    }
                }
            }
        }
    }
}

extension UInt8 {
    /// This value times `factor` / 256, rounded, 255 at most.
    @inline(__always)
    fileprivate func scaled(by factor: UInt32) -> UInt8 {
        UInt8(Swift.min((UInt32(self) &* factor &+ 128) >> 8, 255))
    }
}
