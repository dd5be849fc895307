package record_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testextract"
	"dowse/internal/testmutate"

	"go.yaml.in/yaml/v3"
)

func TestRowsSayTheirColumns(t *testing.T) {
	for _, c := range []struct{ what, name, data, want string }{
		{"commas", "a.csv", "Item,Cost,Note\ndesk,30,\"oak, old\"\nlamp,12,\n", "Item: desk; Cost: 30; Note: oak, old\nItem: lamp; Cost: 12"},
		{"semicolons, a mark, line ends", "a.csv", "\ufeffArt;Preis\r\nTisch;3,50\r\n\"Lampe\r\ngroß\";2\r\n", "Art: Tisch; Preis: 3,50\nArt: Lampe groß; Preis: 2"},
		{"tabs", "a.tsv", "Item\tCost\ndesk, old\t30\n", "Item: desk, old; Cost: 30"},
		{"a line for spreadsheets", "a.csv", "sep=|\nItem|Cost\nx;y|1\n", "Item: x;y; Cost: 1"},
		{"no header", "a.csv", "2024-01-05,desk,30\n2024-01-06,lamp,12\n", "2024-01-05; desk; 30\n2024-01-06; lamp; 12"},
		{"a value twice", "a.csv", "Ann,Bern\nBob,Rome\nAnn,Oslo\n", "Ann; Bern\nBob; Rome\nAnn; Oslo"},
		{"a header alone", "a.csv", "Item,Cost\n", "Item; Cost"},
		{"rows of other lengths", "a.csv", "Item,Cost\ndesk\nlamp,12,blue\nrug,3\n", "Item: desk\nItem: lamp; Cost: 12; blue\nItem: rug; Cost: 3"},
		{"another character set", "a.csv", "Stra\xdfe,Gr\xfc\xdfe an die Mutter\nH\xe4user am See und D\xe4cher,f\xfcr uns\n", "Straße: Häuser am See und Dächer; Grüße an die Mutter: für uns"},
		{"an array", "a.json", `[{"name":"desk","cost":30,"of":{"wood":"oak","tags":["old",true]}},
			{"name":null,"cost":1.50,"parts":[{"n":1},{"n":2}]}]`,
			"name: desk; cost: 30; of.wood: oak; of.tags: old; of.tags: true\ncost: 1.50; parts.n: 1; parts.n: 2"},
		{"an export", "a.json", `{"version": 2, "by": {"app": "Keep"}, "notes": [{"title": "roof", "done": false}, {"title": "lead", "tags": ["a"]}, {"title": "a long one to make it most of the file, as the notes of an export are: leave the ladder in the shed"}], "next": null, "count": 3}`,
			"version: 2; by.app: Keep; count: 3\ntitle: roof; done: false\ntitle: lead; tags: a\ntitle: a long one to make it most of the file, as the notes of an export are: leave the ladder in the shed"},
		{"YAML", "a.yaml", "# People of the house\n- name: Ann # next door\n  born: 1950-02-01\n  of: {town: Bern, zip: 3000}\n- name: Ben\n  born: ~\n  note: |\n    feeds\n    the cat\n  tags: [a, b]\n",
			"People of the house; name: Ann; next door; born: 1950-02-01; of.town: Bern; of.zip: 3000\nname: Ben; note: feeds the cat; tags: a; tags: b"},
		{"YAML within a mapping", "a.yml", "title: Papers\npapers:\n  - id: 1\n    by: &a Ann\n  - id: 2\n    by: *a\n  - id: 3\n    by: [Ben, Cora]\n  - id: 4\n",
			"title: Papers\nid: 1; by: Ann\nid: 2; by: Ann\nid: 3; by: Ben; by: Cora\nid: 4"},
		{"a contact of Apple's", "ann.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Weber;Anna;Maria;Dr.;\r\nFN:Dr. Anna Weber\r\nORG:Weber Roofs;Zinc\r\nTEL;type=CELL;type=pref:+41 79 555 01\r\nitem1.EMAIL;type=INTERNET:anna@example.org\r\nitem1.X-ABLabel:_$!<Holidays>!$_\r\nADR;TYPE=home:;;Lindenweg 3;Bern;;3000;Swit\r\n zerland\r\nBDAY:1974-03-02\r\nNOTE:Ring\\, do not\\nwrite\r\nPHOTO;ENCODING=b:AAAA\r\n BBBB\r\nEND:VCARD\r\n",
			"Name: Dr. Anna Weber; Organization: Weber Roofs, Zinc; Phone (cell): +41 79 555 01; E-mail (holidays): anna@example.org; Address (home): Lindenweg 3, Bern, 3000, Switzerland; Birthday: 2 March 1974; Note: Ring, do not write"},
		{"contacts of an old telephone", "all.vcf", "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\nller;J=C3=BCrg\nTEL;HOME;VOICE:031 555\nBDAY:--0229\nEND:VCARD\nbegin:vcard\nFN:Bob\nend:vcard\n",
			"Name: Jürg Müller; Phone (home): 031 555; Birthday: 29 February\nName: Bob"},
		{"a calendar", "home.ics", "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Home\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Zurich\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nSUMMARY:Dentist\\; Dr. Roth\r\nDTSTART;TZID=Europe/Zurich:20260302T100000\r\nDTEND;TZID=Europe/Zurich:20260302T113000\r\nLOCATION:Bern\r\nRRULE:FREQ=MONTHLY;INTERVAL=6;UNTIL=20280101\r\nATTENDEE;CN=\"Weber; Anna\":mailto:anna@example.org\r\nATTENDEE:mailto:bob@example.org\r\nBEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nDESCRIPTION:Bring the x-\r\n ray\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Ticino\r\nDTSTART;VALUE=DATE:20260710\r\nDTEND;VALUE=DATE:20260713\r\nEND:VEVENT\r\nBEGIN:VTODO\r\nSUMMARY:Tax\r\nDUE:20260331T220000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
			"Event: Dentist; Dr. Roth; When: Monday 2 March 2026 10:00 to 11:30; Where: Bern; Repeats: monthly every 6 until Saturday 1 January 2028; With: Weber; Anna, bob@example.org; Description: Bring the x-ray\nEvent: Ticino; When: Friday 10 July 2026 to Sunday 12 July 2026\nTask: Tax; Due: Tuesday 31 March 2026 22:00 UTC"},
		{"a vector", "a.json", `[{"text":"The heron stood still.","vector":[` + strings.Repeat("-0.0390535,0,0.0677748,", 30) + `1e-9],"prices":[1.5,2.5],"phones":[` + strings.Repeat("7788990,", 33) + `5]}]`,
			"text: The heron stood still.; prices: 1.5; prices: 2.5" + strings.Repeat("; phones: 7788990", 33) + "; phones: 5"},
		{"lines", "a.jsonl", "{\"q\":\"who?\",\"a\":\"Ann\\nLee\"}\n\n{\"q\":\"when\",\"\":\"now\"}\n", "q: who?; a: Ann Lee\nq: when; now"},
	} {
		d := testextract.Read(t, c.name, c.data)
		if d.Text != c.want || d.Kind != document.Converted {
			t.Errorf("%s: %s %q, want %q", c.what, d.Kind, d.Text, c.want)
		}
	}
}

