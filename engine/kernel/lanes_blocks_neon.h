// What blocks_kernels.h needs of NEON, in four registers; dot is that of the level.
typedef struct { uint8x16_t r[4]; } b64;

LANES i16 i_set(int32_t x) { EACH(i16, vdupq_n_s32(x)); }
LANES i16 i_mul(i16 a, i16 b) { EACH(i16, vmulq_s32(a.r[i], b.r[i])); }
LANES i16 i_from_u8(const uint8_t *p) {
	uint8x16_t b = vld1q_u8(p);
	uint16x8_t lo = vmovl_u8(vget_low_u8(b)), hi = vmovl_u8(vget_high_u8(b));
	i16 w = {{vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(lo))), vreinterpretq_s32_u32(vmovl_u16(vget_high_u16(lo))),
		vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(hi))), vreinterpretq_s32_u32(vmovl_u16(vget_high_u16(hi)))}};
	return w;
}
LANES i16 i_from_i8(const uint8_t *p) {
	int8x16_t b = vld1q_s8((const int8_t *)p);
	int16x8_t lo = vmovl_s8(vget_low_s8(b)), hi = vmovl_s8(vget_high_s8(b));
	i16 w = {{vmovl_s16(vget_low_s16(lo)), vmovl_s16(vget_high_s16(lo)), vmovl_s16(vget_low_s16(hi)), vmovl_s16(vget_high_s16(hi))}};
	return w;
}
// i_pairs leaves the first words of all lanes, then the second ones.
LANES i16 i_pairs(const uint8_t *p) {
	uint8x16x2_t both = vld2q_u8(p);
	EACH(i16, vreinterpretq_s32_u16(vmovl_u8(i % 2 ? vget_high_u8(both.val[i / 2]) : vget_low_u8(both.val[i / 2]))));
}
LANES i16 i_dot_pairs(i16 sum, i16 words, int32_t pair) {
	int16_t first = (int16_t)(pair & 0xffff), second = (int16_t)(pair >> 16);
	for (int i = 0; i < 2; i++) {
		int16x8_t a = vreinterpretq_s16_s32(words.r[i]), b = vreinterpretq_s16_s32(words.r[2 + i]);
		sum.r[2 * i] = vmlal_n_s16(vmlal_n_s16(sum.r[2 * i], vget_low_s16(a), first), vget_low_s16(b), second);
		sum.r[2 * i + 1] = vmlal_n_s16(vmlal_n_s16(sum.r[2 * i + 1], vget_high_s16(a), first), vget_high_s16(b), second);
	}
	return sum;
}
// i_halves would be of forms with a lift, of which there are none.
LANES i16 i_halves(i16 a, i16 b) {
	(void)b;
	return a;
}
LANES v16 i_as_float(i16 a) { EACH(v16, vreinterpretq_f32_s32(a.r[i])); }
LANES v16 v_fma(v16 a, v16 b, v16 c) { EACH(v16, vfmaq_f32(c.r[i], a.r[i], b.r[i])); }
LANES v16 v_from_signed_f16(const uint16_t *p) {
	v16 size = v_from_f16(p);
	EACH(v16, vreinterpretq_f32_u32(vorrq_u32(vreinterpretq_u32_f32(size.r[i]),
		vshlq_n_u32(vshrq_n_u32(vmovl_u16(vld1_u16(p + 4 * i)), 15), 31))));
}
LANES b64 b_load(const uint8_t *p) { EACH(b64, vld1q_u8(p + 16 * i)); }
LANES void b_store(uint8_t *p, b64 a) {
	for (int i = 0; i < 4; i++) vst1q_u8(p + 16 * i, a.r[i]);
}
LANES b64 b_hold(b64 a) { return a; }
LANES b64 b_low(b64 a) { EACH(b64, vandq_u8(a.r[i], vdupq_n_u8(15))); }
LANES b64 b_high(b64 a) { EACH(b64, vshrq_n_u8(a.r[i], 4)); }
LANES b64 b_bits(b64 a, int shift, int bits) {
	int8x16_t by = vdupq_n_s8((int8_t)(4 - shift));
	uint8x16_t mask = vdupq_n_u8((uint8_t)(((1 << bits) - 1) << 4));
	EACH(b64, vandq_u8(vshlq_u8(a.r[i], by), mask));
}
LANES b64 b_level(b64 a) {
	static const uint8_t table[16] = BLOCK_LEVELS;
	EACH(b64, vqtbl1q_u8(vld1q_u8(table), a.r[i]));
}
LANES b64 b_or(b64 a, b64 b) { EACH(b64, vorrq_u8(a.r[i], b.r[i])); }

// Products of signed bytes are all there is, so that the offset is taken from the numbers,
// and from no sum.
LANES b64 b_ready(b64 a, int offset) { EACH(b64, vsubq_u8(a.r[i], vdupq_n_u8((uint8_t)offset))); }
LANES int d_run(const int bits, const int scaled) {
	(void)bits, (void)scaled;
	return 8;
}
LANES int d_zero(const int bits, const int offset) {
	(void)bits;
	return offset;
}
LANES int d_begun(const int bits, const int offset, const int scaled) {
	(void)bits, (void)offset, (void)scaled;
	return 0;
}
LANES i16 d_begin(i16 sum, const int bits) {
	(void)bits;
	return sum;
}
LANES i16 d_dot(i16 d, b64 w, int32_t four, const int bits) {
	(void)bits;
	int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(four));
	EACH(i16, dot(d.r[i], vreinterpretq_s8_u8(w.r[i]), x));
}
LANES i16 d_end(i16 sum, i16 d, const int bits) {
	(void)sum, (void)bits;
	return d;
}
LANES i16 d_scales(i16 scales) { return scales; }
LANES i16 d_scale(i16 sum, i16 d, i16 scales) { EACH(i16, vmlaq_s32(sum.r[i], d.r[i], scales.r[i])); }
