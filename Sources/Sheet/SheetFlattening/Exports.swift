// A program that flattens by geometry alone writes one import and has the types that its functions take and return.
@_exported public import DepthGeometry
@_exported public import Imaging
