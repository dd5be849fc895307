// Projections with weights in the blocks of their file (models/pack/blocks.go); the twin of
// plain_blocks.go. A level file defines
//
//	BLOCK_TILE         rows that are multiplied at a time, at most blockTile
//	b64                64 numbers: 4 inputs of each of the 16 lanes
//	b_load             reads 64 bytes
//	b_low, b_high      the lower and the upper halves of bytes
//	b_bits             bits shift to shift+bits-1 of bytes, moved to bit 4
//	b_or               either's bits
//	b_dot              sum += numbers below 64 x 4 inputs, in each lane
//	b_dot_byte         the same of numbers below 256
//	i_dot_pairs        sum += 2 unsigned bytes of each lane x 2 inputs of 16 bits
//	i_from_u8, i_from_i8, i_set, i_mul, v_from_signed_f16   see the names

// BLOCK_AHEAD is how many bytes ahead of the weights more are asked for.
#define BLOCK_AHEAD 8192

// block_rows are prepared rows, each so many elements behind the one before.
typedef struct {
	const int8_t *q;
	const float *step;
	const int32_t *begin;
	size_t inputs, groups, parts;
} block_rows;

// expand_part leaves the numbers of a part of a group, PART inputs from number 4*quad on.
INLINE void expand_part(b64 *w, const uint8_t *low, const uint8_t *high, int quad, const int quads, const int bits) {
	UNROLL
	for (int q = 0; q < quads; q += 2) {
		b64 both = b_load(low + (quad + q) / 2 * 64);
		w[q] = b_low(both), w[q + 1] = b_high(both);
		if (bits == 0) continue;
		b64 above = b_load(high + (quad + q) * bits / 8 * 64);
		int shift = (quad + q) % (8 / bits) * bits;
		w[q] = b_or(w[q], b_bits(above, shift, bits));
		w[q + 1] = b_or(w[q + 1], b_bits(above, shift + bits, bits));
	}
}

// strip_rows multiplies rows with a strip and leaves their sums, 16 each.
INLINE void strip_rows(v16 *sums, const block_rows *in, const uint8_t *strip, int groups,
	const int group, const int part, const int bits, const int minima, const int scaled, const int rows) {
	const int parts = group / part, quads = part / 4;
	const int scales_at = minima ? 64 : 32, minima_at = scales_at + (scaled ? 16 * parts : 0);
	const int low_at = minima_at + (minima ? 16 * parts : 0), high_at = low_at + group * 8;
	const int bytes = high_at + group * 2 * bits;
	UNROLL
	for (int r = 0; r < rows; r++) sums[r] = v_set(0.0f);
	for (int g = 0; g < groups; g++, strip += bytes) {
		for (int i = 0; i < bytes; i += 64) __builtin_prefetch((const void *)((uintptr_t)strip + BLOCK_AHEAD + (size_t)i), 0, 2);
		v16 least[BLOCK_TILE];
		if (minima) {
			v16 scale = v_from_signed_f16((const uint16_t *)(const void *)(strip + 32));
			UNROLL
			for (int r = 0; r < rows; r++) {
				const int32_t *begin = in->begin + (size_t)r * in->parts + g * (parts / 2);
				i16 sum = i_zero();
				UNROLL
				for (int p = 0; p < parts / 2; p++) sum = i_dot_pairs(sum, strip + minima_at + 32 * p, begin[p]);
				least[r] = v_mul(v_from_i32(sum), scale);
			}
		}
		i16 product[BLOCK_TILE];
		UNROLL
		for (int r = 0; r < rows; r++) product[r] = i_zero();
		UNROLL
		for (int p = 0; p < parts; p++) {
			b64 w[8];
			expand_part(w, strip + low_at, strip + high_at, p * quads, quads, bits);
			i16 scale = scaled ? minima ? i_from_u8(strip + scales_at + 16 * p) : i_from_i8(strip + scales_at + 16 * p) : i_zero();
			UNROLL
			for (int r = 0; r < rows; r++) {
				const int8_t *q = in->q + (size_t)r * in->inputs + g * group + p * part;
				i16 sum = minima ? i_zero() : i_set(in->begin[(size_t)r * in->parts + g * parts + p]);
				UNROLL
				for (int i = 0; i < quads; i++) {
					int32_t four;
					memcpy(&four, q + 4 * i, sizeof four);
					sum = bits == 4 ? b_dot_byte(sum, w[i], four) : b_dot(sum, w[i], four);
				}
				product[r] = scaled ? i_add(product[r], i_mul(sum, scale)) : sum;
			}
		}
		v16 scale = v_from_signed_f16((const uint16_t *)(const void *)strip);
		UNROLL
		for (int r = 0; r < rows; r++) {
			v16 value = v_mul(v_from_i32(product[r]), scale);
			if (minima) value = v_sub(value, least[r]);
			sums[r] = v_add(sums[r], v_mul(value, v_set(in->step[(size_t)r * in->groups + g])));
		}
	}
}

// STRIP_OF is strip_rows for a form: of one row, and of a tile, whose last rows may be ones
// whose sums nobody reads.
#define STRIP_OF(name, group, part, bits, minima, scaled) \
	TARGET static void name##_one(v16 *sums, const block_rows *in, const uint8_t *strip, int groups) { \
		strip_rows(sums, in, strip, groups, group, part, bits, minima, scaled, 1); \
	} \
	TARGET static void name##_tile(v16 *sums, const block_rows *in, const uint8_t *strip, int groups) { \
		strip_rows(sums, in, strip, groups, group, part, bits, minima, scaled, BLOCK_TILE); \
	}

