// What decoders do to rows; the twins of plain_decoder.go.

TARGET static void rms_norm(float *dst, float *sum, const float *x, const float *residual,
	const float *gamma, float epsilon, int rows, int width) {
	int tail = width % 16, whole = width - tail;
	for (int row = 0; row < rows; row++) {
		size_t at = (size_t)row * (size_t)width;
		const float *y = x + at;
		if (residual) {
			for (int i = 0; i < whole; i += 16) v_store(sum + at + i, v_add(v_load(y + i), v_load(residual + at + i)));
			for (int i = whole; i < width; i++) sum[at + i] = y[i] + residual[at + i];
			y = sum + at;
		}
		v16 squares = v_set(0.0f);
		for (int i = 0; i < whole; i += 16) squares = v_add(squares, v_mul(v_load(y + i), v_load(y + i)));
		if (tail) {
			v16 last = v_load_n(y + whole, tail);
			squares = v_add(squares, v_mul(last, last));
		}
		v16 inverse = v_set(1.0f / sqrtf(v_sum(squares) / (float)width + epsilon));
		for (int i = 0; i < whole; i += 16)
			v_store(dst + at + i, v_mul(v_mul(v_load(y + i), inverse), v_load(gamma + i)));
		if (tail)
			v_store_n(dst + at + whole, v_mul(v_mul(v_load_n(y + whole, tail), inverse), v_load_n(gamma + whole, tail)), tail);
	}
}

INLINE v16 v_silu(v16 x) {
	const v16 one = v_set(1.0f);
	v16 e = v_exp(v_sub(v_set(0.0f), v_abs(x)));
	v16 share = v_where_negative(x, e, one);
	return v_mul(v_max(v_set(-87.0f), x), v_div(share, v_add(one, e)));
}

TARGET static void swiglu(float *dst, const float *gate, const float *up, int count) {
	int i = 0, tail = count % 16;
	for (; i + 16 <= count; i += 16) v_store(dst + i, v_mul(v_silu(v_load(gate + i)), v_load(up + i)));
	if (tail) v_store_n(dst + i, v_mul(v_silu(v_load_n(gate + i, tail)), v_load_n(up + i, tail)), tail);
}

INLINE v16 v_gelu_tanh(v16 x) {
	const v16 one = v_set(1.0f);
	v16 inner = v_add(v_mul(v_mul(x, x), v_set(0.044715f)), one);
	v16 y = v_mul(v_mul(x, v_set(1.5957691216057308f)), inner);
	v16 e = v_exp(v_sub(v_set(0.0f), v_abs(y)));
	v16 share = v_where_negative(y, e, one);
	return v_mul(v_max(v_set(-87.0f), x), v_div(share, v_add(one, e)));
}

TARGET static void geglu(float *dst, const float *gate, const float *up, int count, int tanh) {
	for (int i = 0; i < count; i += 16) {
		int n = count - i < 16 ? count - i : 16;
		v16 x = n < 16 ? v_load_n(gate + i, n) : v_load(gate + i), y = n < 16 ? v_load_n(up + i, n) : v_load(up + i);
		v16 z = v_mul(tanh ? v_gelu_tanh(x) : v_gelu(x), y);
		if (n < 16) v_store_n(dst + i, z, n);
		else v_store(dst + i, z);
	}
}

// rotate_halves turns values half a vector apart.
INLINE void rotate_halves(float *x, const float *cosine, const float *sine, int half) {
	int i = 0;
	for (; i + 16 <= half; i += 16) {
		v16 a = v_load(x + i), b = v_load(x + half + i), c = v_load(cosine + i), s = v_load(sine + i);
		v_store(x + i, v_sub(v_mul(a, c), v_mul(b, s)));
		v_store(x + half + i, v_add(v_mul(b, c), v_mul(a, s)));
	}
	for (; i < half; i++) {
		float a = x[i], b = x[half + i];
		x[i] = a * cosine[i] - b * sine[i];
		x[half + i] = b * cosine[i] + a * sine[i];
	}
}

TARGET static void rotate(float *x, const int32_t *positions, int rows, int heads, int dim, int stride,
	const float *cosine, const float *sine) {
	int half = dim / 2;
	for (int row = 0; row < rows; row++) {
		const float *c = cosine + (size_t)positions[row] * (size_t)half, *s = sine + (size_t)positions[row] * (size_t)half;
		for (int h = 0; h < heads; h++) {
			rotate_halves(x + (size_t)row * (size_t)stride + (size_t)h * (size_t)dim, c, s, half);
		}
	}
}

// signed_bytes rounds 16 values to bytes around zero.
INLINE void signed_bytes(int8_t *q, v16 x) {
	uint8_t bytes[16];
	v_to_bytes(bytes, x);
	for (int i = 0; i < 16; i++) q[i] = (int8_t)(bytes[i] ^ 0x80);
}

// quantize_head returns the bits of the scale, a bfloat16.
INLINE uint16_t quantize_head(int8_t *q, const float *x, int dim) {
	int32_t bits = largest_bits(x, dim);
	if (bits >= 0x7f800000 || bits < (127 - 100) << 23) {
		memset(q, 0, (size_t)dim);
		return bits >= 0x7f800000 ? 0x7fc0 : 0;
	}
	float largest, step;
	memcpy(&largest, &bits, sizeof largest);
	step = largest / 127.0f;
	memcpy(&bits, &step, sizeof bits);
	bits = (bits + 0xffff) & ~0xffff;
	memcpy(&step, &bits, sizeof step);
	v16 inverse = v_set(1.0f / step);
	int i = 0, tail = dim % 16;
	for (; i + 16 <= dim; i += 16) signed_bytes(q + i, v_mul(v_load(x + i), inverse));
	if (tail) {
		int8_t last[16];
		signed_bytes(last, v_mul(v_load_n(x + i, tail), inverse));
		memcpy(q + i, last, (size_t)tail);
	}
	return (uint16_t)(bits >> 16);
}

TARGET static void quantize_heads(int8_t *q, uint16_t *scale, const float *x, int rows, int heads, int dim, int stride) {
	for (int row = 0; row < rows; row++)
		for (int h = 0; h < heads; h++) {
			size_t at = (size_t)row * (size_t)heads + (size_t)h;
			scale[at] = quantize_head(q + at * (size_t)dim, x + (size_t)row * (size_t)stride + (size_t)h * (size_t)dim, dim);
		}
}
