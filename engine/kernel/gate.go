package kernel

// Silu replaces each x by x/(1+e^-x), right to 3e-7 relative above -87. Below,
// where the result is smaller than 10^-35, it stays at that of -87.
func (k *Kernel) Silu(x []float32) {
	if len(x) > 0 {
		k.ops.silu(x)
	}
}

// SwiGLU writes silu(gate)*up, value by value, to dst: the gated unit of
// Shazeer, GLU Variants Improve Transformer, 2020. The three are equally long;
// dst may be gate or up.
func (k *Kernel) SwiGLU(dst, gate, up []float32) {
	needLen("dst", len(dst), len(gate))
	needLen("up", len(up), len(gate))
	if len(gate) > 0 {
		k.ops.swiGLU(dst, gate, up)
	}
}