STRIP_OF(q4k, 256, 32, 0, 1, 1)
STRIP_OF(q5k, 256, 32, 1, 1, 1)
STRIP_OF(q6k, 256, 16, 2, 0, 1)
STRIP_OF(q4, 32, 32, 0, 0, 0)
STRIP_OF(q5, 32, 32, 1, 0, 0)
STRIP_OF(q8, 32, 32, 4, 0, 0)

// block_form is what a form needs.
typedef struct {
	void (*one)(v16 *, const block_rows *, const uint8_t *, int), (*tile)(v16 *, const block_rows *, const uint8_t *, int);
	int group, part, bytes, minima;
} block_form;

TARGET static block_form form_of(int letter) {
	switch (letter) {
	case FORM_Q4K: return (block_form){q4k_one, q4k_tile, 256, 32, 2368, 1};
	case FORM_Q5K: return (block_form){q5k_one, q5k_tile, 256, 32, 2880, 1};
	case FORM_Q6K: return (block_form){q6k_one, q6k_tile, 256, 16, 3360, 0};
	case FORM_Q4: return (block_form){q4_one, q4_tile, 32, 32, 288, 0};
	case FORM_Q5: return (block_form){q5_one, q5_tile, 32, 32, 352, 0};
	default: return (block_form){q8_one, q8_tile, 32, 32, 544, 0};
	}
}

// store_strip adds the bias and writes lanes from to to-1.
INLINE void store_strip(float *dst, v16 sum, const float *bias, int from, int to) {
	if (from == 0 && to == 16) {
		v_store(dst, v_add(sum, v_load(bias)));
		return;
	}
	float lanes[16];
	v_store(lanes, sum);
	for (int c = from; c < to; c++) dst[c] = lanes[c] + bias[c];
}

TARGET static void linear_blocks(float *dst, int stride, const int8_t *q, const float *step, const int32_t *begin, int rows,
	int form, const uint8_t *data, int k, const float *bias, int from, int to) {
	block_form f = form_of(form);
	int groups = k / f.group;
	block_rows all = {q, step, begin, (size_t)k, (size_t)groups, (size_t)(f.minima ? k / f.part / 2 : k / f.part)};
	for (int c = from / 16 * 16; c < to; c += 16) {
		const uint8_t *strip = data + (size_t)(c / 16) * (size_t)groups * (size_t)f.bytes;
		int first = c < from ? from - c : 0, last = to - c < 16 ? to - c : 16;
		for (int row = 0; row < rows;) {
			v16 sums[BLOCK_TILE];
			block_rows in = all;
			in.q += (size_t)row * all.inputs, in.step += (size_t)row * all.groups, in.begin += (size_t)row * all.parts;
			int some = rows - row == 1 ? 1 : rows - row < BLOCK_TILE ? rows - row : BLOCK_TILE;
			if (some == 1) f.one(sums, &in, strip, groups);
			else f.tile(sums, &in, strip, groups);
			for (int r = 0; r < some; r++) store_strip(dst + (size_t)(row + r) * (size_t)stride + c, sums[r], bias + c, first, last);
			row += some;
		}
	}
}

// quantize_group writes a group of inputs as bytes and returns the step.
INLINE float quantize_group(int8_t *q, const float *x, int count) {
	int32_t bits = largest_bits(x, count);
	if (bits >= 0x7f800000 || bits < (127 - 100) << 23) {
		memset(q, 0, (size_t)count);
		return bits >= 0x7f800000 ? NAN : 0.0f;
	}
	float largest;
	memcpy(&largest, &bits, sizeof largest);
	v16 inverse = v_set(127.0f / largest);
	for (int i = 0; i < count; i += 16) signed_bytes(q + i, v_mul(v_load(x + i), inverse));
	return largest / 127.0f;
}

TARGET static void prepare_blocks(int8_t *q, float *step, int32_t *begin, const float *x, int rows, int k,
	int group, int part, int minima, int offset) {
	int count = rows * (k / group);
	for (int g = 0; g < count; g++) step[g] = quantize_group(q + (size_t)g * (size_t)group, x + (size_t)g * (size_t)group, group);
	count = rows * (k / part);
	for (int p = 0; p < count; p++) {
		int32_t sum = 0;
		for (int i = 0; i < part; i++) sum += q[(size_t)p * (size_t)part + (size_t)i];
		if (!minima) begin[p] = -offset * sum;
		else if (p % 2 == 0) begin[p / 2] = sum & 0xffff;
		else begin[p / 2] |= (int32_t)((uint32_t)sum << 16);
	}
}

// KERNEL_TABLE are the operations of the level that included this.
#define KERNEL_TABLE \
	{quantize_rows, linear, dequantize, add_layer_norm, gelu_all, attention, dot_many, add_low_rank, embed, \
		rms_norm, swiglu, geglu, rotate, quantize_heads, causal_scores, causal_softmax, causal_values, \
		logits, linear_rows, linear4, prepare_blocks, linear_blocks, scale_inputs, mask}
