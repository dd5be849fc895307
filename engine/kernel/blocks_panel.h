// Many rows by weights in blocks, some strips at a time; part of blocks_kernels.h.
//
// Many rows: the numbers and scales of some strips are expanded once for all of them.

// PANEL_INPUTS is how many inputs are expanded at a time, whole groups of any form.
#define PANEL_INPUTS 256
// PANEL_ROWS bounds the rows whose sums wait in the second-level cache meanwhile.
#define PANEL_ROWS 132

typedef struct {
	const uint8_t *strips[BLOCK_STRIPS];
	int groups;
	size_t ahead; // bytes from the strips to those of the next panel
	// Where the results go that are about to be written, in rows so many floats apart; null before.
	const float *out;
	size_t stride;
	b64 numbers[PANEL_INPUTS / 4][BLOCK_STRIPS];
	i16 scales[PANEL_INPUTS / 16][BLOCK_STRIPS];                                  // as d_scale takes them
	i16 paired_scales[PANEL_INPUTS / 32][BLOCK_STRIPS], paired_minima[PANEL_INPUTS / 64][BLOCK_STRIPS];
	factor factors[PANEL_INPUTS / 32][BLOCK_STRIPS], minimum[BLOCK_STRIPS];
	v16 sums[PANEL_ROWS][BLOCK_STRIPS];
} block_panel;

// expand_group expands a group of a strip.
INLINE void expand_group(block_panel *p, const uint8_t *group, int g, int s, block_shape f) {
	const int quads = f.part / 4, parts = f.group / f.part;
	p->factors[g][s] = factor_at(group);
	if (f.minima) p->minimum[s] = factor_at(group + 32);
	UNROLL
	for (int part = 0; part < parts; part++) {
		b64 w[8];
		expand_part(w, group, part, f);
		UNROLL
		for (int i = 0; i < quads; i++) p->numbers[(g * parts + part) * quads + i][s] = w[i];
		if (f.scaled) p->scales[part][s] = d_scales(scales_of(group, part, f));
	}
	for (int pair = 0; pair < parts / 2; pair++) {
		if (lift_of(f) != 0) p->paired_scales[pair][s] = paired_scales(group, pair, f);
		if (f.minima) p->paired_minima[pair][s] = paired_minima(group, pair, f);
	}
}

// expand_panel expands groups, four inputs of a strip beside those of the others.
INLINE void expand_panel(block_panel *p, block_shape f) {
	for (int s = 0; s < BLOCK_STRIPS; s++)
		for (int g = 0; g < p->groups; g++) expand_group(p, p->strips[s] + g * group_bytes(f), g, s, f);
}

// IN_TILE goes through the rows r and the strips s of a tile.
#define IN_TILE \
	UNROLL \
	for (int r = 0; r < BLOCK_TILE; r++) \
		UNROLL \
		for (int s = 0; s < BLOCK_STRIPS; s++)

// IN_ORDER has what is behind it loaded behind it: GCC would load early, and keep sums in
// memory for it.
#define IN_ORDER __asm__ volatile("" ::: "memory")

typedef i16 tile_sums[BLOCK_TILE][BLOCK_STRIPS];
typedef v16 tile_floats[BLOCK_TILE][BLOCK_STRIPS];

// dot_quad adds the products of four inputs of each row of a tile.
INLINE void dot_quad(tile_sums d, const int8_t *q, size_t inputs, const b64 *numbers, block_shape f) {
	b64 w[BLOCK_STRIPS];
	UNROLL
	for (int s = 0; s < BLOCK_STRIPS; s++) w[s] = b_hold(numbers[s]);
	IN_ORDER;
	IN_TILE d[r][s] = d_dot(d[r][s], w[s], four_inputs(q + (size_t)r * inputs), bits_of(f));
}

// dot_tile_pairs adds the products of words of a group to a tile.
INLINE void dot_tile_pairs(tile_sums sums, const i16 (*words)[BLOCK_STRIPS], const int32_t *pairs, size_t paired, int count) {
	for (int p = 0; p < count; p++) {
		IN_TILE sums[r][s] = i_dot_pairs(sums[r][s], words[p][s], pairs[(size_t)r * paired + (size_t)p]);
		IN_ORDER;
	}
}

