// One convolution by vectors of LANES numbers; included once for each kernel, with NAME giving names of its own.
//
// A tile is BLOCK outputs of two vectors of columns: its sums stay in registers while all inputs are added.

typedef float NAME(vector) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(mask) __attribute__((vector_size(4 * LANES)));
// The same anywhere in memory.
typedef float NAME(loose) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

INLINE void NAME(tile)(const struct job *job, const float *weights, const float *input, float *output, int32_t outputs,
                       const int side) {
    NAME(vector) sums[BLOCK][2];
#pragma clang loop unroll(full)
    for (int k = 0; k < BLOCK; k++) sums[k][0] = sums[k][1] = weights[k] - (NAME(vector)){0};
    weights += BLOCK;
    const ptrdiff_t input_step = (ptrdiff_t)job->from.height * job->from.pitch;
    for (int32_t i = 0; i < job->from.count; i++) {
#pragma clang loop unroll(full)
        for (int t = 0; t < side * side; t++) {
            const float *at = input + t / side * job->from.pitch + t % side;
            const NAME(vector) values[2] = {*(const NAME(loose) *)at, *(const NAME(loose) *)(at + LANES)};
#pragma clang loop unroll(full)
            for (int k = 0; k < BLOCK; k++) {
                sums[k][0] += weights[k] * values[0];
                sums[k][1] += weights[k] * values[1];
            }
            weights += BLOCK;
        }
        input += input_step;
    }
    const ptrdiff_t output_step = (ptrdiff_t)job->to.height * job->to.pitch;
#pragma clang loop unroll(full)
    for (int k = 0; k < BLOCK; k++) {
        if (k >= outputs) break;
#pragma clang loop unroll(full)
        for (int c = 0; c < 2; c++) {
            NAME(vector) sum = sums[k][c];
            if (job->rectified) sum = (NAME(vector))((NAME(mask))sum & (sum > 0));
            *(NAME(loose) *)(output + k * output_step + c * LANES) = sum;
        }
    }
}

INLINE void NAME(run)(const struct job *job, const int side) {
    const ptrdiff_t block_weights = BLOCK * (1 + (ptrdiff_t)job->from.count * side * side);
    const ptrdiff_t output_step = (ptrdiff_t)job->to.height * job->to.pitch;
    for (int32_t o = 0; o < job->to.count; o += BLOCK) {
        const float *weights = job->weights + o / BLOCK * block_weights;
        for (int32_t y = 0; y < job->to.height; y++) {
            const float *input = job->input + (ptrdiff_t)y * job->from.pitch;
            float *output = job->output + o * output_step + (ptrdiff_t)y * job->to.pitch;
            for (int32_t x = 0; x < job->to.pitch; x += 2 * LANES) {
                NAME(tile)(job, weights, input + x, output + x, job->to.count - o, side);
            }
        }
    }
}

static void NAME(convolve)(const struct job *job, int32_t side) {
    if (side == 3) {
        NAME(run)(job, 3);
    } else {
        NAME(run)(job, 1);
    }
}
