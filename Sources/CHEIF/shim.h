// libheif's C API (1.9 and newer), found at run time.
//
// Nothing is linked and no header of libheif is needed to build: what is used of its stable interface is declared here.
// A program that never reads HEIC never loads the library and runs where it is not installed.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heif_context heif_context;
typedef struct heif_image_handle heif_image_handle;
typedef struct heif_image heif_image;

typedef struct heif_error {
    int code;
    int subcode;
    const char *_Nullable message;
} heif_error;

// Allocated by the library, whose structure may be longer; the first fields are those of its first version.
typedef struct heif_decoding_options {
    uint8_t version;
    uint8_t ignore_transformations;
} heif_decoding_options;

enum {
    cheif_colorspace_RGB = 1,
    cheif_colorspace_monochrome = 2,
    cheif_chroma_monochrome = 0,
    cheif_chroma_interleaved_RGB = 10,
    cheif_channel_Y = 0,
    cheif_channel_interleaved = 10,
};

// The limits of a context, from 1.19 on; later versions only add to its end, and `version` says how much there is.
typedef struct heif_security_limits {
    uint8_t version;
    uint64_t max_image_size_pixels;
    uint64_t max_number_of_tiles;
    uint32_t max_bayer_pattern_pixels;
    uint32_t max_items;
    uint32_t max_color_profile_size;
    uint64_t max_memory_block_size;
    uint32_t max_components;
    uint32_t max_iloc_extents_per_item;
    uint32_t max_size_entity_group;
    uint32_t max_children_per_box;
    // From version 2 (libheif 1.20) on.
    uint64_t max_total_memory;
} heif_security_limits;

// Every function that is used, once: result, name, parameters.
#define CHEIF_FUNCTIONS(X)                                                                                        \
    X(const char *_Nonnull, heif_get_version, (void))                                                             \
    X(uint32_t, heif_get_version_number, (void))                                                                  \
    X(heif_context *_Nullable, heif_context_alloc, (void))                                                        \
    X(void, heif_context_free, (heif_context *_Nonnull))                                                          \
    X(heif_error, heif_context_read_from_memory_without_copy,                                                     \
      (heif_context *_Nonnull, const void *_Nonnull, size_t, const void *_Nullable))                              \
    X(heif_error, heif_context_get_primary_image_handle,                                                          \
      (heif_context *_Nonnull, heif_image_handle *_Nullable *_Nonnull))                                           \
    X(void, heif_image_handle_release, (const heif_image_handle *_Nonnull))                                       \
    X(int, heif_image_handle_get_ispe_width, (const heif_image_handle *_Nonnull))                                 \
    X(int, heif_image_handle_get_ispe_height, (const heif_image_handle *_Nonnull))                                \
    X(int, heif_image_handle_get_luma_bits_per_pixel, (const heif_image_handle *_Nonnull))                        \
    X(int, heif_image_handle_get_list_of_depth_image_IDs,                                                         \
      (const heif_image_handle *_Nonnull, uint32_t *_Nonnull, int))                                               \
    X(heif_error, heif_image_handle_get_depth_image_handle,                                                       \
      (const heif_image_handle *_Nonnull, uint32_t, heif_image_handle *_Nullable *_Nonnull))                      \
    X(int, heif_image_handle_get_list_of_metadata_block_IDs,                                                      \
      (const heif_image_handle *_Nonnull, const char *_Nullable, uint32_t *_Nonnull, int))                        \
    X(size_t, heif_image_handle_get_metadata_size, (const heif_image_handle *_Nonnull, uint32_t))                 \
    X(heif_error, heif_image_handle_get_metadata,                                                                 \
      (const heif_image_handle *_Nonnull, uint32_t, void *_Nonnull))                                              \
    X(heif_decoding_options *_Nullable, heif_decoding_options_alloc, (void))                                      \
    X(void, heif_decoding_options_free, (heif_decoding_options *_Nonnull))                                        \
    X(heif_error, heif_decode_image,                                                                              \
      (const heif_image_handle *_Nonnull, heif_image *_Nullable *_Nonnull, int, int,                              \
       const heif_decoding_options *_Nullable))                                                                   \
    X(int, heif_image_get_width, (const heif_image *_Nonnull, int))                                               \
    X(int, heif_image_get_height, (const heif_image *_Nonnull, int))                                              \
    X(int, heif_image_get_bits_per_pixel_range, (const heif_image *_Nonnull, int))                                \
    X(const uint8_t *_Nullable, heif_image_get_plane_readonly, (const heif_image *_Nonnull, int, int *_Nonnull))  \
    X(void, heif_image_release, (const heif_image *_Nonnull))

struct CHEIFFunctions {
#define CHEIF_MEMBER(result, name, parameters) result(*_Nonnull name) parameters;
    CHEIF_FUNCTIONS(CHEIF_MEMBER)
#undef CHEIF_MEMBER
    // Null before 1.19.
    heif_security_limits *_Nullable (*_Nullable heif_context_get_security_limits)(const heif_context *_Nonnull);
};

// Fills `table` from an open library. Returns null, or the name of the first function that the library lacks.
static inline const char *_Nullable cheif_find_functions(
    void *_Nonnull library, struct CHEIFFunctions *_Nonnull table) {
#define CHEIF_FIND(result, name, parameters)       \
    *(void **)&table->name = dlsym(library, #name); \
    if (*(void **)&table->name == NULL) return #name;
    CHEIF_FUNCTIONS(CHEIF_FIND)
#undef CHEIF_FIND
    *(void **)&table->heif_context_get_security_limits = dlsym(library, "heif_context_get_security_limits");
    return NULL;
}