// scaled_group adds the products of a group, which is all of the panel, to those of a tile.
INLINE void scaled_group(tile_floats total, const block_rows *in, const block_panel *p, block_shape f) {
	const int run = run_of(f), quads = f.part / 4, parts = f.group / f.part;
	tile_sums product, minima;
	IN_TILE product[r][s] = i_zero();
	if (lift_of(f) != 0) {
		dot_tile_pairs(product, p->paired_scales, in->pairs, in->paired, parts / 2);
		IN_TILE product[r][s] = i_mul(product[r][s], i_set(lift_of(f)));
	}
	for (int part = 0; part < parts; part++) {
		UNROLL
		for (int i = 0; i < quads; i += run) {
			const int quad = part * quads + i;
			tile_sums d;
			IN_TILE d[r][s] = d_begin(i_set(in->begin[(size_t)r * in->runs + (size_t)(quad / run)]), bits_of(f));
			UNROLL
			for (int j = quad; j < quad + run; j++) dot_quad(d, in->q + 4 * j, in->inputs, p->numbers[j], f);
			IN_ORDER;
			IN_TILE product[r][s] = d_scale(product[r][s], d[r][s], p->scales[part][s]);
			IN_ORDER;
		}
	}
	IN_TILE minima[r][s] = i_set(MAGIC_BITS);
	if (f.minima) dot_tile_pairs(minima, p->paired_minima, in->pairs, in->paired, parts / 2);
	IN_TILE {
		v16 value = v_mul(v_from_i32(product[r][s]), p->factors[0][s].scale);
		if (f.minima) value = v_sub(value, times_factor(minima[r][s], p->minimum[s]));
		total[r][s] = v_add(total[r][s], v_mul(value, v_set(in->step[(size_t)r * in->groups])));
	}
}

// plain_groups adds the products of the groups of a panel, which are parts, to those of a tile.
INLINE void plain_groups(tile_floats total, const block_rows *in, const block_panel *p, block_shape f) {
	const int run = run_of(f), quads = f.part / 4;
	for (int g = 0; g < p->groups; g++) {
		tile_sums sums;
		IN_TILE sums[r][s] = i_set(in->begin[(size_t)r * in->runs + (size_t)g]);
		UNROLL
		for (int i = 0; i < quads; i += run) {
			tile_sums d;
			IN_TILE d[r][s] = d_begin(sums[r][s], bits_of(f));
			UNROLL
			for (int j = g * quads + i; j < g * quads + i + run; j++) dot_quad(d, in->q + 4 * j, in->inputs, p->numbers[j], f);
			IN_TILE sums[r][s] = d_end(sums[r][s], d[r][s], bits_of(f));
		}
		IN_TILE {
			v16 value = times_factor(sums[r][s], p->factors[g][s]);
			total[r][s] = v_add(total[r][s], v_mul(value, v_set(in->step[(size_t)r * in->groups + (size_t)g])));
		}
	}
}

// panel_rows adds the products of a panel and rows to their sums. Meanwhile it asks for the
// weights of the next panel, some with each tile: more at once would hold up all else. Rows of
// results lie so far apart that each is in a page of its own.
INLINE void panel_rows(block_panel *p, block_rows in, int rows, int bytes, block_shape f) {
	size_t all = (size_t)p->groups * (size_t)bytes, share = (all / 64 * BLOCK_TILE / (size_t)rows + 1) * 64, from = p->ahead;
	for (int row = 0; row < rows; row += BLOCK_TILE, from += share) {
		tile_floats total;
		UNROLL
		for (int s = 0; s < BLOCK_STRIPS; s++) fetch(p->strips[s], from, from + share);
		if (p->out)
			IN_TILE __builtin_prefetch((const void *)((uintptr_t)p->out + ((size_t)(row + r) * p->stride + 16 * (size_t)s) * sizeof(float)), 1, 3);
		IN_TILE total[r][s] = p->sums[row + r][s];
		if (f.scaled) scaled_group(total, &in, p, f);
		else plain_groups(total, &in, p, f);
		IN_TILE p->sums[row + r][s] = total[r][s];
		in.q += BLOCK_TILE * in.inputs, in.step += BLOCK_TILE * in.groups, in.begin += BLOCK_TILE * in.runs, in.pairs += BLOCK_TILE * in.paired;
	}
}
