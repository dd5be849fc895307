// NEON, which every 64-bit ARM has.
#define TARGET
#define INLINE static inline __attribute__((always_inline))
#define LANES INLINE

#include "native.h"
#include "lanes_neon.h"
#include "float_kernels.h"
#include "decoder_kernels.h"

#define QUERY_TILE 4
#define TILE_VECTORS 1
#define SHARED_QUERIES 1
#include "attention_kernels.h"
#include "causal_kernels.h"

#define LOW_TILE 2
#include "lowrank_kernels.h"

// dot adds neighbouring products in 16 bits, where two of them fit: weights and
// inputs are in -127..127, and 2*127*127 < 2^15.
INLINE int32x4_t dot(int32x4_t sum, int8x16_t w, int8x16_t x) {
	int16x8_t lo = vmull_s8(vget_low_s8(w), vget_low_s8(x)), hi = vmull_high_s8(w, x);
	return vpadalq_s16(sum, vpaddq_s16(lo, hi));
}

#include "neon_linear.h"
#include "head_kernels.h"
#include "linear_kernels.h"
#include "sparse_kernels.h"
#include "linear4_kernels.h"
#include "peak_kernels.h"
#define BLOCK_TILE 4
#define BLOCK_STRIPS 1
#include "lanes_blocks_neon.h"
#include "blocks_kernels.h"

const kernel_table kernel_neon = KERNEL_TABLE;
