package pdf

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// at is a segment of a test, 5 points a letter.
func at(x, y float64, text string) segment {
	return segment{text: text, x0: x, x1: x + 5*float64(len([]rune(text))), y: y, size: 10}
}

func textsOf(blocks []block) (out []string) {
	for _, b := range blocks {
		if b.table != nil {
			for _, cells := range b.table.cells {
				out = append(out, strings.Join(b.table.names, ",")+"|"+strings.Join(cells, ","))
			}
			continue
		}
		out = append(out, b.text)
	}
	return out
}

func TestParagraphs(t *testing.T) {
	hyphen := at(50, 700, "a main")
	hyphen.hyphen = true
	compound, letter := at(50, 700, "is well"), at(50, 700, "by e")
	compound.hyphen, letter.hyphen = true, true
	small := at(50, 676, "note")
	small.size = 7
	for name, c := range map[string]struct {
		segments []segment
		want     []string
	}{
		"lines":           {[]segment{at(50, 700, "one two"), at(50, 688, "three four")}, []string{"one two three four"}},
		"a blank line":    {[]segment{at(50, 700, "one two"), at(50, 688, "three"), at(50, 664, "four"), at(50, 652, "five")}, []string{"one two three", "four five"}},
		"first lines":     {[]segment{at(60, 700, "one two ten"), at(50, 688, "three four"), at(60, 676, "five six ten"), at(50, 664, "seven")}, []string{"one two ten three four", "five six ten seven"}},
		"another size":    {[]segment{at(50, 700, "one two"), at(50, 688, "three"), small}, []string{"one two three", "note"}},
		"a divided word":  {[]segment{hyphen, at(50, 688, "tenance and more")}, []string{"a maintenance and more"}},
		"a hyphen stays":  {[]segment{at(50, 700, "the well-known and well-"), at(50, 688, "known thing")}, []string{"the well-known and well-known thing"}},
		"its own hyphen":  {[]segment{compound, at(50, 688, "known; he is well and known")}, []string{"is well-known; he is well and known"}},
		"a part is none":  {[]segment{compound, at(50, 688, "ness; he is well")}, []string{"is wellness; he is well"}},
		"parts of itself": {[]segment{compound, at(50, 688, "known here")}, []string{"is wellknown here"}},
		"a letter":        {[]segment{letter, at(50, 688, "mail alone")}, []string{"by e-mail alone"}},
		"Chinese":         {[]segment{at(50, 700, "屋顶的"), at(50, 688, "瓦片")}, []string{"屋顶的瓦片"}},
		"pieces of a row": {[]segment{at(50, 700, "left"), at(300, 700, "right")}, []string{"left right"}},
		"table": {
			[]segment{at(50, 700, "Item"), at(200, 700, "Cost"), at(50, 688, "desk"), at(200, 688, "30"), at(50, 676, "a chair that"), at(50, 664, "lamp"), at(200, 664, "7")},
			[]string{"Item,Cost|desk,30", "Item,Cost|a chair that,", "Item,Cost|lamp,7"},
		},
		"rows without names": {
			[]segment{at(50, 700, "a"), at(200, 700, "b"), at(50, 688, "c"), at(200, 688, "d"), at(50, 676, "e"), at(200, 676, "f")},
			[]string{"|a,b", "|c,d", "|e,f"},
		},
	} {
		rows := rowsOf(c.segments)
		if got := textsOf(blocksOf(rows, divisionsOf([][]row{rows}))); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestOrderOfAMess(t *testing.T) {
	var file, want []string
	var segments []segment
	for i := range 8 {
		text := "line " + string(rune('a'+i))
		want = append(want, text)
		segments = append(segments, at(50, 700-12*float64(i), text))
	}
	// Every second line first, bottom up.
	slices.SortStableFunc(segments, func(a, b segment) int { return int(a.y - b.y) })
	for _, s := range segments {
		file = append(file, s.text)
	}
	var got []string
	for _, s := range inOrder(segments) {
		got = append(got, s.text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q became %q", file, got)
	}
}

func TestRunningLines(t *testing.T) {
	var pages [][]row
	for i := range 5 {
		n := string(rune('1' + i))
		pages = append(pages, rowsOf([]segment{at(50, 780, "House book "+n), at(50, 700, "words "+strings.Repeat("of a page ", i+1)), at(50, 600, "more"), at(50, 500, "and "+n+" more "+strings.Repeat("x", i)), at(50, 400, "end "+strings.Repeat("y", i)), at(50, 20, n)}))
	}
	dropRunning(pages)
	var heads []string
	for _, rows := range pages {
		heads = append(heads, rows[0].text())
		if last := rows[len(rows)-1].text(); !strings.HasPrefix(last, "end") {
			t.Errorf("a page ends with %q", last)
		}
	}
	if heads[0] != "House book 1" || slices.ContainsFunc(heads[1:], func(h string) bool { return strings.HasPrefix(h, "House") }) {
		t.Errorf("heads: %q", heads)
	}
}

// The title of a section beside the page number is another line on each page. It goes where the
// text has it too, and stays once where it has not.
func TestLinesWithPageNumbers(t *testing.T) {
	titles := []string{"The roof", "The gutter", "Mildew", "Frost"}
	var pages [][]row
	for i, title := range titles {
		n := strconv.Itoa(i + 3) // the first two pages are missing
		foot := "2." + n + ". " + title + " " + n
		if i == 3 {
			foot = n + " Chapter 2. Winter notes" // of a title that is nowhere else
		}
		rows := []segment{at(50, 780, "top "+strings.Repeat("z", i)), at(50, 760, "next "+strings.Repeat("z", i))}
		rows = append(rows, at(50, 700, "2."+n+" "+strings.ToUpper(title)), at(50, 600, "words "+strings.Repeat("of a page ", i+1)))
		pages = append(pages, rowsOf(append(rows, at(50, 100, "it took "+strings.Repeat("y", i)+" "+strconv.Itoa(40+i*i)), at(50, 20, foot))))
	}
	pages = append(pages, rowsOf([]segment{at(50, 20, "7 Chapter 2. Winter notes")})) // a page that is empty
	dropRunning(pages)
	var ends []string
	for _, rows := range pages {
		if len(rows) == 0 {
			ends = append(ends, "")
			continue
		}
		ends = append(ends, rows[len(rows)-1].text())
	}
	if want := []string{"it took  40", "it took y 41", "it took yy 44", "6 Chapter 2. Winter notes", ""}; !slices.Equal(ends, want) {
		t.Errorf("pages end with %q, want %q", ends, want)
	}
}

// Of titles that read alike the outline means the one of that page.
func TestOutlinedTitles(t *testing.T) {
	f := &file{outline: []entry{{"Shared libraries", 1, 40}, {"10.3 Shared libraries", 2, 60}, {"Shared libraries", 4, -1}}}
	h := headingsOf(f, nil)
	for p, want := range map[int]int{39: 1, 40: 1, 55: 2, 60: 2, 90: 2} {
		if got := h.outlined("9 Shared Libraries", p); got != want {
			t.Errorf("page %d: level %d, want %d", p, got, want)
		}
	}
	if h.outlined("Static libraries", 40) != 0 {
		t.Error("a title that the outline has not")
	}
}

func TestDates(t *testing.T) {
	for in, want := range map[string]string{
		"D:20240301120000+01'00'": "2024-03-01T11:00:00Z", "D:2024": "2024-01-01T00:00:00Z", "20240301": "2024-03-01T00:00:00Z",
		"D:20240301120000Z": "2024-03-01T12:00:00Z", "spring": "0001-01-01T00:00:00Z", "D:20249901": "2024-01-01T00:00:00Z",
	} {
		if got := date(in).Format("2006-01-02T15:04:05Z"); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
