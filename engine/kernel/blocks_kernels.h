// Projections with weights in the blocks of their file (models/pack/blocks.go); the twin of
// plain_blocks.go. A level file defines
//
//	BLOCK_TILE         rows that are multiplied with a panel at a time, a divisor of blockTile
//	BLOCK_STRIPS       strips of a panel
//	b64                64 numbers: 4 inputs of each of the 16 lanes
//	b_load, b_store    64 bytes
//	b_hold             the same, in a register: GCC would load numbers again for each row
//	b_low, b_high      the lower and the upper halves of bytes
//	b_bits             bits shift to shift+bits-1 of bytes, moved to bit 4
//	b_or               either's bits
//	b_level            128 more than the levels of numbers below 16
//	b_ready            numbers, of which an offset stands for zero, as d_dot takes them
//	d_run              up to how many times numbers below 16<<bits x 4 inputs are added, of a
//	                   form with scales of parts or one without
//	d_zero             what of a number counts as zero in those sums, once they begin with
//	                   -d_begun times the sum of their inputs
//	d_begin, d_dot, d_end      a sum plus so many of them, in each lane
//	d_scales, d_scale  sum += so many of them, times scales of parts
//	i_dot_pairs        sum += 2 words of each lane x 2 inputs of 16 bits
//	i_pairs            16 pairs of unsigned bytes as i_dot_pairs takes them
//	i_halves           words of a lane: the lower halves of two vectors
//	i_from_u8, i_from_i8, i_set, i_mul, i_as_float, v_from_signed_f16, v_fma   see the names
//
// Sums of a scaled run stay below 2^15, so that their scales are applied by products of words:
// numbers are counted from the middle of their range (d_zero), or added in fewer steps. What
// then is too much or too little of a part is its scale times the sum of its inputs.

// BLOCK_AHEAD is how many bytes ahead of the weights of one row more are asked for.
#define BLOCK_AHEAD 8192

// MAGIC_BITS are the bits of V_MAGIC. An integer of less than 23 bits that is added to them
// makes the float V_MAGIC plus the integer.
#define MAGIC_BITS 0x4b400000

// block_rows are prepared rows, each so many elements behind the one before.
typedef struct {
	const int8_t *q;
	const float *step;
	const int32_t *begin; // what the sums of each run begin with
	const int32_t *pairs; // of forms with scales: the sums of the inputs of two parts, 16 bits each
	size_t inputs, groups, runs, paired;
} block_rows;

// block_shape is a pack.Form: what of it is constant in a loop.
typedef struct {
	int group, part, bits, minima, scaled, levels, offset;
} block_shape;

// bits_of are those of an expanded number above the four low ones.
INLINE int bits_of(block_shape f) { return f.levels ? 4 : f.bits; }

// run_of is how many quads of a part are added at a time.
INLINE int run_of(block_shape f) {
	int most = d_run(bits_of(f), f.scaled);
	return most < f.part / 4 ? most : f.part / 4;
}

// lift_of is by how much the numbers of a scaled run are counted too low.
INLINE int lift_of(block_shape f) { return d_zero(bits_of(f), f.offset) - f.offset; }

// runs_of and paired_of count what rows of k inputs have of begin and of pairs.
INLINE int runs_of(block_shape f, int k) { return f.scaled ? k / 4 / run_of(f) : k / f.part; }
INLINE int paired_of(block_shape f, int k) { return f.scaled ? k / f.part / 2 : 0; }

// Where the pieces of a group lie.
INLINE int scales_at(block_shape f) { return f.minima ? 64 : 32; }
INLINE int minima_at(block_shape f) { return scales_at(f) + (f.scaled ? 16 * (f.group / f.part) : 0); }
INLINE int low_at(block_shape f) { return minima_at(f) + (f.minima ? 16 * (f.group / f.part) : 0); }
INLINE int high_at(block_shape f) { return low_at(f) + f.group * 8; }
INLINE int group_bytes(block_shape f) { return high_at(f) + f.group * 2 * f.bits; }

// fetch asks for bytes from one place to another. Past the end of a matrix this does nothing.
INLINE void fetch(const uint8_t *data, size_t from, size_t to) {
	for (size_t at = from; at < to; at += 64) __builtin_prefetch((const void *)((uintptr_t)data + at), 0, 2);
}

