// The 16 virtual lanes in four NEON registers. See lanes_avx2.h for what each
// function means.
#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

typedef struct { float32x4_t r[4]; } v16;
typedef struct { int32x4_t r[4]; } i16;

#define BESIDE 1
#define V_MAGIC 12582912.0f

// EACH builds a result from an expression in i, for each of the registers.
#define EACH(type, expression) \
	type out; \
	for (int i = 0; i < 4; i++) out.r[i] = (expression); \
	return out

LANES v16 v_load(const float *p) { EACH(v16, vld1q_f32(p + 4 * i)); }
LANES void v_store(float *p, v16 a) {
	for (int i = 0; i < 4; i++) vst1q_f32(p + 4 * i, a.r[i]);
}
LANES v16 v_load_n(const float *p, int n) {
	float lanes[16] = {0};
	memcpy(lanes, p, (size_t)n * sizeof(float));
	return v_load(lanes);
}
LANES void v_store_n(float *p, v16 a, int n) {
	float lanes[16];
	v_store(lanes, a);
	memcpy(p, lanes, (size_t)n * sizeof(float));
}
LANES v16 v_select_n(v16 a, v16 b, int n) {
	float lanes[16];
	v_store(lanes, b);
	v_store_n(lanes, a, n);
	return v_load(lanes);
}
LANES v16 v_set(float x) { EACH(v16, vdupq_n_f32(x)); }
LANES v16 v_add(v16 a, v16 b) { EACH(v16, vaddq_f32(a.r[i], b.r[i])); }
LANES v16 v_sub(v16 a, v16 b) { EACH(v16, vsubq_f32(a.r[i], b.r[i])); }
LANES v16 v_mul(v16 a, v16 b) { EACH(v16, vmulq_f32(a.r[i], b.r[i])); }
// vmaxq_f32 would give a NaN where v_max gives b.
LANES v16 v_max(v16 a, v16 b) { EACH(v16, vbslq_f32(vcgtq_f32(a.r[i], b.r[i]), a.r[i], b.r[i])); }
LANES v16 v_min(v16 a, v16 b) { EACH(v16, vbslq_f32(vcltq_f32(a.r[i], b.r[i]), a.r[i], b.r[i])); }
LANES v16 v_abs(v16 a) { EACH(v16, vabsq_f32(a.r[i])); }
LANES v16 v_copysign(v16 a, v16 s) {
	EACH(v16, vbslq_f32(vdupq_n_u32(0x80000000u), s.r[i], a.r[i]));
}
LANES v16 v_div(v16 a, v16 b) { EACH(v16, vdivq_f32(a.r[i], b.r[i])); }
LANES v16 v_where_negative(v16 s, v16 a, v16 b) {
	EACH(v16, vbslq_f32(vcltzq_s32(vreinterpretq_s32_f32(s.r[i])), a.r[i], b.r[i]));
}
LANES v16 v_raise(v16 a, v16 n) {
	EACH(v16, vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(a.r[i]), vshlq_n_s32(vreinterpretq_s32_f32(n.r[i]), 23))));
}
// fold_quarters adds up the four registers.
LANES float32x4_t fold_quarters(v16 a) { return vaddq_f32(vaddq_f32(a.r[0], a.r[2]), vaddq_f32(a.r[1], a.r[3])); }
LANES float v_sum(v16 a) {
	float32x4_t b = fold_quarters(a);
	float32x2_t c = vadd_f32(vget_low_f32(b), vget_high_f32(b));
	return vget_lane_f32(c, 0) + vget_lane_f32(c, 1);
}
LANES float32x4_t fold_pair(float32x4_t a, float32x4_t b) {
	return vaddq_f32(vcombine_f32(vget_low_f32(a), vget_low_f32(b)), vcombine_f32(vget_high_f32(a), vget_high_f32(b)));
}
LANES void v_sum4(float *out, const v16 *a) {
	float32x4_t s0 = fold_pair(fold_quarters(a[0]), fold_quarters(a[1]));
	float32x4_t s2 = fold_pair(fold_quarters(a[2]), fold_quarters(a[3]));
	vst1q_f32(out, vpaddq_f32(s0, s2));
}
LANES float v_largest(v16 a) {
	return vmaxvq_f32(vmaxq_f32(vmaxq_f32(a.r[0], a.r[1]), vmaxq_f32(a.r[2], a.r[3])));
}

