// Re-exported so that a program that flattens by geometry alone needs one import for all types its functions take and return.
@_exported public import DepthGeometry
@_exported public import Imaging