func TestPlacesAndLinesAreThoseOfTheFile(t *testing.T) {
	for _, c := range []struct {
		name, data, text, place string
		line                    int
	}{
		{"a.csv", "Item,Cost\n\"desk\nold\",30\nlamp,12\n", "lamp", "row 3", 4},
		{"a.csv", "sep=;\nItem;Cost\ndesk;30\nlamp;12\n", "lamp", "row 3", 4},
		{"a.json", "[\n {\"a\": 1\n },\n\n {\"a\":\n  \"lamp\"}\n]", "lamp", "record 2", 5},
		{"a.jsonl", "{\"a\":1}\n\n{\"a\":\"lamp\"}\n", "lamp", "record 2", 3},
		{"a.json", "{\"v\": 1,\n\"all\": [\n{\"a\": \"desk, a long one\"},\n{\"a\": \"lamp, a long one\"}]}", "lamp", "record 2", 4},
		{"a.yaml", "all:\n- a: 1\n\n- b: 2\n  a: lamp\n", "lamp", "record 2", 4},
	} {
		d := testextract.Read(t, c.name, c.data)
		at := strings.Index(d.Text, c.text)
		if got := document.Label(d.Place(at)); got != c.place || d.Line(at) != c.line {
			t.Errorf("%s: %s, line %d, want %s, line %d", c.name, got, d.Line(at), c.place, c.line)
		}
	}
}

