package opened

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"dowse/engine/swap"
)

// A disk is measured once: what is kept counts as long as it is of this version and sound.
func TestADiskIsMeasuredOnce(t *testing.T) {
	folder := t.TempDir()
	path, costs := filepath.Join(folder, "weights"), filepath.Join(folder, "costs")
	if err := os.WriteFile(path, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	first := MeasuredDisk(costs, "1").Of(t.Context(), path)
	if len(first.Sizes) == 0 || first.Sequential <= 0 {
		t.Fatalf("%+v", first)
	}
	kept, err := filepath.Glob(filepath.Join(costs, "disk-*.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	const sound = `{"version":"1","disk":{"Sizes":[4096],"Rates":[1],"Sequential":2,"Memory":3}}`
	want := swap.DiskProfile{Sizes: []int{4096}, Rates: []float64{1}, Sequential: 2, Memory: 3}
	for content, counts := range map[string]bool{
		sound: true,
		`{"version":"0","disk":{"Sizes":[4096],"Rates":[1],"Sequential":2,"Memory":3}}`: false,
		`{"version":"1","disk":{"Sizes":[4096],"Rates":[0],"Sequential":2,"Memory":3}}`: false,
		`{"version":"1","disk":{"Sizes":[4096],"Rates":[],"Sequential":2,"Memory":3}}`:  false,
		`{"version":"1"}`: false,
		`{`:               false,
	} {
		if err := os.WriteFile(kept[0], []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		got := MeasuredDisk(costs, "1").Of(t.Context(), path)
		if reflect.DeepEqual(got, want) != counts || len(got.Sizes) == 0 {
			t.Errorf("%s: %+v", content, got)
		}
	}
	if got := MeasuredDisk(costs, "2").Of(t.Context(), filepath.Join(folder, "elsewhere", "weights")); len(got.Sizes) > 0 {
		t.Errorf("a file that is not there: %+v", got)
	}
	if got := DiskCosts(nil).Of(t.Context(), path); len(got.Sizes) > 0 {
		t.Errorf("without a measurement: %+v", got)
	}
}
