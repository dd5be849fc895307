package kernel

import (
	"slices"
	"strings"
	"testing"

	"dowse/models/pack"
)

func TestNewRefusesWhatThereIsNot(t *testing.T) {
	if _, err := New(Options{ISA: "mmx"}); err == nil || !strings.Contains(err.Error(), "mmx") {
		t.Errorf("unknown isa: %v", err)
	}
	if _, err := New(Options{Backend: "gpu"}); err == nil || !strings.Contains(err.Error(), "gpu") {
		t.Errorf("unknown backend: %v", err)
	}
}

func TestISAVariableForcesTheISA(t *testing.T) {
	for _, isa := range ISAs() {
		t.Setenv(ISAVariable, strings.ToUpper(string(isa)))
		if got := openKernel(t, Options{}).Describe().ISA; got != isa {
			t.Errorf("%s=%s gave isa %s", ISAVariable, isa, got)
		}
	}
	t.Setenv(ISAVariable, "mmx")
	if _, err := New(Options{}); err == nil || !strings.Contains(err.Error(), ISAVariable) {
		t.Errorf("unknown isa in the environment: %v", err)
	}
}

func TestAutoIsTheFastestISA(t *testing.T) {
	t.Setenv(ISAVariable, "")
	isas := ISAs()
	d := openKernel(t, Options{}).Describe()
	if d.ISA != isas[len(isas)-1] || !slices.Equal(d.ISAs, isas) || isas[0] != Plain {
		t.Errorf("described %+v, isas %v", d, isas)
	}
}

func TestRuntimeRule(t *testing.T) {
	for _, c := range []struct {
		backend Backend
		library string
		rows    int
		want    bool
	}{
		{Runtime, "lib.so", 1, true},
		{Runtime, "", 1000, false},
		{Own, "lib.so", 1000, false},
		{AutoBackend, "lib.so", runtimeMinRows - 1, false},
		{AutoBackend, "lib.so", runtimeMinRows, hasMatrixUnit()},
	} {
		k := &Kernel{backend: c.backend, runtime: &matrixRuntime{library: c.library}}
		if got := k.wantsRuntime(c.rows); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

func TestScratchGrowsAndStays(t *testing.T) {
	k, s := newKernel(t, Auto), newScratch(t)
	small, large := randomLinear(newRandom(), 8, 8), randomLinear(newRandom(), 64, 64)
	run := func(w *pack.Linear, rows int) int {
		if err := k.Linear(make([]float32, rows*w.N), make([]float32, rows*w.K), rows, w, None, s); err != nil {
			t.Fatal(err)
		}
		return s.Size()
	}
	first := run(small, 1)
	peak := run(large, 500)
	if peak <= first {
		t.Errorf("scratch memory is %d bytes after a call that needs more than %d", peak, first)
	}
	if again := run(small, 1); again != peak {
		t.Errorf("scratch memory shrank from %d to %d bytes", peak, again)
	}
}
