// SQLite's functions, found at run time: in SQLite (3.37 and newer) or in SQLCipher, which encrypts files.
//
// Nothing here is linked: sqlite3.h lends its types, so that a wrong signature does not compile, and the functions are
// looked up in a library opened with dlopen (RuntimeLibraries). A program that opens no store runs without the library.
#pragma once

#include <sqlite3.h>

// Every function that is used, once: a column of the table, and its name.
#define CSQLITE_FUNCTIONS(X)        \
    X(sqlite3_libversion)           \
    X(sqlite3_libversion_number)    \
    X(sqlite3_open_v2)              \
    X(sqlite3_close_v2)             \
    X(sqlite3_busy_timeout)         \
    X(sqlite3_errmsg)               \
    X(sqlite3_errstr)               \
    X(sqlite3_get_autocommit)       \
    X(sqlite3_prepare_v2)           \
    X(sqlite3_finalize)             \
    X(sqlite3_bind_int64)           \
    X(sqlite3_bind_double)          \
    X(sqlite3_bind_text)            \
    X(sqlite3_bind_blob)            \
    X(sqlite3_step)                 \
    X(sqlite3_column_count)         \
    X(sqlite3_column_type)          \
    X(sqlite3_column_int64)         \
    X(sqlite3_column_double)        \
    X(sqlite3_column_text)          \
    X(sqlite3_column_blob)          \
    X(sqlite3_column_bytes)         \
    X(sqlite3_last_insert_rowid)    \
    X(sqlite3_backup_init)          \
    X(sqlite3_backup_step)          \
    X(sqlite3_backup_finish)

struct CSQLiteFunctions {
#define CSQLITE_MEMBER(name) __typeof__(name) *_Nonnull name;
    CSQLITE_FUNCTIONS(CSQLITE_MEMBER)
#undef CSQLITE_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull csqlite_function_names(void) {
#define CSQLITE_NAME(name) #name " "
    return CSQLITE_FUNCTIONS(CSQLITE_NAME);
#undef CSQLITE_NAME
}

// Binds a text, which SQLite copies: the macro that says so is a cast that Swift cannot read.
static inline int csqlite_bind_text(
    const struct CSQLiteFunctions *_Nonnull sqlite, sqlite3_stmt *_Nonnull statement, int place,
    const char *_Nonnull text, int bytes) {
    return sqlite->sqlite3_bind_text(statement, place, text, bytes, SQLITE_TRANSIENT);
}

// Binds bytes, likewise.
static inline int csqlite_bind_blob(
    const struct CSQLiteFunctions *_Nonnull sqlite, sqlite3_stmt *_Nonnull statement, int place,
    const void *_Nonnull bytes, int count) {
    return sqlite->sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}
