#include "COnnxRuntime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ONNX Runtime's table, as far as it is used. A member's place in it is what counts; what lies between is left out.

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtValue OrtValue;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtModelMetadata OrtModelMetadata;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;

enum { LOG_ERROR = 3, OPTIMIZE_ALL = 99, ARENA_ALLOCATOR = 1, DEFAULT_MEMORY = 0, FLOAT_ELEMENTS = 1 };

#define UNUSED(first, next) void *unused_##first[next - first]

typedef struct {
    UNUSED(0, 2);
    const char *(*GetErrorMessage)(const OrtStatus *);
    OrtStatus *(*CreateEnv)(int level, const char *name, OrtEnv **);
    UNUSED(4, 6);
    OrtStatus *(*DisableTelemetryEvents)(const OrtEnv *);
    UNUSED(7, 8);
    OrtStatus *(*CreateSessionFromArray)(
        const OrtEnv *, const void *, size_t, const OrtSessionOptions *, OrtSession **);
    OrtStatus *(*Run)(
        OrtSession *, const OrtRunOptions *, const char *const *names, const OrtValue *const *inputs, size_t count,
        const char *const *output_names, size_t output_count, OrtValue **outputs);
    OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **);
    UNUSED(11, 17);
    OrtStatus *(*DisableMemPattern)(OrtSessionOptions *);
    UNUSED(18, 19);
    OrtStatus *(*DisableCpuMemArena)(OrtSessionOptions *);
    UNUSED(20, 23);
    OrtStatus *(*SetSessionGraphOptimizationLevel)(OrtSessionOptions *, int);
    OrtStatus *(*SetIntraOpNumThreads)(OrtSessionOptions *, int);
    OrtStatus *(*SetInterOpNumThreads)(OrtSessionOptions *, int);
    UNUSED(26, 30);
    OrtStatus *(*SessionGetInputCount)(const OrtSession *, size_t *);
    OrtStatus *(*SessionGetOutputCount)(const OrtSession *, size_t *);
    UNUSED(32, 36);
    OrtStatus *(*SessionGetInputName)(const OrtSession *, size_t, OrtAllocator *, char **);
    OrtStatus *(*SessionGetOutputName)(const OrtSession *, size_t, OrtAllocator *, char **);
    UNUSED(38, 49);
    OrtStatus *(*CreateTensorWithDataAsOrtValue)(
        const OrtMemoryInfo *, void *, size_t bytes, const int64_t *shape, size_t dimensions, int type, OrtValue **);
    UNUSED(50, 51);
    OrtStatus *(*GetTensorMutableData)(OrtValue *, void **);
    UNUSED(52, 60);
    OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *, int *);
    OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *, size_t *);
    OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *, int64_t *, size_t);
    UNUSED(63, 65);
    OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *, OrtTensorTypeAndShapeInfo **);
    UNUSED(66, 69);
    OrtStatus *(*CreateCpuMemoryInfo)(int allocator, int memory, OrtMemoryInfo **);
    UNUSED(70, 76);
    OrtStatus *(*AllocatorFree)(OrtAllocator *, void *);
    UNUSED(77, 78);
    OrtStatus *(*GetAllocatorWithDefaultOptions)(OrtAllocator **);
    UNUSED(79, 92);
    void (*ReleaseEnv)(OrtEnv *);
    void (*ReleaseStatus)(OrtStatus *);
    void (*ReleaseMemoryInfo)(OrtMemoryInfo *);
    void (*ReleaseSession)(OrtSession *);
    void (*ReleaseValue)(OrtValue *);
    UNUSED(97, 99);
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *);
    void (*ReleaseSessionOptions)(OrtSessionOptions *);
    UNUSED(101, 111);
    OrtStatus *(*SessionGetModelMetadata)(const OrtSession *, OrtModelMetadata **);
    UNUSED(112, 116);
    OrtStatus *(*ModelMetadataLookupCustomMetadataMap)(
        const OrtModelMetadata *, OrtAllocator *, const char *key, char **value);
    UNUSED(117, 118);
    void (*ReleaseModelMetadata)(OrtModelMetadata *);
} OrtApi;

_Static_assert(offsetof(OrtApi, GetTensorTypeAndShape) == 65 * sizeof(void *), "a member is out of place");
_Static_assert(offsetof(OrtApi, ReleaseModelMetadata) == 118 * sizeof(void *), "a member is out of place");

