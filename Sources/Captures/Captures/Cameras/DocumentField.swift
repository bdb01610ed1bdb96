/// A property of cameras or frames, with all the keys under which vendors and tools write it.
///
/// These are tables, so that another vendor is another line. Keys are tried from top to bottom; the first one present counts.
struct DocumentField: Sendable {
    /// Who writes a key.
    enum Writer: Sendable {
        /// `AVCameraCalibrationData` and `AVDepthData`, and dumps of them.
        case apple
        /// nerfstudio, instant-ngp.
        case nerfstudio
        case open3D
        /// OpenCV's `FileStorage`, and the variable names of its calibration tutorials.
        case openCV
        /// librealsense and the tools around it.
        case realSense
        /// `sensor_msgs/CameraInfo`.
        case ros
        /// Plain names, including this project's own, and users' variants of them.
        case common
    }

    /// The keys, in the order in which they are tried.
    let keys: [String]

    init(_ table: KeyValuePairs<Writer, [String]>) { keys = table.flatMap(\.value) }
}

// MARK: - Intrinsics

extension DocumentField {
    static let matrix = DocumentField([
        .open3D: ["intrinsic_matrix"],
        .openCV: ["camera_matrix", "cameraMatrix", "CameraMatrix", "cam_matrix"],
        .common: ["camera_intrinsics", "intrinsic_mat"],
        .apple: ["intrinsicMatrix", "IntrinsicMatrix"],
        .common: ["intrinsics", "intrinsic"],
        .ros: ["K", "k"],
        .openCV: ["M1", "mtx"],
    ])
    /// The matrix of a `sensor_msgs/CameraInfo`, by name or by the message's field name.
    static let rosMatrix = DocumentField([.ros: ["camera_matrix", "K", "k"]])
    static let focalLengthX = DocumentField([.common: ["fx"], .nerfstudio: ["fl_x"], .common: ["focal_x"]])
    static let focalLengthY = DocumentField([.common: ["fy"], .nerfstudio: ["fl_y"], .common: ["focal_y"]])
    static let principalPointX = DocumentField([.common: ["cx"], .realSense: ["ppx"]])
    static let principalPointY = DocumentField([.common: ["cy"], .realSense: ["ppy"]])
    static let width = DocumentField([.common: ["width"], .ros: ["image_width"], .nerfstudio: ["w"]])
    static let height = DocumentField([.common: ["height"], .ros: ["image_height"], .nerfstudio: ["h"]])
    /// The image size that Apple's matrix is stated for; the image in the recording is a smaller copy.
    static let referenceSize = DocumentField([
        .apple: [
            "intrinsicMatrixReferenceDimensions", "IntrinsicMatrixReferenceDimensions",
            "intrinsic_matrix_reference_dimensions",
        ]
    ])
    /// An object that holds the whole camera one level down.
    static let wrapper = DocumentField([
        .common: ["intrinsics", "intrinsic", "camera"],
        .realSense: ["color_intrinsics", "color", "rgb"],
        .common: ["calibration"],
        .apple: ["calibration_data", "cameraCalibrationData", "camera_calibration"],
    ])
}

// MARK: - Distortion

extension DocumentField {
    static let distortion = DocumentField([
        .common: ["distortion"],
        .realSense: ["coeffs"],
        .ros: ["distortion_coefficients"],
        .openCV: ["distortionCoefficients", "dist_coeffs", "dist"],
        .ros: ["D", "d"],
    ])
    static let distortionModel = DocumentField([
        .realSense: ["model"], .ros: ["distortion_model"], .nerfstudio: ["camera_model"],
    ])
    static let distortionTable = DocumentField([
        .apple: ["lensDistortionLookupTable", "lens_distortion_lookup_table"]
    ])
    static let inverseDistortionTable = DocumentField([
        .apple: ["inverseLensDistortionLookupTable", "inverse_lens_distortion_lookup_table"]
    ])
    static let distortionCenter = DocumentField([
        .common: ["center"], .apple: ["lensDistortionCenter", "lens_distortion_center"],
    ])
}

// MARK: - The depth camera

extension DocumentField {
    /// Metres per unit (RealSense) if less than 1, units per metre (Open3D, TUM) if more.
    static let depthScale = DocumentField([
        .realSense: ["depth_scale"], .common: ["depthScale", "depth_unit", "depth_units"],
    ])
    static let depthAccuracy = DocumentField([.apple: ["depthDataAccuracy", "depth_data_accuracy"]])
    static let depthType = DocumentField([.apple: ["depthDataType", "depth_data_type"]])
    /// The depth camera's own intrinsics.
    static let depthCamera = DocumentField([
        .realSense: ["depth_intrinsics", "intrinsics_depth", "depth"], .common: ["depth_camera"],
    ])
    /// The depth camera's pose relative to the colour camera.
    static let depthToColor = DocumentField([
        .realSense: [
            "depth_to_color", "depth_to_color_extrinsics", "depth_to_color_extrinsics_4x4",
            "extrinsics_depth_to_color", "depth_to_rgb",
        ],
        .common: ["extrinsics", "extrinsic"],
    ])
    static let rotation = DocumentField([.realSense: ["rotation"], .openCV: ["R", "r"]])
    static let translation = DocumentField([.realSense: ["translation"], .openCV: ["T", "t"]])
}

extension StructuredValue {
    /// Returns the first of a field's keys that is present, with its value.
    func first(of field: DocumentField) -> (key: String, value: StructuredValue)? {
        for key in field.keys {
            if let value = self[key] { return (key, value) }
        }
        return nil
    }
}
