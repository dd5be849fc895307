package kernel

import (
	"slices"
	"strings"
	"testing"
)

func TestNewRefusesWhatThereIsNot(t *testing.T) {
	if _, err := New(Options{Level: "mmx"}); err == nil || !strings.Contains(err.Error(), "mmx") {
		t.Errorf("unknown level: %v", err)
	}
	if _, err := New(Options{Backend: "gpu"}); err == nil || !strings.Contains(err.Error(), "gpu") {
		t.Errorf("unknown backend: %v", err)
	}
}

func TestLevelVariableForcesTheLevel(t *testing.T) {
	for _, level := range Levels() {
		t.Setenv(LevelVariable, strings.ToUpper(string(level)))
		if got := openKernel(t, Options{}).Describe().Level; got != level {
			t.Errorf("%s=%s gave level %s", LevelVariable, level, got)
		}
	}
	t.Setenv(LevelVariable, "mmx")
	if _, err := New(Options{}); err == nil || !strings.Contains(err.Error(), LevelVariable) {
		t.Errorf("unknown level in the environment: %v", err)
	}
}

func TestAutoIsTheFastestLevel(t *testing.T) {
	t.Setenv(LevelVariable, "")
	levels := Levels()
	d := openKernel(t, Options{}).Describe()
	if d.Level != levels[len(levels)-1] || !slices.Equal(d.Levels, levels) || levels[0] != Plain {
		t.Errorf("described %+v, levels %v", d, levels)
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
	run := func(w *Linear, rows int) int {
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