struct OrtApiBase {
    const OrtApi *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)(void);
};

// The table's version of ONNX Runtime 1.11, which has all of the above; later libraries hand it out as well.
enum { TABLE_VERSION = 11 };

struct COnnxSession {
    const OrtApi *ort;
    OrtEnv *environment;
    OrtSession *session;
    OrtAllocator *allocator;
    OrtMemoryInfo *memory;
    char *input, *output;
};

const char *conn_version(const OrtApiBase *base) {
    return base && base->GetApi(TABLE_VERSION) ? base->GetVersionString() : NULL;
}

// Makes ONNX Runtime's answer a status of ours, and releases it.
static COnnxStatus status(const OrtApi *ort, OrtStatus *answer, char *message) {
    if (!answer) return CONN_DONE;
    snprintf(message, CONN_MESSAGE_LENGTH, "%s", ort->GetErrorMessage(answer));
    ort->ReleaseStatus(answer);
    // What the C++ library below throws where memory is short.
    return strstr(message, "bad_alloc") || strstr(message, "Failed to allocate") ? CONN_OUT_OF_MEMORY : CONN_REFUSED;
}

#define TRY(call)                                               \
    do {                                                        \
        COnnxStatus result = status(ort, (call), message);      \
        if (result != CONN_DONE) return result;                 \
    } while (0)

// From 1.29 on ONNX Runtime, as it is distributed, keeps a number for the machine and sends its maker what it is used for,
// the program's path among it: once when an environment is made, before there is anything that could forbid it, and unless
// this variable says otherwise. Nothing that reads receipts may do so, whatever the environment was.
static const char telemetry_variable[] = "ORT_DISABLE_TELEMETRY";

static bool is_telemetry_forbidden(void) {
    const char *value = getenv(telemetry_variable);
    return value && strcmp(value, "1") == 0;
}

// As the program starts, before it has a second thread: later, others may be reading the environment.
__attribute__((constructor)) static void forbid_telemetry(void) {
    if (!is_telemetry_forbidden()) setenv(telemetry_variable, "1", 1);
}

static COnnxStatus open_session(COnnxSession *own, const void *model, size_t bytes, char *message) {
    const OrtApi *ort = own->ort;
    if (!is_telemetry_forbidden()) return CONN_WOULD_REPORT;
    TRY(ort->CreateEnv(LOG_ERROR, "receipt-flattening", &own->environment));
    TRY(ort->DisableTelemetryEvents(own->environment));
    OrtSessionOptions *options = NULL;
    TRY(ort->CreateSessionOptions(&options));
    OrtStatus *answer = ort->SetIntraOpNumThreads(options, 1);
    if (!answer) answer = ort->SetInterOpNumThreads(options, 1);
    // Convolutions laid out for the processor's vectors too: a sixth less time, probabilities up to 5e-6 apart.
    if (!answer) answer = ort->SetSessionGraphOptimizationLevel(options, OPTIMIZE_ALL);
    // Rows are of all widths: memory kept for each of them would only grow.
    if (!answer) answer = ort->DisableMemPattern(options);
    if (!answer) answer = ort->DisableCpuMemArena(options);
    if (!answer) answer = ort->CreateSessionFromArray(own->environment, model, bytes, options, &own->session);
    ort->ReleaseSessionOptions(options);
    TRY(answer);
    TRY(ort->GetAllocatorWithDefaultOptions(&own->allocator));
    TRY(ort->CreateCpuMemoryInfo(ARENA_ALLOCATOR, DEFAULT_MEMORY, &own->memory));
    size_t inputs = 0, outputs = 0;
    TRY(ort->SessionGetInputCount(own->session, &inputs));
    TRY(ort->SessionGetOutputCount(own->session, &outputs));
    if (inputs != 1 || outputs != 1) return CONN_UNSUITABLE;
    TRY(ort->SessionGetInputName(own->session, 0, own->allocator, &own->input));
    TRY(ort->SessionGetOutputName(own->session, 0, own->allocator, &own->output));
    return CONN_DONE;
}