// expand_part leaves the numbers of a part of a group.
INLINE void expand_part(b64 *w, const uint8_t *group, const int part, block_shape f) {
	const uint8_t *low = group + low_at(f), *high = group + high_at(f);
	const int bits = f.bits, quads = f.part / 4, quad = part * quads;
	UNROLL
	for (int q = 0; q < quads; q += 2) {
		b64 both = b_load(low + (quad + q) / 2 * 64);
		w[q] = b_low(both), w[q + 1] = b_high(both);
		if (f.levels) w[q] = b_level(w[q]), w[q + 1] = b_level(w[q + 1]);
		if (bits != 0) {
			b64 above = b_load(high + (quad + q) * bits / 8 * 64);
			int shift = (quad + q) % (8 / bits) * bits;
			w[q] = b_or(w[q], b_bits(above, shift, bits));
			w[q + 1] = b_or(w[q + 1], b_bits(above, shift + bits, bits));
		}
		w[q] = b_ready(w[q], f.offset), w[q + 1] = b_ready(w[q + 1], f.offset);
	}
}

INLINE int32_t four_inputs(const int8_t *q) {
	int32_t four;
	memcpy(&four, q, sizeof four);
	return four;
}

// scales_of are those of a part.
INLINE i16 scales_of(const uint8_t *group, int part, block_shape f) {
	const uint8_t *at = group + scales_at(f) + 16 * part;
	return f.minima ? i_from_u8(at) : i_from_i8(at);
}

// paired_scales are those of two parts.
INLINE i16 paired_scales(const uint8_t *group, int pair, block_shape f) {
	return i_halves(scales_of(group, 2 * pair, f), scales_of(group, 2 * pair + 1, f));
}

INLINE i16 paired_minima(const uint8_t *group, int pair, block_shape f) {
	return i_pairs(group + minima_at(f) + 32 * pair);
}

// factor is a half-precision number of each lane, and what takes V_MAGIC from its products.
typedef struct {
	v16 scale, rest;
} factor;

INLINE factor factor_at(const uint8_t *halves) {
	v16 scale = v_from_signed_f16((const uint16_t *)(const void *)halves);
	return (factor){scale, v_mul(scale, v_set(-V_MAGIC))};
}

// times_factor is an integer, to which MAGIC_BITS were added, times a factor. That has 11 bits
// and its product with V_MAGIC 13, so rest is exact, and the product is rounded but once, as
// if the integer had been made a float before.
INLINE v16 times_factor(i16 sum, factor by) { return v_fma(i_as_float(sum), by.scale, by.rest); }

// row_group is the product of one row and a group of a strip, in steps of the inputs.
INLINE v16 row_group(const int8_t *q, const int32_t *begin, const int32_t *pairs, const uint8_t *group, block_shape f) {
	const int parts = f.group / f.part, run = run_of(f);
	i16 product = i_zero(), minima = i_set(MAGIC_BITS);
	if (lift_of(f) != 0 && f.scaled) {
		UNROLL
		for (int p = 0; p < parts / 2; p++) product = i_dot_pairs(product, paired_scales(group, p, f), pairs[p]);
		product = i_mul(product, i_set(lift_of(f)));
	}
	UNROLL
	for (int p = 0; p < parts; p++) {
		b64 w[8];
		expand_part(w, group, p, f);
		i16 scales = f.scaled ? d_scales(scales_of(group, p, f)) : i_zero();
		if (!f.scaled) product = i_set(begin[p]);
		UNROLL
		for (int i = 0; i < f.part / 4; i += run, q += 4 * run) {
			i16 d = d_begin(f.scaled ? i_set(*begin++) : product, bits_of(f));
			UNROLL
			for (int j = 0; j < run; j++) d = d_dot(d, w[i + j], four_inputs(q + 4 * j), bits_of(f));
			product = f.scaled ? d_scale(product, d, scales) : d_end(product, d, bits_of(f));
		}
	}
	if (!f.scaled) return times_factor(product, factor_at(group));
	v16 value = v_mul(v_from_i32(product), v_from_signed_f16((const uint16_t *)(const void *)group));
	if (!f.minima) return value;
	UNROLL
	for (int p = 0; p < parts / 2; p++) minima = i_dot_pairs(minima, paired_minima(group, p, f), pairs[p]);
	return v_sub(value, times_factor(minima, factor_at(group + 32)));
}

