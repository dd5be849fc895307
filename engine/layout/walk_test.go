package layout_test

import (
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

func TestMeasured(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	for _, want := range []leann.Measured{{}, {Scan: 97, Walk: 61, Pull: 0.3, Margin: 2.3}, {Scan: 512, Walk: 513, Pull: 0.1}} {
		var got leann.Measured
		err := db.Update(func(tx *store.Tx) error {
			if want != (leann.Measured{}) { // the first one was never noted
				if err := layout.PutMeasured(tx, want); err != nil {
					return err
				}
			}
			var err error
			got, err = layout.Measured(tx)
			return err
		})
		if err != nil || got != want {
			t.Errorf("noted %+v, read %+v, %v", want, got, err)
		}
	}
}

func TestPull(t *testing.T) {
	none, better, worse := leann.Measured{}, leann.Measured{Scan: 97, Walk: 61, Pull: 0.3}, leann.Measured{Scan: 60, Walk: 55, Pull: 0.1}
	for _, c := range []struct {
		use   string
		m     leann.Measured
		walks bool
		pull  float32
		why   string
	}{
		{layout.GraphAuto, none, false, 0, "searches scan: neither was measured"},
		{"", better, true, 0.3, "searches walk: 61 vectors instead of 97"},
		{layout.GraphAuto, worse, false, 0, "searches scan: 55 vectors instead of 60"},
		{layout.GraphOn, none, true, 0.2, "index.graph is on; neither"},
		{layout.GraphOn, worse, true, 0.1, "index.graph is on; 55"},
		{layout.GraphOff, better, false, 0, "searches scan: index.graph is off"},
	} {
		pull, why := layout.Pull(c.use, c.m), layout.WalkReason(c.use, c.m)
		if pull != c.pull || pull > 0 != c.walks || !strings.Contains(why, c.why) {
			t.Errorf("%q, %+v: pull %v, %q", c.use, c.m, pull, why)
		}
	}
}
