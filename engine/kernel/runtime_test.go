//go:build cgo

package kernel

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"dowse/engine/memory"
	"dowse/internal/testcache"
	"dowse/models/pack"
)

// offHeap copies a projection's weights out of the Go heap, as C wants them.
func offHeap(t *testing.T, w *pack.Linear) *pack.Linear {
	t.Helper()
	b, err := memory.NewBuffer(nil, "", len(w.Weights))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Free(); err != nil {
			t.Error(err)
		}
	})
	copy(b.Int8(), w.Weights)
	moved := *w
	moved.Weights = b.Int8()
	return &moved
}

func TestN1_RuntimeGivesTheBitsOfOwnKernels(t *testing.T) {
	runtime := openKernel(t, Options{Library: testcache.Library(t), Backend: Runtime})
	switch err := runtime.LoadRuntime(); {
	case errors.Is(err, errInexact):
		t.Log(err) // and then own kernels do its work
		if d := runtime.Describe(); d.Backend != Own || d.Loaded || d.Problem != "" {
			t.Errorf("%+v", d)
		}
	case err != nil:
		t.Fatal(err)
	}
	own := newKernel(t, Auto)
	for _, shape := range shapes {
		r := newRandom()
		w := offHeap(t, randomLinear(r, shape.k, shape.n))
		x := awkwardRows(r, shape.k)
		rows := len(x) / shape.k
		for _, m := range []int{1, 2, rows} {
			want, got := make([]float32, m*w.N), make([]float32, m*w.N)
			if err := own.Linear(want, x[:m*w.K], m, w, Gelu, newScratch(t)); err != nil {
				t.Fatal(err)
			}
			if err := runtime.Linear(got, x[:m*w.K], m, w, Gelu, newScratch(t)); err != nil {
				t.Fatal(err)
			}
			sameBits(t, fmt.Sprintf("%dx%d, %d rows", w.K, w.N, m), got, want)
		}
	}
}

func TestRuntimeServesSeveralGoroutines(t *testing.T) {
	runtime := openKernel(t, Options{Library: testcache.Library(t), Backend: Runtime})
	r := newRandom()
	w := offHeap(t, randomLinear(r, 64, 64))
	x := randomFloats(r, 32*w.K, 1)
	want := make([]float32, 32*w.N)
	if err := newKernel(t, Plain).Linear(want, x, 32, w, None, newScratch(t)); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		s := newScratch(t)
		group.Go(func() {
			for range 20 {
				got := make([]float32, len(want))
				if err := runtime.Linear(got, x, 32, w, None, s); err != nil {
					t.Error(err)
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Error("another result on another goroutine")
				}
			}
		})
	}
	group.Wait()
}

// alone runs a test in a process of its own, where no library is loaded yet,
// and says whether this is that process.
func alone(t *testing.T) bool {
	t.Helper()
	const variable = "DOWSE_TEST_ALONE"
	if os.Getenv(variable) == t.Name() {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("under emulation the test cannot start itself")
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// TestUnusableLibraryIsNoError: own kernels do the work, and Describe tells.
func TestUnusableLibraryIsNoError(t *testing.T) {
	if !alone(t) {
		return
	}
	garbage := filepath.Join(t.TempDir(), "libonnxruntime.so")
	if err := os.WriteFile(garbage, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, library := range []string{garbage, filepath.Join(t.TempDir(), "none.so")} {
		k := openKernel(t, Options{Library: library, Backend: Runtime})
		w := randomLinear(newRandom(), 8, 4)
		got, want := make([]float32, 4), make([]float32, 4)
		x := randomFloats(newRandom(), 8, 1)
		if err := k.Linear(got, x, 1, w, None, newScratch(t)); err != nil {
			t.Fatal(err)
		}
		if err := newKernel(t, Plain).Linear(want, x, 1, w, None, newScratch(t)); err != nil {
			t.Fatal(err)
		}
		sameBits(t, library, got, want)
		if d := k.Describe(); d.Backend != Own || !strings.Contains(d.Problem, "make models") {
			t.Errorf("%s: %+v", library, d)
		}
	}
}

func TestNothingIsLoadedBeforeItIsWanted(t *testing.T) {
	k := openKernel(t, Options{Library: testcache.Library(t)})
	w := randomLinear(newRandom(), 8, 4)
	if err := k.Linear(make([]float32, 4), make([]float32, 8), 1, w, None, newScratch(t)); err != nil {
		t.Fatal(err)
	}
	if k.Describe().Loaded {
		t.Error("a product of one row loaded ONNX Runtime")
	}
}
