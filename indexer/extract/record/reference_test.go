package record_test

import (
	"context"
	"slices"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testmutate"
)

// The first two were written by pandoc 3.9, the third follows the published form of RIS.
var bibliographies = map[string]string{
	"biblatex.bib": "@article{lee2019,\n  author = {Lee, Ann and Müller, Bernd},\n  title = {Tides of the {Scheldt}},\n  journal = {Journal of Gauges},\n  date = {2019-05-03},\n  doi = {10.1/xyz},\n  note = {ask Ben},\n  abstract = {Gauges at Ostend are compared \\& found wanting.}\n}\n",
	"bibtex.bib":   "% Encoding: UTF-8\n@string{jg = \"Journal of Gauges\"}\n\n@Article{lee2019,\n  author = \"Ann Lee and Bernd M{\\\"u}ller\",\n  title = \"Tides of the {Scheldt}\",\n  journal = jg,\n  year = 2019,\n  keywords = {tides, old gauges},\n}\n",
	"export.ris":   "TY  - JOUR\r\nAU  - Lee, Ann\r\nAU  - Müller, Bernd\r\nTI  - Tides of the Scheldt\r\nJO  - Journal of Gauges\r\nPY  - 2019/05/03/\r\nDO  - 10.1/xyz\r\nKW  - tides\r\nAB  - Gauges at Ostend are compared & found wanting.\r\nER  - \r\n",
}

func TestBibliographies(t *testing.T) {
	people := []string{"Ann Lee", "Bernd Müller"}
	for name, want := range map[string]string{
		"biblatex.bib": "Title: Tides of the Scheldt; By: Ann Lee, Bernd Müller; In: Journal of Gauges; Date: 2019-05-03; DOI: 10.1/xyz\n\nask Ben\n\nGauges at Ostend are compared & found wanting.",
		"bibtex.bib":   "Title: Tides of the Scheldt; By: Ann Lee, Bernd Müller; In: jg; Date: 2019; Tags: tides, old gauges",
		"export.ris":   "Title: Tides of the Scheldt; By: Ann Lee, Bernd Müller; In: Journal of Gauges; Date: 2019-05-03; DOI: 10.1/xyz; Tags: tides\n\nGauges at Ostend are compared & found wanting.",
	} {
		d, err := extract.Bytes(context.Background(), name, []byte(bibliographies[name]), extract.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Text != want {
			t.Errorf("%s: %q, want %q", name, d.Text, want)
		}
		if m := d.Entries[0].Meta; m.Title != "Tides of the Scheldt" || !slices.Equal(m.Authors, people) || m.Date.Year() != 2019 {
			t.Errorf("%s: says of itself %+v", name, m)
		}
		if label := document.Label(d.Place(len(d.Text))); label != "record Tides of the Scheldt" {
			t.Errorf("%s: place %q", name, label)
		}
	}
}

func TestDamagedBibliographiesEnd(t *testing.T) {
	for name, seed := range bibliographies {
		testmutate.Each(t, 500, [][]byte{[]byte(seed)}, func(data []byte) {
			if d, err := extract.Bytes(context.Background(), name, data, extract.Options{}); err == nil && !utf8.ValidString(d.Text) {
				t.Fatalf("%s: %.100q", name, d.Text)
			}
		})
	}
}
