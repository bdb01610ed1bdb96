public import ArgumentParser
public import ReceiptFlattening

extension SurfaceMethod: ExpressibleByArgument {}
