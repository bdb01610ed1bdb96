// A program that links the library writes one import and has the types that its functions take and return.
@_exported public import Captures
@_exported public import DepthGeometry
@_exported public import ImageFiles
@_exported public import Imaging
@_exported public import SheetFlattening
@_exported public import TextRecognition