func TestWhatHasNoRecordsStaysAsItIs(t *testing.T) {
	for name, data := range map[string]string{
		"package.json": `{"name": "x", "files": [{"a": 1}]}`, "list.json": `["a", "b"]`, "fault.json": `[{"a": 1}, {"b": `, "mixed.json": `[{"a": 1}, 2]`,
		"behind.json": `[{"a": 1}] x`, "comment.json": "[{\"a\": 1}, // why\n]", "deep.json": "[{\"a\":" + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}]",
		"a.yaml": "- a: 1\n- b\n", "one.yaml": "- a: 1\n", "b.yaml": "a: 1\nb: [1]\n", "two.yaml": "- a: 1\n- a: 2\n---\n- a: 3\n", "fault.yaml": "- a: 1\n- a: [\n",
		"play.yaml": "- name: install\n  apt: {name: git}\n- name: copy\n  copy: {src: a, dest: b}\n- name: start\n  service: {name: x}\n  when: y\n  become: true\n",
		"steps.yml": "steps:\n- name: a\n  with: [{x: 1}]\n- name: b\n  with: [{x: 2}]\n", "compose.yml": "services:\n  web:\n    ports:\n    - \"80\"\n    - \"81\"\n",
		"a.toml": "a = 1\n", "fault.jsonl": "{\"a\": 1}\nx\n",
	} {
		d := testextract.Read(t, name, data)
		if d.Kind != document.Code || d.Text != data || !d.Plain {
			t.Errorf("%s: %s %q", name, d.Kind, d.Text)
		}
	}
	for name, data := range map[string]string{"words.csv": "one\ntwo\nthree\n", "prose.csv": "Dear Ann, I came.\nThe roof leaks\nagain\nand again\n"} {
		if d := testextract.Read(t, name, data); d.Kind != document.Text || d.Text != data {
			t.Errorf("%s: %s %q", name, d.Kind, d.Text)
		}
	}
}

func TestATableOfNumbersIsLeftOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var b strings.Builder
	for range 10000 {
		fmt.Fprintf(&b, "%d,%d\n", rng.Uint32(), rng.Uint32())
	}
	if d, err := extract.Bytes(context.Background(), "a.csv", []byte(b.String()), extract.Options{}); err == nil || !strings.Contains(err.Error(), "hardly any words") {
		t.Errorf("%v, %v", d != nil, err)
	}
}

// values makes words, each of them once in the file, with what is hard to read between them.
func values(rng *rand.Rand, n int) []string {
	all := make([]string, n)
	for i := range all {
		hard := []string{"", " ", "\"", ", ", "\n", "; ", "é", "\t", "'"}[rng.IntN(9)]
		all[i] = "v" + strconv.Itoa(i) + hard + "w" + strconv.Itoa(i)
	}
	return all
}

// TestEachValueIsInTheTextOnce writes files by the standard library's writers and looks for each value.
func TestEachValueIsInTheTextOnce(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(21, seed))
		columns, count := 2+rng.IntN(6), 2+rng.IntN(30)
		cells := values(rng, columns*count)
		var table strings.Builder
		w := csv.NewWriter(&table)
		w.Comma = []rune{',', ';', '\t', '|'}[rng.IntN(4)]
		var records []map[string]any
		for r := range count {
			row := cells[r*columns : (r+1)*columns]
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
			records = append(records, map[string]any{"a": row[0], "rest": row[1:], "of": map[string]any{"x": r}})
		}
		w.Flush()
		array, err := json.Marshal(records)
		if err != nil {
			t.Fatal(err)
		}
		list, err := yaml.Marshal(records)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string]string{"a.csv": table.String(), "a.json": string(array), "a.yaml": string(list), "b.json": `{"all":` + string(array) + "}"} {
			d := testextract.Read(t, name, data)
			if d.Kind != document.Converted {
				t.Fatalf("seed %d: %s is %s", seed, name, d.Kind)
			}
			text := " " + strings.NewReplacer(": v", " : v").Replace(d.Text)
			header := name == "a.csv" && strings.Count(text, cells[0][:2]) > 1 // the first row names the columns
			for i, cell := range cells {
				want := strings.Join(strings.Fields(cell), " ")
				n := strings.Count(text, want)
				if n != 1 && (!header || i >= columns) {
					t.Fatalf("seed %d: %s has %q %d times:\n%s", seed, name, want, n, text)
				}
			}
		}
	}
}

