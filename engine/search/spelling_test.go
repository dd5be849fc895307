package search

import (
	"testing"

	"dowse/engine"
	"dowse/store"

	unicodenorm "golang.org/x/text/unicode/norm"
)

// spellingWorld has two files that say the same of themselves, one in composed characters and
// one as macOS writes them, and a mailbox.
func spellingWorld(t *testing.T) *world {
	w := newWorld(t)
	for i, form := range []unicodenorm.Form{unicodenorm.NFC, unicodenorm.NFD} {
		path := form.String(root + "/Bücher/" + []string{"a", "b"}[i] + "/여행.md")
		w.index(file{path, form.String("Die Flöße von Ærø, 한국 여행"), on(3, i+1)})
		w.say(path, store.Facts{Format: "eml", Title: form.String("Über Flöße"), Tags: []string{form.String("gärtnerei/bäume")},
			Authors: []string{form.String("Jörg Müßig <j@example.org>")}, To: []string{form.String("Łukasz Żak")}})
	}
	path := root + "/box.mbox"
	w.index(file{path, unicodenorm.NFD.String("Die Flöße liegen am Ufer"), on(3, 5)})
	if err := w.db.Update(func(tx *store.Tx) error {
		f, err := tx.FileByPath(path)
		if err != nil {
			return err
		}
		said := store.Said{Title: unicodenorm.NFD.String("Über Flöße"), Authors: []string{unicodenorm.NFD.String("Jörg Müßig")},
			To: []string{unicodenorm.NFD.String("Łukasz Żak")}, Tags: []string{unicodenorm.NFD.String("gärtnerei/bäume")}}
		return tx.PutEntries(f.ID, store.Entries{About: []store.Said{said}, List: []store.Entry{{}}})
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestSpellingOfQueries(t *testing.T) {
	w := spellingWorld(t)
	for query, want := range map[string]int{
		"flöße title:flöße":           3,
		"flöße title:\"UBER FLOSSE\"": 3,
		"flöße tag:gärtnerei":         3,
		"flöße tag:gartnerei/baume":   3,
		"flöße tag:gart":              0,
		"flöße from:müßig":            3,
		"flöße from:mussig":           3,
		"flöße to:łukasz":             3,
		"flöße to:lukasz":             3,
		"flöße path:bücher":           2,
		"flöße path:bucher":           2,
		"flöße path:*/여행.m?":          2,
		"flöße -path:bücher":          1,
		"flöße -title:flosse":         0,
		`"die flöße"`:                 3,
		`"die flosse von aero"`:       2,
		"한국":                          2,
		`"한국 여행"`:                     2,
		"flosse":                      3,
	} {
		for _, form := range []unicodenorm.Form{unicodenorm.NFC, unicodenorm.NFD} {
			if got := len(w.search(engine.Request{Query: form.String(query), Mode: engine.Lexical, K: 9}).Passages); got != want {
				t.Errorf("%q: %d passages, want %d", form.String(query), got, want)
			}
		}
	}
	for _, dir := range []string{"/Bücher/a", "/Bücher/b"} {
		for _, form := range []unicodenorm.Form{unicodenorm.NFC, unicodenorm.NFD} {
			if got := w.search(engine.Request{Query: "flöße", Mode: engine.Lexical, K: 9, In: []string{form.String(root + dir)}}); len(got.Passages) != 1 {
				t.Errorf("in %q: %d passages", form.String(dir), len(got.Passages))
			}
		}
	}
}

func TestSpellingOfSuggestions(t *testing.T) {
	w := spellingWorld(t)
	for line, want := range map[string]string{
		"title:flosse": `"Über Flöße" (Über Flöße 2)`,
		"tag:gart":     "gärtnerei (gärtnerei 2), gärtnerei/bäume (gärtnerei/bäume 2)",
		"tag:bäu":      "gärtnerei/bäume (gärtnerei/bäume 2)",
		"from:muss":    "j@example.org (Jörg Müßig <j@example.org> 2)",
		"to:zak":       `"łukasz żak" (Łukasz Żak 2)`,
		"path:buch":    "Bücher/ (Bücher/ 2), Bücher/a/ (Bücher/a/ 1), Bücher/b/ (Bücher/b/ 1)",
		"path:여행":      "여행.md (여행.md 2)",
	} {
		for _, form := range []unicodenorm.Form{unicodenorm.NFC, unicodenorm.NFD} {
			if got := unicodenorm.NFC.String(w.suggests(form.String(line))); got != want {
				t.Errorf("%q: %s\nwant %s", form.String(line), got, want)
			}
		}
	}
}