COnnxStatus conn_open(
    const OrtApiBase *base, const void *model, size_t bytes, COnnxSession **session, char *message) {
    message[0] = '\0';
    COnnxSession *own = calloc(1, sizeof *own);
    if (!own) return CONN_OUT_OF_MEMORY;
    own->ort = base->GetApi(TABLE_VERSION);
    COnnxStatus result = own->ort ? open_session(own, model, bytes, message) : CONN_UNSUITABLE;
    if (result == CONN_DONE) {
        *session = own;
    } else {
        conn_close(own);
    }
    return result;
}

// Gives back what ONNX Runtime's allocator made.
static void give_back(const COnnxSession *own, void *memory) {
    if (!memory) return;
    OrtStatus *answer = own->ort->AllocatorFree(own->allocator, memory);
    if (answer) own->ort->ReleaseStatus(answer);
}

void conn_close(COnnxSession *own) {
    if (own->ort) {
        give_back(own, own->input);
        give_back(own, own->output);
        if (own->memory) own->ort->ReleaseMemoryInfo(own->memory);
        if (own->session) own->ort->ReleaseSession(own->session);
        if (own->environment) own->ort->ReleaseEnv(own->environment);
    }
    free(own);
}

COnnxStatus conn_metadata(const COnnxSession *own, const char *key, char **value, char *message) {
    const OrtApi *ort = own->ort;
    message[0] = '\0';
    OrtModelMetadata *metadata = NULL;
    TRY(ort->SessionGetModelMetadata(own->session, &metadata));
    char *found = NULL;
    OrtStatus *answer = ort->ModelMetadataLookupCustomMetadataMap(metadata, own->allocator, key, &found);
    ort->ReleaseModelMetadata(metadata);
    TRY(answer);
    const size_t length = found ? strlen(found) + 1 : 0;
    *value = found ? malloc(length) : NULL;
    if (*value) memcpy(*value, found, length);
    COnnxStatus result = found && !*value ? CONN_OUT_OF_MEMORY : CONN_DONE;
    give_back(own, found);
    return result;
}

// What is asked of an output: 32-bit numbers of 1 x steps x classes.
static COnnxStatus describe(const OrtApi *ort, OrtValue *value, COnnxOutput *output, char *message) {
    OrtTensorTypeAndShapeInfo *shape = NULL;
    TRY(ort->GetTensorTypeAndShape(value, &shape));
    int type = 0;
    size_t dimensions = 0;
    int64_t lengths[3] = {0, 0, 0};
    OrtStatus *answer = ort->GetTensorElementType(shape, &type);
    if (!answer) answer = ort->GetDimensionsCount(shape, &dimensions);
    if (!answer && dimensions == 3) answer = ort->GetDimensions(shape, lengths, dimensions);
    ort->ReleaseTensorTypeAndShapeInfo(shape);
    TRY(answer);
    if (type != FLOAT_ELEMENTS || dimensions != 3 || lengths[0] != 1 || lengths[1] < 1 || lengths[2] < 2) {
        return CONN_UNSUITABLE;
    }
    void *values = NULL;
    TRY(ort->GetTensorMutableData(value, &values));
    *output = (COnnxOutput){.values = values, .steps = lengths[1], .classes = lengths[2], .value = value};
    return CONN_DONE;
}

COnnxStatus conn_run(
    const COnnxSession *own, const float *planes, int64_t height, int64_t width, COnnxOutput *output, char *message) {
    const OrtApi *ort = own->ort;
    message[0] = '\0';
    const int64_t shape[4] = {1, 3, height, width};
    const size_t bytes = sizeof(float) * 3 * (size_t)(height * width);
    OrtValue *input = NULL;
    TRY(ort->CreateTensorWithDataAsOrtValue(own->memory, (void *)planes, bytes, shape, 4, FLOAT_ELEMENTS, &input));
    OrtValue *result = NULL;
    OrtStatus *answer = ort->Run(
        own->session, NULL, (const char *const *)&own->input, (const OrtValue *const *)&input, 1,
        (const char *const *)&own->output, 1, &result);
    ort->ReleaseValue(input);
    TRY(answer);
    COnnxStatus described = describe(ort, result, output, message);
    if (described != CONN_DONE) ort->ReleaseValue(result);
    return described;
}

void conn_release(const COnnxSession *own, COnnxOutput output) { own->ort->ReleaseValue(output.value); }
