// A network of one input and one output, run by ONNX Runtime's C library, which is found at run time.
//
// Nothing here is linked, and no header of ONNX Runtime is needed: it hands out a table of functions whose order never
// changes (later versions only append to it), so what is used of it is declared in session.c. A program that reads with
// another engine never pays for the library and runs where it is not installed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What ONNX Runtime hands out.
typedef struct OrtApiBase OrtApiBase;

// The one function that its library exports.
struct COnnxRuntimeFunctions {
    const OrtApiBase *_Nullable (*_Nonnull OrtGetApiBase)(void);
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull conn_function_names(void) { return "OrtGetApiBase "; }

// The library's version, such as "1.21.0"; null where it hands out no table of the kind that is used here.
const char *_Nullable conn_version(const OrtApiBase *_Nullable base);

// A network that has been loaded. Several threads may run it at once.
typedef struct COnnxSession COnnxSession;

// How a call ended.
typedef enum {
    CONN_DONE = 0,
    // Memory is short.
    CONN_OUT_OF_MEMORY,
    // ONNX Runtime refuses; the message says why.
    CONN_REFUSED,
    // The network has another form than one input and one output of 32-bit floating point.
    CONN_UNSUITABLE,
    // ONNX Runtime would send its maker what it is used for: ORT_DISABLE_TELEMETRY=1, which every program that holds this
    // code has from its start, was taken out of the environment.
    CONN_WOULD_REPORT,
} COnnxStatus;

enum { CONN_MESSAGE_LENGTH = 400 };

// In all of these `message` has CONN_MESSAGE_LENGTH bytes and holds ONNX Runtime's words with CONN_REFUSED; results are
// written with CONN_DONE only.

// Loads a network from the bytes of its file, which are not needed afterwards. Each run takes one thread.
COnnxStatus conn_open(
    const OrtApiBase *_Nonnull base, const void *_Nonnull model, size_t bytes,
    COnnxSession *_Nullable *_Nonnull session, char *_Nonnull message);

void conn_close(COnnxSession *_Nonnull session);

// What the model's file says of itself under a key; null where it says nothing. Freed by free.
COnnxStatus conn_metadata(
    const COnnxSession *_Nonnull session, const char *_Nonnull key, char *_Nullable *_Nonnull value,
    char *_Nonnull message);

// The output of a run: one picture's steps, each with a number for each class.
typedef struct {
    const float *_Nullable values;
    int64_t steps, classes;
    // What is to be released.
    void *_Nullable value;
} COnnxOutput;

// Runs the network on one picture of three planes of `height` rows of `width`; its output, 1 x steps x classes, is to be
// released.
COnnxStatus conn_run(
    const COnnxSession *_Nonnull session, const float *_Nonnull planes, int64_t height, int64_t width,
    COnnxOutput *_Nonnull output, char *_Nonnull message);

void conn_release(const COnnxSession *_Nonnull session, COnnxOutput output);

