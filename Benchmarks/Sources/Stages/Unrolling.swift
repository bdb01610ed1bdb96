import ReceiptFlattening

extension StageCase {
    /// The fitted surface laid flat.
    static let unrolling: [StageCase] = [
        StageCase(.unrolling, "as rigid as possible", "grid of 2 mm") { inputs in
            let scene = try SurfaceScene(inputs)
            let surface = try scene.fit().surface
            return Work({
                try Unrolling(of: surface, intrinsics: scene.scene.camera, outline: scene.outline)
            }) { unrolling in
                // Noise makes the fitted surface one that cannot be laid flat without stretching: about 1 %.
                let error = try scene.lengthError(of: unrolling)
                try require(error < 0.02, "the sheet's width is off by \(error * 100) %")
                return ["vertices": Double(unrolling.columns * unrolling.rows)]
            }
        }
    ]
}
