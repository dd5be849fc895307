package kernel

import (
	"errors"
	"fmt"
)

// Backend chooses who multiplies the integer matrices.
type Backend string

// The backends.
const (
	AutoBackend Backend = ""    // by wantsRuntime
	Runtime     Backend = "ort" // ONNX Runtime, for any number of rows
	Own         Backend = "own" // the kernels of this package
)

// Options configure New. The zero value is the usual choice without ONNX
// Runtime.
type Options struct {
	// Library is the path of the ONNX Runtime library, or empty. A library
	// that is missing, too old or broken is no error: own kernels do its work
	// and Describe says so.
	Library string
	ISA     ISA
	Backend Backend
}

// Kernel holds the numeric operations of encoders in one instruction set. It is safe for
// concurrent use; each goroutine brings its own Scratch.
type Kernel struct {
	isa     ISA
	backend Backend
	ops     operations
	runtime *matrixRuntime
}

// New returns the operations for this machine. Forcing an instruction set that it lacks, or
// an unknown backend, is an error. ONNX Runtime is loaded by the first call that wants it,
// which takes 50 to 90 ms.
func New(options Options) (*Kernel, error) {
	isa, err := chooseISA(options.ISA)
	if err != nil {
		return nil, err
	}
	switch options.Backend {
	case AutoBackend, Runtime, Own:
	default:
		return nil, fmt.Errorf("matrix backend %q is unknown; choose %q, %q or none", options.Backend, Runtime, Own)
	}
	k := &Kernel{isa: isa, backend: options.Backend, ops: plainOperations(), runtime: newMatrixRuntime(options.Library)}
	if isa != Plain {
		k.ops = nativeOperations(isa)
	}
	return k, nil
}

// Close gives ONNX Runtime's session back, if there is one. No call may be
// under way, none may follow.
func (k *Kernel) Close() error { return k.runtime.close() }

// Description says how a Kernel computes, for people.
type Description struct {
	ISA     ISA     `json:"level"`
	ISAs    []ISA   `json:"levels"`  // that this build on this machine can run
	Backend Backend `json:"backend"` // that multiplies matrices of many rows
	Reason  string  `json:"reason"`  // why this backend
	Library string  `json:"library"` // path of ONNX Runtime, or empty
	Loaded  bool    `json:"loaded"`  // whether ONNX Runtime is in memory
	Problem string  `json:"problem"` // one sentence with what to do, or empty
}

// errInexact says that the library must not be used on this processor.
var errInexact = errors.New("ONNX Runtime's integer products overflow on this processor, which has no VNNI")

// LoadRuntime loads ONNX Runtime now, where the backend may use it, and
// returns why it cannot; dowse doctor asks. Results do not depend on it.
func (k *Kernel) LoadRuntime() error {
	if !k.wantsRuntime(runtimeMinRows) {
		return nil
	}
	return k.runtime.load()
}

// Describe reports the instruction set, the backend and the reasons for both. It loads
// nothing; a problem with the library shows once something tried to load it.
func (k *Kernel) Describe() Description {
	d := Description{ISA: k.isa, ISAs: ISAs(), Backend: Own, Library: k.runtime.library}
	loaded, err := k.runtime.state()
	d.Loaded = loaded
	switch {
	case errors.Is(err, errInexact):
		d.Reason = err.Error()
	case err != nil:
		d.Reason = "ONNX Runtime does not load"
		d.Problem = fmt.Sprintf("%v; run make models, or set the library's path", err)
	case k.backend == Own:
		d.Reason = "chosen by option"
	case k.runtime.library == "" && hasMatrixUnit():
		d.Reason = "no ONNX Runtime library"
		d.Problem = "this processor has a matrix unit (AMX) that only ONNX Runtime uses; run make models to get its library"
	case k.runtime.library == "":
		d.Reason = "no ONNX Runtime library, and own kernels are the faster ones here"
	case k.backend == Runtime:
		d.Backend, d.Reason = Runtime, "chosen by option"
	case k.wantsRuntime(runtimeMinRows):
		d.Backend = Runtime
		d.Reason = fmt.Sprintf("the processor has a matrix unit (AMX); own kernels below %d rows", runtimeMinRows)
	default:
		d.Reason = "own kernels are the faster ones on a processor without a matrix unit (AMX)"
	}
	return d
}

// runtimeMinRows is where ONNX Runtime overtakes own kernels on processors with a matrix
// unit (AMX); below, unpacking the weights costs more than it saves, and a query must not
// wait for the library. Without a matrix unit own kernels are 1.1 to 1.5 times as fast at
// 512 rows and 2 to 8 times at one (AVX-512 VNNI, go test -bench Linear).
const runtimeMinRows = 64

// wantsRuntime is the rule that chooses the backend.
func (k *Kernel) wantsRuntime(rows int) bool {
	if k.runtime.library == "" || k.backend == Own {
		return false
	}
	return k.backend == Runtime || rows >= runtimeMinRows && hasMatrixUnit()
}
