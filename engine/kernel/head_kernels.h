// Logits over a vocabulary whose rows lie one behind the other; the twins of
// plain_head.go.

// HEAD_STEP is the weights that dot_bytes multiplies.
#define HEAD_STEP 64

// HEAD_TILE is how many words are multiplied with a row at a time.
#define HEAD_TILE 4

// HEAD_AHEAD is how many bytes ahead of the words weights are asked for:
// hardware alone reached half of the speed of memory.
#define HEAD_AHEAD 8192

// dot_words multiplies a prepared row with HEAD_TILE words, apart from each
// other. What is past the end of a word may belong to the next, or to nobody.
INLINE void dot_words(int32_t *out, const uint8_t *x, const int8_t *words, size_t apart, int width) {
	i16 sum[HEAD_TILE];
	int whole = width / HEAD_STEP * HEAD_STEP;
	UNROLL
	for (int c = 0; c < HEAD_TILE; c++) sum[c] = i_zero();
	for (int i = 0; i < whole; i += HEAD_STEP)
		UNROLL
		for (int c = 0; c < HEAD_TILE; c++)
			sum[c] = dot_bytes(sum[c], x + (size_t)(i / 4) * ROW_QUAD, words + (size_t)c * apart + i);
	if (whole < width)
		UNROLL
		for (int c = 0; c < HEAD_TILE; c++) {
			int8_t last[HEAD_STEP] = {0};
			memcpy(last, words + (size_t)c * apart + whole, (size_t)(width - whole));
			sum[c] = dot_bytes(sum[c], x + (size_t)(whole / 4) * ROW_QUAD, last);
		}
	i_sum4(out, sum);
}

// finish_logits turns products of a row into logits, given those of the zero
// points.
INLINE void finish_logits(float *dst, const int32_t *sum, const int32_t *zero, const row_scale *row,
	const int8_t *words, size_t apart, const float *word_scale, int count) {
	for (int c = 0; c < count; c++) {
		float y = (float)(sum[c] - zero[c]) * (row->step * word_scale[c]);
		for (int p = 0; p < row->count; p++)
			y += (float)words[(size_t)c * apart + (size_t)row->outliers[p].at] * (row->outliers[p].value * word_scale[c]);
		dst[c] = y;
	}
}

// tile_logits writes HEAD_TILE logits of each row, or one. Before the prepared
// rows lies one of zero points: its products are what those add to the others.
INLINE void tile_logits(float *dst, const uint8_t *prepared, size_t stride, const row_scale *scale, int rows,
	const int8_t *words, const float *word_scale, int width, int vocabulary, int count) {
	size_t apart = count == HEAD_TILE ? (size_t)width : 0;
	int32_t zero[HEAD_TILE] = {0}, sum[HEAD_TILE];
	for (int i = 0; i < HEAD_TILE * width; i += 64)
		__builtin_prefetch((const void *)((uintptr_t)words + HEAD_AHEAD + (size_t)i), 0, 2);
	if (ZERO_POINT) dot_words(zero, prepared, words, apart, width);
	for (int row = 0; row < rows; row++) {
		dot_words(sum, prepared + (size_t)(row + 1) * stride, words, apart, width);
		finish_logits(dst + (size_t)row * (size_t)vocabulary, sum, zero, &scale[row], words, apart, word_scale, count);
	}
}

// logits writes count of a vocabulary of logits. scratch holds a row of zero
// points and the prepared rows.
TARGET static void logits(float *dst, const uint8_t *q, const row_scale *scale, int rows,
	const int8_t *words, const float *word_scale, int width, int vocabulary, int count, uint8_t *scratch) {
	size_t stride = ((size_t)width + HEAD_STEP - 1) / HEAD_STEP * (HEAD_STEP / 4) * ROW_QUAD;
	memset(scratch, 0, ((size_t)rows + 1) * stride);
	for (int i = 0; i < width; i += 4) prepare_row(scratch + (size_t)(i / 4) * ROW_QUAD, (const uint8_t[4]){128, 128, 128, 128}, 4);
	for (int row = 0; row < rows; row++)
		prepare_row(scratch + (size_t)(row + 1) * stride, q + (size_t)row * (size_t)width, width);
	for (int c = 0; c < count;) {
		int tile = count - c < HEAD_TILE ? 1 : HEAD_TILE;
		tile_logits(dst + c, scratch, stride, scale, rows, words + (size_t)c * (size_t)width, word_scale + c, width, vocabulary, tile);
		c += tile;
	}
}
