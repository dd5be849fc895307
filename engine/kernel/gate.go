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

// GeluForm is a way to compute gelu.
type GeluForm int

// The forms, which differ by up to 5e-4.
const (
	GeluErf  GeluForm = iota // x*(1+erf(x/sqrt 2))/2
	GeluTanh                 // x*(1+tanh(sqrt(2/pi)*(x+0.044715*x^3)))/2
)

// GeGLU is SwiGLU with gelu in the place of silu.
func (k *Kernel) GeGLU(dst, gate, up []float32, form GeluForm) {
	needLen("dst", len(dst), len(gate))
	needLen("up", len(up), len(gate))
	if len(gate) > 0 {
		k.ops.geGLU(dst, gate, up, form)
	}
}
