// libheif's functions (1.9 and newer), found at run time.
//
// Nothing here is linked: heif.h lends its types, so that a wrong signature does not compile, and the functions are looked
// up in a library opened with dlopen (RuntimeLibraries). A program that never reads HEIC runs without the library.
#pragma once

#include <libheif/heif.h>
#include <stddef.h>
#include <stdint.h>

// Every function that is used, once: a column of the table, and its name.
#define CHEIF_FUNCTIONS(X)                              \
    X(heif_get_version)                                 \
    X(heif_get_version_number)                          \
    X(heif_context_alloc)                               \
    X(heif_context_free)                                \
    X(heif_context_set_maximum_image_size_limit)        \
    X(heif_context_read_from_memory_without_copy)       \
    X(heif_context_get_primary_image_handle)            \
    X(heif_context_get_image_handle)                    \
    X(heif_image_handle_release)                        \
    X(heif_image_handle_get_ispe_width)                 \
    X(heif_image_handle_get_ispe_height)                \
    X(heif_image_handle_get_luma_bits_per_pixel)        \
    X(heif_image_handle_get_list_of_depth_image_IDs)    \
    X(heif_image_handle_get_depth_image_handle)         \
    X(heif_image_handle_get_list_of_metadata_block_IDs) \
    X(heif_image_handle_get_metadata_size)              \
    X(heif_image_handle_get_metadata)                   \
    X(heif_decoding_options_alloc)                      \
    X(heif_decoding_options_free)                       \
    X(heif_decode_image)                                \
    X(heif_image_get_width)                             \
    X(heif_image_get_height)                            \
    X(heif_image_get_bits_per_pixel_range)              \
    X(heif_image_get_plane_readonly)                    \
    X(heif_image_release)

// What the header may not declare yet; null where the library lacks it.
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
#define CHEIF_OPTIONAL_FUNCTIONS(X) X(heif_context_get_security_limits)
#else
#define CHEIF_OPTIONAL_FUNCTIONS(X)
#endif

struct CHEIFFunctions {
#define CHEIF_MEMBER(name) __typeof__(name) *_Nonnull name;
    CHEIF_FUNCTIONS(CHEIF_MEMBER)
#undef CHEIF_MEMBER
#define CHEIF_MEMBER(name) __typeof__(name) *_Nullable name;
    CHEIF_OPTIONAL_FUNCTIONS(CHEIF_MEMBER)
#undef CHEIF_MEMBER
};

#define CHEIF_NAME(name) #name " "
// The names of the table's functions in their order, a space after each: those that are needed, and those that may lack.
static inline const char *_Nonnull cheif_function_names(void) { return CHEIF_FUNCTIONS(CHEIF_NAME); }
static inline const char *_Nonnull cheif_optional_function_names(void) {
    return "" CHEIF_OPTIONAL_FUNCTIONS(CHEIF_NAME);
}
#undef CHEIF_NAME

// Lowers the limits that libheif keeps for itself from 1.19 on to ours, against files whose tiles or metadata ask for more
// than their picture. Never raises one; 0 is none there. Older libraries know no limit that ours could lower: theirs is
// one of each side.
static inline void cheif_lower_limits(
    const struct CHEIFFunctions *_Nonnull heif, struct heif_context *_Nonnull context, uint64_t pixels, uint64_t bytes) {
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
    if (heif->heif_context_get_security_limits != NULL) {
        struct heif_security_limits *limits = heif->heif_context_get_security_limits(context);
#define CHEIF_LOWER(limit, ours) \
    if ((limit) == 0 || (limit) > (ours)) (limit) = (ours)
        CHEIF_LOWER(limits->max_image_size_pixels, pixels);
        CHEIF_LOWER(limits->max_memory_block_size, bytes);
#if LIBHEIF_HAVE_VERSION(1, 20, 0)
        if (limits->version >= 2) { CHEIF_LOWER(limits->max_total_memory, bytes); }
#endif
#undef CHEIF_LOWER
        return;
    }
#endif
    // One byte each: major, minor, maintenance. A side that it is given limits the pixels to its square; its own is 32768.
    if (heif->heif_get_version_number() < 0x01130000) return;
    int side = 1;
    while (side < 32768 && (uint64_t)side * (uint64_t)side < pixels) side++;
    heif->heif_context_set_maximum_image_size_limit(context, side);
}
