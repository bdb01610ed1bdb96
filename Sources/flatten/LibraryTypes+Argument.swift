public import ArgumentParser
public import ReceiptFlattening

extension SurfaceMethod: ExpressibleByArgument {}
extension CaptureDescription.Depth.Kind: ExpressibleByArgument {}
extension CaptureDescription.Depth.Projection: ExpressibleByArgument {}
