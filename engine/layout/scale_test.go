package layout_test

import (
	"errors"
	"path/filepath"
	"testing"

	"dowse/engine/fusion"
	"dowse/engine/layout"
	"dowse/store"
)

// What an index notes of its embedder is read again; what is damaged is an error.
func TestBuilderAndScale(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	scale, builder := fusion.NewScale(-.25, 1.5), layout.Builder{Embedder: "a", Fingerprint: "b", Rest: "c"}
	read := func() (s fusion.Scale, known bool, b layout.Builder, err error) {
		err = db.View(func(tx *store.Tx) error {
			var wrong error
			s, known, wrong = layout.Scale(tx)
			b, err = layout.BuilderOf(tx)
			return errors.Join(wrong, err)
		})
		return s, known, b, err
	}
	if _, known, b, err := read(); known || b != (layout.Builder{}) || err != nil {
		t.Errorf("of a new index: %v, %+v, %v", known, b, err)
	}
	for _, want := range []fusion.Scale{scale, {}} {
		err := db.Update(func(tx *store.Tx) error { return errors.Join(layout.PutScale(tx, want), layout.PutBuilder(tx, builder)) })
		if err != nil {
			t.Fatal(err)
		}
		if s, known, b, err := read(); s != want || !known || b != builder || err != nil {
			t.Errorf("%v, %v, %+v, %v; want %v", s, known, b, err, want)
		}
	}
	if got := scale.Of(.5); got != .5 {
		t.Errorf("%v + %v * .5 is %v", -.25, 1.5, got)
	}
	for key, value := range map[string][]byte{"fusion.scale": make([]byte, 15), "builder": []byte("{")} {
		if err := db.Update(func(tx *store.Tx) error { return tx.PutMeta(key, value) }); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := read(); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s damaged: %v", key, err)
		}
	}
}
