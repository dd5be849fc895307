package local

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// What passes cost is kept for this version alone, and what cannot be a cost is
// measured again.
func TestKeptCosts(t *testing.T) {
	w := &Writer{build: "(devel)"}
	path, cost := filepath.Join(t.TempDir(), "generate", "cost.json"), keptCost{Version: "(devel)", Seconds: []float64{0.004, 0.005, 0.005}, Prompt: 0.25, Layer: 0.125}
	if err := w.writeCost(path, cost); err != nil {
		t.Fatal(err)
	}
	if kept, ok := w.readCost(path); !ok || !reflect.DeepEqual(kept, cost) {
		t.Fatalf("%v, kept were %v", kept, cost)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		strings.Replace(string(good), w.build, "v0.0.1", 1), strings.Replace(string(good), "0.004", "0.4", 1),
		strings.Replace(string(good), "0.004", "-1", 1), strings.Replace(string(good), "0.004,0.005,0.005", "", 1),
		strings.Replace(string(good), "0.25", "0", 1), strings.Replace(string(good), "0.125", "-1", 1), strings.Replace(string(good), `,"prompt":0.25`, "", 1),
		strings.Replace(string(good), "0.004", `"x"`, 1), string(good[:20]), "[0.004]", "null", "",
	} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if kept, ok := w.readCost(path); ok {
			t.Errorf("%q is taken for %v", bad, kept)
		}
	}
}