// row_strip multiplies one row with a strip.
INLINE v16 row_strip(const block_rows *in, const uint8_t *strip, block_shape f) {
	v16 total = v_set(0.0f);
	for (size_t g = 0; g < in->groups; g++, strip += group_bytes(f)) {
		fetch(strip, BLOCK_AHEAD, BLOCK_AHEAD + (size_t)group_bytes(f));
		v16 value = row_group(in->q + g * (size_t)f.group, in->begin + g * (size_t)runs_of(f, f.group),
			in->pairs + g * (size_t)paired_of(f, f.group), strip, f);
		total = v_add(total, v_mul(value, v_set(in->step[g])));
	}
	return total;
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

#include "blocks_panel.h"

#define SHAPE_Q4K ((block_shape){256, 32, 0, 1, 1, 0, 0})
#define SHAPE_Q5K ((block_shape){256, 32, 1, 1, 1, 0, 0})
#define SHAPE_Q6K ((block_shape){256, 16, 2, 0, 1, 0, 32})
#define SHAPE_Q4 ((block_shape){32, 32, 0, 0, 0, 0, 8})
#define SHAPE_Q5 ((block_shape){32, 32, 1, 0, 0, 0, 16})
#define SHAPE_Q8 ((block_shape){32, 32, 4, 0, 0, 0, 128})
#define SHAPE_LEVELS ((block_shape){32, 32, 0, 0, 0, 1, 128})

// PANEL_OF is what multiplies the numbers of a panel; d_run of more bits suits fewer too.
#define PANEL_OF(name, shape) \
	TARGET static void name(block_panel *p, const block_rows *in, int rows, int bytes) { panel_rows(p, *in, rows, bytes, shape); }

PANEL_OF(panel_q4k, SHAPE_Q4K)
PANEL_OF(panel_q5k, SHAPE_Q5K)
PANEL_OF(panel_q6k, SHAPE_Q6K)
PANEL_OF(panel_plain, SHAPE_Q5)
PANEL_OF(panel_bytes, SHAPE_Q8)

#define FORM_OF(name, shape) \
	TARGET static v16 name##_row(const block_rows *in, const uint8_t *strip) { return row_strip(in, strip, shape); } \
	TARGET static void name##_expand(block_panel *p) { expand_panel(p, shape); }

FORM_OF(q4k, SHAPE_Q4K)
FORM_OF(q5k, SHAPE_Q5K)
FORM_OF(q6k, SHAPE_Q6K)
FORM_OF(q4, SHAPE_Q4)
FORM_OF(q5, SHAPE_Q5)
FORM_OF(q8, SHAPE_Q8)
FORM_OF(levels, SHAPE_LEVELS)

// block_form is what a form needs.
typedef struct {
	v16 (*row)(const block_rows *, const uint8_t *);
	void (*expand)(block_panel *);
	void (*rows)(block_panel *, const block_rows *, int rows, int bytes);
	block_shape shape;
} block_form;

TARGET static block_form form_of(int letter) {
	switch (letter) {
	case FORM_Q4K: return (block_form){q4k_row, q4k_expand, panel_q4k, SHAPE_Q4K};
	case FORM_Q5K: return (block_form){q5k_row, q5k_expand, panel_q5k, SHAPE_Q5K};
	case FORM_Q6K: return (block_form){q6k_row, q6k_expand, panel_q6k, SHAPE_Q6K};
	case FORM_Q4: return (block_form){q4_row, q4_expand, panel_plain, SHAPE_Q4};
	case FORM_Q5: return (block_form){q5_row, q5_expand, panel_plain, SHAPE_Q5};
	case FORM_LEVELS: return (block_form){levels_row, levels_expand, panel_bytes, SHAPE_LEVELS};
	default: return (block_form){q8_row, q8_expand, panel_bytes, SHAPE_Q8};
	}
}

// sum_panel leaves the sums of rows and some strips, which will go to out.
INLINE void sum_panel(block_panel *p, const block_form *f, const block_rows *in, int rows, const float *out) {
	block_rows some = *in;
	int bytes = group_bytes(f->shape);
	for (int r = 0; r < (rows + BLOCK_TILE - 1) / BLOCK_TILE * BLOCK_TILE; r++)
		for (int s = 0; s < BLOCK_STRIPS; s++) p->sums[r][s] = v_set(0.0f);
	for (size_t g = 0; g < in->groups; g += (size_t)p->groups) {
		size_t left = in->groups - g, most = (size_t)(PANEL_INPUTS / f->shape.group);
		p->groups = (int)(left < most ? left : most);
		p->out = left <= most ? out : NULL;
		f->expand(p);
		f->rows(p, &some, rows, bytes);
		int inputs = p->groups * f->shape.group;
		some.q += inputs, some.step += p->groups, some.begin += runs_of(f->shape, inputs), some.pairs += paired_of(f->shape, inputs);
		for (int s = 0; s < BLOCK_STRIPS; s++) p->strips[s] += p->groups * bytes;
	}
}

// rows_from are the rows of some from one on.
INLINE block_rows rows_from(const block_rows *in, size_t row) {
	block_rows some = *in;
	some.q += row * in->inputs, some.step += row * in->groups, some.begin += row * in->runs, some.pairs += row * in->paired;
	return some;
}

TARGET static void linear_blocks(float *dst, int stride, const int8_t *q, const float *step, const int32_t *begin, int rows,
	int form, const uint8_t *data, int k, const float *bias, int from, int to) {
	block_form f = form_of(form);
	size_t groups = (size_t)(k / f.shape.group), bytes = groups * (size_t)group_bytes(f.shape), runs = (size_t)runs_of(f.shape, k);
	block_rows all = {q, step, begin, begin + (size_t)rows * runs, (size_t)k, groups, runs, (size_t)paired_of(f.shape, k)};
	block_panel panel;
	panel.ahead = BLOCK_STRIPS * bytes, panel.stride = (size_t)stride;
	for (int c = from / 16 * 16; c < to; c += rows == 1 ? 16 : 16 * BLOCK_STRIPS) {
		const uint8_t *strip = data + (size_t)(c / 16) * bytes;
		if (rows == 1) {
			store_strip(dst + c, f.row(&all, strip), bias + c, c < from ? from - c : 0, to - c < 16 ? to - c : 16);
			continue;
		}
		for (int row = 0; row < rows; row += PANEL_ROWS) {
			int some = rows - row < PANEL_ROWS ? rows - row : PANEL_ROWS;
			block_rows in = rows_from(&all, (size_t)row);
			for (int s = 0; s < BLOCK_STRIPS; s++) panel.strips[s] = c + 16 * s < to ? strip + (size_t)s * bytes : strip;
			sum_panel(&panel, &f, &in, some, dst + (size_t)row * (size_t)stride + c);
			for (int s = 0; c + 16 * s < to && s < BLOCK_STRIPS; s++) {
				int at = c + 16 * s, first = at < from ? from - at : 0, last = to - at < 16 ? to - at : 16;
				for (int r = 0; r < some; r++) store_strip(dst + (size_t)(row + r) * (size_t)stride + at, panel.sums[r][s], bias + at, first, last);
			}
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

// sum_inputs adds up inputs, a multiple of 8 of them, 128 more each, 8 at a time.
INLINE int32_t sum_inputs(const int8_t *q, int count) {
	const uint64_t even = 0x00ff00ff00ff00ff;
	int32_t sum = -128 * count;
	for (int i = 0; i < count; i += 8) {
		uint64_t eight;
		memcpy(&eight, q + i, sizeof eight);
		eight ^= 0x8080808080808080;
		sum += (int32_t)(((eight & even) + (eight >> 8 & even)) * 0x0001000100010001 >> 48);
	}
	return sum;
}

// prepare_blocks writes what sums of runs begin with to begin, and behind those of all rows
// the pairs.
TARGET static void prepare_blocks(int8_t *q, float *step, int32_t *begin, const float *x, int rows, int k, int form) {
	block_shape f = form_of(form).shape;
	int count = rows * (k / f.group), runs = rows * runs_of(f, k), each = k * rows / runs;
	for (int g = 0; g < count; g++) step[g] = quantize_group(q + (size_t)g * (size_t)f.group, x + (size_t)g * (size_t)f.group, f.group);
	int zero = d_begun(bits_of(f), f.offset, f.scaled), first = f.scaled ? 0 : MAGIC_BITS;
	for (int i = 0; i < runs; i++) begin[i] = first - zero * sum_inputs(q + (size_t)i * (size_t)each, each);
	count = rows * paired_of(f, k);
	for (int p = 0; p < count; p++) {
		const int8_t *at = q + (size_t)p * 2 * (size_t)f.part;
		begin[runs + p] = (int32_t)((uint32_t)sum_inputs(at, f.part) & 0xffff) | (int32_t)((uint32_t)sum_inputs(at + f.part, f.part) << 16);
	}
}

// KERNEL_TABLE are the operations of the level that included this.
#define KERNEL_TABLE \
	{quantize_rows, linear, dequantize, add_layer_norm, gelu_all, attention, dot_many, add_low_rank, embed, \
		rms_norm, swiglu, geglu, rotate, quantize_heads, causal_scores, causal_softmax, causal_values, \
		logits, linear_rows, linear4, prepare_blocks, linear_blocks, scale_inputs, mask, peak}
