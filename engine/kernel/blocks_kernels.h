// Projections with weights in the blocks of their file (models/pack/blocks.go); the twin of
// plain_blocks.go. A level file defines
//
//	BLOCK_TILE         rows that are multiplied with a panel at a time, a divisor of blockTile
//	SCALED_STRIPS, PLAIN_STRIPS   strips of a panel with and without scales of parts
//	b64                64 numbers: 4 inputs of each of the 16 lanes
//	b_load, b_store    64 bytes
//	b_low, b_high      the lower and the upper halves of bytes
//	b_bits             bits shift to shift+bits-1 of bytes, moved to bit 4
//	b_or               either's bits
//	b_level            128 more than the levels of numbers below 16
//	d_run              up to how many times numbers below 16<<bits x 4 inputs are added
//	d_begin, d_dot, d_end      a sum plus so many of them, in each lane
//	d_scales, d_scale  sum += so many of them, begun with 0, times small scales of parts
//	d_first            begin of the sums of a form without minima
//	i_dot_pairs        sum += 2 unsigned bytes of each lane x 2 inputs of 16 bits
//	i_from_u8, i_from_i8, i_set, i_mul, v_from_signed_f16   see the names

// BLOCK_AHEAD is how many bytes ahead of the weights of one row more are asked for.
#define BLOCK_AHEAD 8192

// block_rows are prepared rows, each so many elements behind the one before.
typedef struct {
	const int8_t *q;
	const float *step;
	const int32_t *begin;
	size_t inputs, groups, parts;
} block_rows;

// block_shape is what of a pack.Form is constant in a loop.
typedef struct {
	int group, part, bits, minima, scaled, levels, strips;
} block_shape;

// bits_of are those of an expanded number above the four low ones.
INLINE int bits_of(block_shape f) { return f.levels ? 4 : f.bits; }

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
		if (bits == 0) continue;
		b64 above = b_load(high + (quad + q) * bits / 8 * 64);
		int shift = (quad + q) % (8 / bits) * bits;
		w[q] = b_or(w[q], b_bits(above, shift, bits));
		w[q + 1] = b_or(w[q + 1], b_bits(above, shift + bits, bits));
	}
}

INLINE int32_t four_inputs(const int8_t *q) {
	int32_t four;
	memcpy(&four, q, sizeof four);
	return four;
}

// part_scales are those of a part.
INLINE i16 part_scales(const uint8_t *group, int part, block_shape f) {
	const uint8_t *at = group + scales_at(f) + 16 * part;
	return f.minima ? d_scales(i_from_u8(at), bits_of(f)) : i_from_i8(at);
}

// sum_minima is the sum of a row's inputs times the minima of their parts.
INLINE i16 sum_minima(const uint8_t *group, const int32_t *begin, block_shape f) {
	i16 sum = i_zero();
	if (!f.minima) return sum;
	UNROLL
	for (int p = 0; p < f.group / f.part / 2; p++) sum = i_dot_pairs(sum, group + minima_at(f) + 32 * p, begin[p]);
	return sum;
}

// group_value is the product of a group, in steps of the inputs.
INLINE v16 group_value(i16 product, i16 minima, const uint8_t *group, block_shape f) {
	v16 value = v_mul(v_from_i32(product), v_from_signed_f16((const uint16_t *)(const void *)group));
	if (!f.minima) return value;
	return v_sub(value, v_mul(v_from_i32(minima), v_from_signed_f16((const uint16_t *)(const void *)(group + 32))));
}

// run_of is how many quads of a part are added at a time.
INLINE int run_of(block_shape f) { return d_run(bits_of(f)) < f.part / 4 ? d_run(bits_of(f)) : f.part / 4; }

// end_run adds d to the sums of a part or, with minima, scaled to those of the group.
INLINE i16 end_run(i16 sum, i16 d, i16 scales, block_shape f) {
	return f.minima ? d_scale(sum, d, scales, bits_of(f)) : d_end(sum, d, bits_of(f));
}

// end_part adds the sums of a part to those of the group.
INLINE i16 end_part(i16 product, i16 sum, i16 scales, block_shape f) {
	return f.scaled && !f.minima ? i_add(product, i_mul(sum, scales)) : sum;
}