func seeds() [][]byte {
	return [][]byte{[]byte("Item,Cost\ndesk,30\n\"a\nb\",\"c\"\"d\"\n"), []byte("sep=;\na;b\n1;2\n"), []byte(`[{"a":1,"b":{"c":["d",null,true,1e9]}},{"a":"\ud800x"}]`),
		[]byte("{\"a\":1}\n{\"b\":[[{\"c\":{}}]]}\n"), []byte("a\tb\tc\n1\t2\t3\n"),
		[]byte(`{"v":1,"all":[{"a":"xxxxxxxxxxxx"},{"a":["b",{"c":null}]}],"w":{"x":"y"}}`), []byte("# c\n- a: &x 1 # d\n  b: [c, d]\n- a: *x\n  b: |\n    e\n    f\n- {a: 1, <<: *x}\n"),
		[]byte("BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:M=C3=\n=BCller;J\nFN:a\nitem1.TEL;TYPE=\"home,work\":1\n 2\nitem1.X-ABLABEL:b\nBDAY:19740302\nEND:VCARD\n"),
		[]byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\\, b\nDTSTART:20260302T100000Z\nDTEND:20260302T110000Z\nBEGIN:VALARM\nEND:VALARM\nATTENDEE;CN=\"c\":d\nRRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT\nEND:VCALENDAR\n")}
}

func sound(t *testing.T, data []byte) {
	t.Helper()
	for _, name := range []string{"a.csv", "a.tsv", "a.json", "a.jsonl", "a.yaml", "a.vcf", "a.ics"} {
		d, err := extract.Bytes(context.Background(), name, data, extract.Options{})
		if err != nil {
			continue
		}
		last := -1
		for _, p := range d.Places {
			if p.Offset < last || p.Offset > len(d.Text) {
				t.Fatalf("%s: a place at %d after %d of %d bytes", name, p.Offset, last, len(d.Text))
			}
			last = p.Offset
		}
		if n := 1 + strings.Count(string(data), "\n"); !utf8.ValidString(d.Text) || d.Kind == document.Converted && d.Line(len(d.Text)) > n {
			t.Fatalf("%s: line %d of %d, of %.300q", name, d.Line(len(d.Text)), n, data)
		}
	}
}

func TestDamagedRecordsGiveWhatTheyCan(t *testing.T) {
	testmutate.Each(t, 1500, seeds(), func(data []byte) { sound(t, data) })
}

func FuzzRecord(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { sound(t, data) })
}

// TestLinesFoldedWithinALetter: a program that counts bytes folds a line within a letter of UTF-8; the file stays UTF-8.
func TestLinesFoldedWithinALetter(t *testing.T) {
	fold := func(source string) string {
		for _, within := range []string{"ü", "ö", "€"} {
			source = strings.Replace(source, within, within[:len(within)-1]+"\r\n "+within[len(within)-1:], 1)
		}
		return source
	}
	for name, c := range map[string]struct{ source, want string }{
		"a.ics": {"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Früh am größten Teich\\, 5 € zu zahlen\r\nLOCATION:Brücke\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", "Früh am größten Teich, 5 € zu zahlen"},
		"a.vcf": {"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jörg Müller\r\nNOTE:Zahlt 5 € für größere Reiher\r\nEND:VCARD\r\n", "Jörg Müller"},
	} {
		folded := fold(c.source)
		d, whole := testextract.Read(t, name, folded), testextract.Read(t, name, c.source)
		if utf8.ValidString(folded) || !strings.Contains(d.Text, c.want) || d.Text != whole.Text {
			t.Errorf("%s: %q, want %q", name, d.Text, whole.Text)
		}
	}
}
