/// What a flat image shows beyond the sheet's edge: in its margin and along sides that are not straight; or beside the
/// photograph, where the whole of it is the page and turned.
public enum SheetEdge: String, CaseIterable, Sendable {
    /// The paper's own colour, or that of the photograph's border, continues to the image's edge.
    case fill
    /// The photograph as it is there, white where it shows nothing.
    case keep
}