// dot_part adds the products of a part of a row to sum.
INLINE i16 dot_part(i16 sum, const b64 *w, const int8_t *q, i16 scales, block_shape f) {
	const int run = run_of(f);
	UNROLL
	for (int i = 0; i < f.part / 4; i += run) {
		i16 d = d_begin(f.minima ? i_zero() : sum, bits_of(f));
		UNROLL
		for (int j = i; j < i + run; j++) d = d_dot(d, w[j], four_inputs(q + 4 * j), bits_of(f));
		sum = end_run(sum, d, scales, f);
	}
	return sum;
}

// row_strip multiplies one row with a strip.
INLINE v16 row_strip(const block_rows *in, const uint8_t *strip, block_shape f) {
	const int parts = f.group / f.part;
	v16 total = v_set(0.0f);
	for (size_t g = 0; g < in->groups; g++, strip += group_bytes(f)) {
		fetch(strip, BLOCK_AHEAD, BLOCK_AHEAD + (size_t)group_bytes(f));
		const int8_t *q = in->q + g * (size_t)f.group;
		const int32_t *begin = in->begin + g * (size_t)(f.minima ? parts / 2 : parts);
		i16 product = i_zero();
		UNROLL
		for (int p = 0; p < parts; p++) {
			b64 w[8];
			expand_part(w, strip, p, f);
			i16 scales = f.scaled ? part_scales(strip, p, f) : i_zero();
			i16 sum = dot_part(f.minima ? product : d_first(begin[p], bits_of(f)), w, q + p * f.part, scales, f);
			product = end_part(product, sum, scales, f);
		}
		v16 value = group_value(product, sum_minima(strip, begin, f), strip, f);
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

// Many rows: the numbers of some strips are expanded to bytes once for all of them.

// PANEL_INPUTS is how many inputs are expanded at a time, whole groups of any form.
#define PANEL_INPUTS 256
// PANEL_ROWS bounds the rows whose sums wait in the first-level cache meanwhile.
#define PANEL_ROWS 96
#define MOST_STRIPS (SCALED_STRIPS > PLAIN_STRIPS ? SCALED_STRIPS : PLAIN_STRIPS)

typedef struct {
	const uint8_t *strips[MOST_STRIPS];
	int groups;
	size_t ahead; // bytes from the strips to those of the next panel
	uint8_t numbers[PANEL_INPUTS * 16 * MOST_STRIPS] __attribute__((aligned(64)));
	float sums[PANEL_ROWS * 16 * MOST_STRIPS] __attribute__((aligned(64)));
} block_panel;

// expand_panel expands groups, four inputs of a strip beside those of the others.
INLINE void expand_panel(block_panel *p, block_shape f) {
	const int quads = f.part / 4;
	for (int s = 0; s < f.strips; s++) {
		uint8_t *to = p->numbers + 64 * s;
		const uint8_t *group = p->strips[s];
		for (int g = 0; g < p->groups; g++, group += group_bytes(f)) {
			UNROLL
			for (int part = 0; part < f.group / f.part; part++) {
				b64 w[8];
				expand_part(w, group, part, f);
				UNROLL
				for (int i = 0; i < quads; i++, to += 64 * f.strips) b_store(to, w[i]);
			}
		}
	}
}

// IN_TILE goes through the rows r and the strips s of a tile.
#define IN_TILE \
	UNROLL \
	for (int r = 0; r < BLOCK_TILE; r++) \
		UNROLL \
		for (int s = 0; s < f.strips; s++)

typedef i16 tile_sums[BLOCK_TILE][MOST_STRIPS];

// panel_part is dot_part of a tile. q and numbers begin with the part.
INLINE void panel_part(tile_sums sums, const int8_t *q, size_t inputs, const uint8_t *numbers, const i16 *scales, block_shape f) {
	const int run = run_of(f);
	UNROLL
	for (int i = 0; i < f.part / 4; i += run) {
		tile_sums d;
		IN_TILE d[r][s] = d_begin(f.minima ? i_zero() : sums[r][s], bits_of(f));
		UNROLL
		for (int j = i; j < i + run; j++) {
			b64 w[MOST_STRIPS];
			UNROLL
			for (int s = 0; s < f.strips; s++) w[s] = b_load(numbers + 64 * (j * f.strips + s));
			IN_TILE d[r][s] = d_dot(d[r][s], w[s], four_inputs(q + (size_t)r * inputs + 4 * j), bits_of(f));
		}
		IN_TILE sums[r][s] = end_run(sums[r][s], d[r][s], scales[s], f);
	}
}

// panel_group adds the product of group g of a panel and BLOCK_TILE rows to their sums. in
// begins with the panel's inputs.
INLINE void panel_group(float *to, const block_rows *in, const block_panel *p, size_t g, int bytes, block_shape f) {
	const int parts = f.group / f.part;
	const int32_t *begin = in->begin + g * (size_t)(f.minima ? parts / 2 : parts);
	const int8_t *q = in->q + g * (size_t)f.group;
	const uint8_t *numbers = p->numbers + g * (size_t)(f.group * 16 * f.strips), *group[MOST_STRIPS];
	tile_sums product, minima;
	UNROLL
	for (int s = 0; s < f.strips; s++) group[s] = p->strips[s] + g * (size_t)bytes;
	IN_TILE product[r][s] = i_zero();
	for (int part = 0; part < parts; part++, numbers += f.part * 16 * f.strips, q += f.part) {
		tile_sums sums;
		i16 scales[MOST_STRIPS];
		UNROLL
		for (int s = 0; s < f.strips; s++) scales[s] = f.scaled ? part_scales(group[s], part, f) : i_zero();
		IN_TILE sums[r][s] = f.minima ? product[r][s] : d_first(begin[(size_t)r * in->parts + (size_t)part], bits_of(f));
		panel_part(sums, q, in->inputs, numbers, scales, f);
		IN_TILE product[r][s] = end_part(product[r][s], sums[r][s], scales[s], f);
	}
	IN_TILE minima[r][s] = sum_minima(group[s], begin + (size_t)r * in->parts, f);
	IN_TILE {
		v16 value = v_mul(group_value(product[r][s], minima[r][s], group[s], f), v_set(in->step[(size_t)r * in->groups + g]));
		float *at = to + 16 * (r * f.strips + s);
		v_store(at, v_add(v_load(at), value));
	}
}

// panel_rows adds the products of a panel and rows to their sums. Meanwhile it asks for the
// weights of the next panel, some with each tile: more at once would hold up all else.
INLINE void panel_rows(block_panel *p, block_rows in, int rows, int bytes, block_shape f) {
	size_t all = (size_t)p->groups * (size_t)bytes, share = (all / 64 * BLOCK_TILE / (size_t)rows + 1) * 64, from = p->ahead;
	for (int row = 0; row < rows; row += BLOCK_TILE, from += share) {
		UNROLL
		for (int s = 0; s < f.strips; s++) fetch(p->strips[s], from, from + share);
		for (size_t g = 0; g < (size_t)p->groups; g++) panel_group(p->sums + row * 16 * f.strips, &in, p, g, bytes, f);
		in.q += BLOCK_TILE * in.inputs, in.step += BLOCK_TILE * in.groups, in.begin += BLOCK_TILE * in.parts;
	}
}

#define SCALED(part, bits, minima) ((block_shape){256, part, bits, minima, 1, 0, SCALED_STRIPS})
#define PLAIN(bits, levels) ((block_shape){32, 32, bits, 0, 0, levels, PLAIN_STRIPS})

// PANEL_OF is what multiplies the numbers of a panel; d_run of more bits suits fewer too.
#define PANEL_OF(name, shape) \
	TARGET static void name(block_panel *p, const block_rows *in, int rows, int bytes) { panel_rows(p, *in, rows, bytes, shape); }

PANEL_OF(panel_q4k, SCALED(32, 0, 1))
PANEL_OF(panel_q5k, SCALED(32, 1, 1))
PANEL_OF(panel_q6k, SCALED(16, 2, 0))
PANEL_OF(panel_plain, PLAIN(1, 0))
PANEL_OF(panel_bytes, PLAIN(4, 0))

#define FORM_OF(name, shape) \
	TARGET static v16 name##_row(const block_rows *in, const uint8_t *strip) { return row_strip(in, strip, shape); } \
	TARGET static void name##_expand(block_panel *p) { expand_panel(p, shape); }

FORM_OF(q4k, SCALED(32, 0, 1))
FORM_OF(q5k, SCALED(32, 1, 1))
FORM_OF(q6k, SCALED(16, 2, 0))
FORM_OF(q4, PLAIN(0, 0))
FORM_OF(q5, PLAIN(1, 0))
FORM_OF(q8, PLAIN(4, 0))
FORM_OF(levels, PLAIN(0, 1))

// block_form is what a form needs.
typedef struct {
	v16 (*row)(const block_rows *, const uint8_t *);
	void (*expand)(block_panel *);
	void (*rows)(block_panel *, const block_rows *, int rows, int bytes);
	int group, part, bytes, minima, strips;
} block_form;

TARGET static block_form form_of(int letter) {
	switch (letter) {
	case FORM_Q4K: return (block_form){q4k_row, q4k_expand, panel_q4k, 256, 32, 2368, 1, SCALED_STRIPS};
	case FORM_Q5K: return (block_form){q5k_row, q5k_expand, panel_q5k, 256, 32, 2880, 1, SCALED_STRIPS};
	case FORM_Q6K: return (block_form){q6k_row, q6k_expand, panel_q6k, 256, 16, 3360, 0, SCALED_STRIPS};
	case FORM_Q4: return (block_form){q4_row, q4_expand, panel_plain, 32, 32, 288, 0, PLAIN_STRIPS};
	case FORM_Q5: return (block_form){q5_row, q5_expand, panel_plain, 32, 32, 352, 0, PLAIN_STRIPS};
	case FORM_LEVELS: return (block_form){levels_row, levels_expand, panel_bytes, 32, 32, 288, 0, PLAIN_STRIPS};
	default: return (block_form){q8_row, q8_expand, panel_bytes, 32, 32, 544, 0, PLAIN_STRIPS};
	}
}

// sum_panel leaves the sums of rows and some strips.
INLINE void sum_panel(block_panel *p, const block_form *f, const block_rows *in, int rows) {
	size_t padded = (size_t)((rows + BLOCK_TILE - 1) / BLOCK_TILE * BLOCK_TILE);
	memset(p->sums, 0, padded * 16 * (size_t)f->strips * sizeof(float));
	block_rows some = *in;
	for (size_t g = 0; g < in->groups; g += (size_t)p->groups) {
		size_t left = in->groups - g, most = (size_t)(PANEL_INPUTS / f->group);
		p->groups = (int)(left < most ? left : most);
		f->expand(p);
		f->rows(p, &some, rows, f->bytes);
		size_t parts = (size_t)p->groups * in->parts / in->groups;
		some.q += p->groups * f->group, some.step += p->groups, some.begin += parts;
		for (int s = 0; s < f->strips; s++) p->strips[s] += p->groups * f->bytes;
	}
}

TARGET static void linear_blocks(float *dst, int stride, const int8_t *q, const float *step, const int32_t *begin, int rows,
	int form, const uint8_t *data, int k, const float *bias, int from, int to) {
	block_form f = form_of(form);
	size_t groups = (size_t)(k / f.group), bytes = groups * (size_t)f.bytes;
	block_rows all = {q, step, begin, (size_t)k, groups, (size_t)(f.minima ? k / f.part / 2 : k / f.part)};
	block_panel panel;
	panel.ahead = (size_t)f.strips * bytes;
	for (int c = from / 16 * 16; c < to; c += rows == 1 ? 16 : 16 * f.strips) {
		const uint8_t *strip = data + (size_t)(c / 16) * bytes;
		if (rows == 1) {
			store_strip(dst + c, f.row(&all, strip), bias + c, c < from ? from - c : 0, to - c < 16 ? to - c : 16);
			continue;
		}
		for (int row = 0; row < rows; row += PANEL_ROWS) {
			int some = rows - row < PANEL_ROWS ? rows - row : PANEL_ROWS;
			block_rows in = all;
			in.q += (size_t)row * all.inputs, in.step += (size_t)row * all.groups, in.begin += (size_t)row * all.parts;
			for (int s = 0; s < f.strips; s++) panel.strips[s] = c + 16 * s < to ? strip + (size_t)s * bytes : strip;
			sum_panel(&panel, &f, &in, some);
			for (int s = 0; c + 16 * s < to && s < f.strips; s++) {
				int at = c + 16 * s, first = at < from ? from - at : 0, last = to - at < 16 ? to - at : 16;
				for (int r = 0; r < some; r++)
					store_strip(dst + (size_t)(row + r) * (size_t)stride + at, v_load(panel.sums + (r * f.strips + s) * 16), bias + at, first, last);
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
		logits, linear_rows, linear4, prepare_blocks, linear_blocks, scale_inputs, mask, peak}
