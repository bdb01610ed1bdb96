// libzip's C interface, found at run time.
//
// Nothing here is linked, nor is libzip's header needed to build: its few functions are declared here as zip.h of libzip
// 1.0 to 1.11 does (libzip.org/documentation), whose binary interface has not changed since. A program that opens no
// archive runs without the library.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// zip_stat_t: `valid` says which of the others are known.
struct CZipStat {
    uint64_t valid;
    const char *_Nullable name;
    uint64_t index;
    uint64_t size;
    uint64_t comp_size;
    time_t mtime;
    uint32_t crc;
    uint16_t comp_method;
    uint16_t encryption_method;
    uint32_t flags;
};

enum {
    // ZIP_STAT_NAME, ZIP_STAT_SIZE, ZIP_STAT_COMP_SIZE, ZIP_STAT_COMP_METHOD, ZIP_STAT_ENCRYPTION_METHOD.
    CZIP_STAT_NEEDED = 0x1 | 0x4 | 0x8 | 0x40 | 0x80,
    // ZIP_RDONLY.
    CZIP_READ_ONLY = 16,
    // ZIP_FL_ENC_RAW: names as they are, not converted.
    CZIP_RAW_NAMES = 64,
    // ZIP_OPSYS_UNIX.
    CZIP_UNIX = 3,
};

struct CZipFunctions {
    const char *_Nonnull (*_Nonnull zip_libzip_version)(void);
    void *_Nullable (*_Nonnull zip_open)(const char *_Nonnull path, int flags, int *_Nonnull error);
    void (*_Nonnull zip_discard)(void *_Nonnull archive);
    int64_t (*_Nonnull zip_get_num_entries)(void *_Nonnull archive, uint32_t flags);
    int (*_Nonnull zip_stat_index)(
        void *_Nonnull archive, uint64_t index, uint32_t flags, struct CZipStat *_Nonnull status);
    int (*_Nonnull zip_file_get_external_attributes)(
        void *_Nonnull archive, uint64_t index, uint32_t flags, uint8_t *_Nonnull system,
        uint32_t *_Nonnull attributes);
    void *_Nullable (*_Nonnull zip_fopen_index)(void *_Nonnull archive, uint64_t index, uint32_t flags);
    int64_t (*_Nonnull zip_fread)(void *_Nonnull file, void *_Nonnull buffer, uint64_t count);
    int (*_Nonnull zip_fclose)(void *_Nonnull file);
    const char *_Nonnull (*_Nonnull zip_strerror)(void *_Nonnull archive);
};

// Fills `table` from an open library. Returns null, or the name of the first function that the library lacks.
static inline const char *_Nullable czip_find_functions(
    void *_Nonnull library, struct CZipFunctions *_Nonnull table) {
#define CZIP_FIND(name)                             \
    *(void **)&table->name = dlsym(library, #name); \
    if (*(void **)&table->name == NULL) return #name;
    CZIP_FIND(zip_libzip_version)
    CZIP_FIND(zip_open)
    CZIP_FIND(zip_discard)
    CZIP_FIND(zip_get_num_entries)
    CZIP_FIND(zip_stat_index)
    CZIP_FIND(zip_file_get_external_attributes)
    CZIP_FIND(zip_fopen_index)
    CZIP_FIND(zip_fread)
    CZIP_FIND(zip_fclose)
    CZIP_FIND(zip_strerror)
#undef CZIP_FIND
    return NULL;
}
