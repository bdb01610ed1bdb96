import ReceiptFlattening

extension StageCase {
    /// Depth readings to points, and their mean and covariance.
    static let cloud: [StageCase] = DepthSize.allCases.map { size in
        StageCase(.cloud, "unproject, covariance", size.rawValue) { inputs in
            let depth = try inputs.depth("depth-\(size.rawValue)")
            let camera = PhotographSize.standard.scene.camera
            return Work({
                let cloud = PointCloud(unprojecting: depth, intrinsics: camera)
                return (cloud.count, try Plane(principalComponentsOf: cloud.positions))
            }) { count, plane in
                ["points": Double(count), "offset": abs(plane.offset)]
            }
        }
    }
}

extension InputFolder {
    func depth(_ folder: String) throws -> DepthMap {
        try DepthMap(data: data("\(folder)/depth.npy"), metersPerUnit: 1)
    }
}
