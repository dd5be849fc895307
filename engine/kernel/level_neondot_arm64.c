// NEON with the dot product of ARMv8.2.
#define TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
#define INLINE TARGET static inline __attribute__((always_inline))
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

INLINE int32x4_t dot(int32x4_t sum, int8x16_t w, int8x16_t x) { return vdotq_s32(sum, w, x); }

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

const kernel_table kernel_neondot = KERNEL_TABLE;
