// One convolution by vectors of LANES numbers; included once for each kernel, with NAME giving names of its own.
//
// A tile is BLOCK outputs of two vectors of pixels: its 12 sums, the two vectors of input and a weight fit into 16
// registers. A map is walked as one run of numbers, so that vectors go on across the ends of rows; what comes out on the
// rim is nonsense and is cleared.

typedef float NAME(vector) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(mask) __attribute__((vector_size(4 * LANES)));
// The same anywhere in memory.
typedef float NAME(loose) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

INLINE void NAME(tile)(const struct job *job, const float *weights, ptrdiff_t inputs, int32_t outputs, ptrdiff_t at,
                       const float *addend, float *output, const int taps, const int columns) {
    NAME(vector) sums[BLOCK][2];
#pragma clang loop unroll(full)
    for (int k = 0; k < BLOCK; k++) {
#pragma clang loop unroll(full)
        for (int c = 0; c < columns; c++) sums[k][c] = weights[k] - (NAME(vector)){0};
    }
    weights += BLOCK;
    const float *input = job->input + at;
    for (ptrdiff_t i = 0; i < inputs; i++) {
#pragma clang loop unroll(full)
        for (int t = 0; t < taps; t++) {
            const float *from = input + job->offsets[t];
            NAME(vector) values[2];
#pragma clang loop unroll(full)
            for (int c = 0; c < columns; c++) values[c] = *(const NAME(loose) *)(from + c * LANES);
#pragma clang loop unroll(full)
            for (int k = 0; k < BLOCK; k++) {
#pragma clang loop unroll(full)
                for (int c = 0; c < columns; c++) sums[k][c] += weights[k] * values[c];
            }
            weights += BLOCK;
        }
        input += job->input_step;
    }
#pragma clang loop unroll(full)
    for (int k = 0; k < BLOCK; k++) {
        if (k >= outputs) break;
#pragma clang loop unroll(full)
        for (int c = 0; c < columns; c++) {
            const ptrdiff_t place = at + k * job->output_step + c * LANES;
            NAME(vector) sum = sums[k][c];
            if (addend) sum += *(const NAME(loose) *)(addend + place);
            if (job->rectified) sum = (NAME(vector))((NAME(mask))sum & (sum > 0));
            *(NAME(loose) *)(output + place) = sum;
        }
    }
}

INLINE void NAME(run)(const struct job *job, const int taps) {
    const ptrdiff_t block_weights = BLOCK * (1 + (ptrdiff_t)job->inputs * taps);
    for (ptrdiff_t at = job->first; at < job->end; at += 2 * LANES) {
        const bool one = job->end - at <= LANES;
        for (int32_t o = 0; o < job->outputs; o += BLOCK) {
            const float *weights = job->weights + o / BLOCK * block_weights;
            const float *addend = job->addend ? job->addend + o * job->output_step : NULL;
            float *output = job->output + o * job->output_step;
            if (one) {
                NAME(tile)(job, weights, job->inputs, job->outputs - o, at, addend, output, taps, 1);
            } else {
                NAME(tile)(job, weights, job->inputs, job->outputs - o, at, addend, output, taps, 2);
            }
        }
    }
}

static void NAME(convolve)(const struct job *job) {
    if (job->taps == 9) {
        NAME(run)(job, 9);
    } else {
        NAME(run)(job, 1);
    }
}