LANES i16 i_load(const int32_t *p) { EACH(i16, vld1q_s32(p + 4 * i)); }
LANES void i_store(int32_t *p, i16 a) {
	for (int i = 0; i < 4; i++) vst1q_s32(p + 4 * i, a.r[i]);
}
LANES i16 i_add(i16 a, i16 b) { EACH(i16, vaddq_s32(a.r[i], b.r[i])); }
LANES i16 i_round(v16 a) { EACH(i16, vcvtnq_s32_f32(a.r[i])); }
LANES i16 i_zero(void) { EACH(i16, vdupq_n_s32(0)); }
LANES i16 i_sub(i16 a, i16 b) { EACH(i16, vsubq_s32(a.r[i], b.r[i])); }
LANES i16 i_max(i16 a, i16 b) { EACH(i16, vmaxq_s32(a.r[i], b.r[i])); }
LANES i16 i_magnitude(v16 a) { EACH(i16, vreinterpretq_s32_f32(vabsq_f32(a.r[i]))); }
LANES int32_t i_largest(i16 a) {
	return vmaxvq_s32(vmaxq_s32(vmaxq_s32(a.r[0], a.r[1]), vmaxq_s32(a.r[2], a.r[3])));
}
LANES int i_above(i16 a, int32_t than) { return i_largest(a) > than; }
LANES int32x4_t i_quarters(i16 a) { return vaddq_s32(vaddq_s32(a.r[0], a.r[1]), vaddq_s32(a.r[2], a.r[3])); }
LANES void i_sum4(int32_t *out, const i16 *a) {
	int32x4_t s0 = vpaddq_s32(i_quarters(a[0]), i_quarters(a[1])), s2 = vpaddq_s32(i_quarters(a[2]), i_quarters(a[3]));
	vst1q_s32(out, vpaddq_s32(s0, s2));
}
LANES v16 v_from_i32(i16 a) { EACH(v16, vcvtq_f32_s32(a.r[i])); }
LANES v16 v_from_i8(const int8_t *p) {
	int8x16_t b = vld1q_s8(p);
	int16x8_t lo = vmovl_s8(vget_low_s8(b)), hi = vmovl_s8(vget_high_s8(b));
	i16 w = {{vmovl_s16(vget_low_s16(lo)), vmovl_s16(vget_high_s16(lo)),
		vmovl_s16(vget_low_s16(hi)), vmovl_s16(vget_high_s16(hi))}};
	return v_from_i32(w);
}
LANES v16 v_from_f16(const uint16_t *p) {
	EACH(v16, vmulq_f32(vreinterpretq_f32_u32(vshlq_n_u32(vandq_u32(vmovl_u16(vld1_u16(p + 4 * i)),
		vdupq_n_u32(0x7fff)), 13)), vdupq_n_f32(0x1p112f)));
}
LANES v16 v_widen(uint8x16_t b) {
	uint16x8_t lo = vmovl_u8(vget_low_u8(b)), hi = vmovl_u8(vget_high_u8(b));
	uint32x4_t w[4] = {vmovl_u16(vget_low_u16(lo)), vmovl_u16(vget_high_u16(lo)),
		vmovl_u16(vget_low_u16(hi)), vmovl_u16(vget_high_u16(hi))};
	EACH(v16, vcvtq_f32_u32(w[i]));
}
LANES v16 v_from_u8(const uint8_t *p) { return v_widen(vld1q_u8(p)); }
LANES v16 v_from_u4(const uint8_t *p) {
	uint8x8_t b = vld1_u8(p);
	return v_widen(vcombine_u8(vand_u8(b, vdup_n_u8(15)), vshr_n_u8(b, 4)));
}
LANES v16 v_from_u2(const uint8_t *p) {
	static const int8_t shifts[16] = {0, 0, 0, 0, -2, -2, -2, -2, -4, -4, -4, -4, -6, -6, -6, -6};
	uint32_t word;
	memcpy(&word, p, sizeof word);
	uint8x16_t b = vreinterpretq_u8_u32(vdupq_n_u32(word));
	return v_widen(vandq_u8(vshlq_u8(b, vld1q_s8(shifts)), vdupq_n_u8(3)));
}
LANES void v_to_bytes(uint8_t *p, v16 a) {
	int16x8_t lo = vcombine_s16(vmovn_s32(vcvtnq_s32_f32(a.r[0])), vmovn_s32(vcvtnq_s32_f32(a.r[1])));
	int16x8_t hi = vcombine_s16(vmovn_s32(vcvtnq_s32_f32(a.r[2])), vmovn_s32(vcvtnq_s32_f32(a.r[3])));
	int16x8_t zero = vdupq_n_s16(128);
	vst1q_u8(p, vcombine_u8(vqmovun_s16(vaddq_s16(lo, zero)), vqmovun_s16(vaddq_s16(hi, zero))));
}
LANES void b_from_u4(int8_t *out, const uint8_t *p) {
	const int8x16_t eight = vdupq_n_s8(8);
	for (int i = 0; i < 64; i += 16) {
		uint8x16_t b = vld1q_u8(p + i);
		vst1q_s8(out + 2 * i, vsubq_s8(vreinterpretq_s8_u8(vandq_u8(b, vdupq_n_u8(15))), eight));
		vst1q_s8(out + 2 * i + 16, vsubq_s8(vreinterpretq_s8_u8(vshrq_n_u8(b, 4)), eight));
	}
}
