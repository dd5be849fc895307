package kernel

import "golang.org/x/sys/cpu"

// hasMatrixUnit reports whether the processor has AMX with byte products, which
// ONNX Runtime uses and the kernels of this package do not.
func hasMatrixUnit() bool { return cpu.X86.HasAMXInt8 }
