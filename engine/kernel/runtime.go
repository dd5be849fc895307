//go:build cgo

package kernel

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"dowse/models/pack"
)

// matrixRuntime multiplies integer matrices with ONNX Runtime: one session
// over a graph of one node with open shapes, so that weights are an input and
// may lie anywhere.
type matrixRuntime struct {
	library string

	mu      sync.Mutex // guards what follows
	tried   bool
	err     error // of loading
	session *ort.DynamicAdvancedSession
}

func newMatrixRuntime(library string) *matrixRuntime { return &matrixRuntime{library: library} }

// environment guards ONNX Runtime's environment, of which the C library allows
// one in a process. It is made by the first session and stays.
var environment sync.Mutex

// load makes the session, once; later calls return what the first found.
func (r *matrixRuntime) load() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.tried {
		r.tried = true
		r.session, r.err = openSession(r.library)
		if r.err == nil {
			r.err = r.verify()
		}
		if r.err != nil && r.session != nil {
			r.err = errors.Join(r.err, r.session.Destroy())
			r.session = nil
		}
	}
	return r.err
}

// verify multiplies the largest integers, whose sums of two products overflow
// 16 bits, and compares with what comes out in 32.
func (r *matrixRuntime) verify() error {
	const k, n = 64, 32
	for _, weight := range []int8{127, -127} {
		w := &pack.Linear{K: k, N: n, Weights: slices.Repeat([]int8{weight}, k*n)}
		for _, rows := range []int{1, 8} {
			product := make([]int32, rows*n)
			if err := r.run(product, slices.Repeat([]uint8{255}, rows*k), rows, w); err != nil {
				return err
			}
			if slices.ContainsFunc(product, func(p int32) bool { return p != k*(255-128)*int32(weight) }) {
				return errInexact
			}
		}
	}
	return nil
}

func (r *matrixRuntime) state() (loaded bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.session != nil, r.err
}

func (r *matrixRuntime) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	session := r.session
	r.session, r.tried, r.err = nil, true, errors.New("ONNX Runtime is closed")
	if session == nil {
		return nil
	}
	return session.Destroy()
}

func openSession(library string) (*ort.DynamicAdvancedSession, error) {
	environment.Lock()
	defer environment.Unlock()
	if !ort.IsInitialized() {
		if _, err := os.Stat(library); err != nil {
			return nil, fmt.Errorf("load ONNX Runtime: %w", err)
		}
		ort.SetSharedLibraryPath(library)
		if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
			return nil, fmt.Errorf("load ONNX Runtime from %s: %w", library, err)
		}
	}
	options, err := sessionOptions()
	if err != nil {
		return nil, fmt.Errorf("set up ONNX Runtime: %w", err)
	}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(matMulIntegerModel(),
		[]string{inputRows, inputWeights}, []string{outputProduct}, options)
	if err = errors.Join(err, options.Destroy()); err != nil {
		return nil, fmt.Errorf("open ONNX Runtime session: %w", err)
	}
	return session, nil
}

// sessionOptions asks for one thread a call, because callers bring their own,
// and for no memory kept between calls.
func sessionOptions() (*ort.SessionOptions, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		o.SetIntraOpNumThreads(1),
		o.SetInterOpNumThreads(1),
		o.SetCpuMemArena(false),
		o.SetMemPattern(false),
		// Without VNNI the default kernel adds products of bytes in 16 bits,
		// where they overflow; this asks for the exact one. It is a wish that
		// is not always granted to weights that are an input; verify looks.
		o.AddSessionConfigEntry("session.x64quantprecision", "1"),
	)
	if err != nil {
		return nil, errors.Join(err, o.Destroy())
	}
	return o, nil
}

// multiply writes sum over k of (q[m,k]-128)*w[k,n] to product [rows,N].
func (r *matrixRuntime) multiply(product []int32, q []uint8, rows int, w *pack.Linear) error {
	if err := r.load(); err != nil {
		return err
	}
	return r.run(product, q, rows, w)
}

// run is multiply with the session that there is.
func (r *matrixRuntime) run(product []int32, q []uint8, rows int, w *pack.Linear) (err error) {
	m, k, n := int64(rows), int64(w.K), int64(w.N)
	left, err := ort.NewTensor(ort.NewShape(m, k), q)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, left.Destroy()) }()
	right, err := ort.NewTensor(ort.NewShape(k, n), w.Weights)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, right.Destroy()) }()
	out, err := ort.NewTensor(ort.NewShape(m, n), product)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Destroy()) }()
	return r.session.Run([]ort.Value{left, right}, []ort.Value{out})
}
