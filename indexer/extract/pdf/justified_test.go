package pdf

import (
	"slices"
	"testing"
)

// apart are the two pieces of a line with one wide gap, from 50 to 250.
func apart(y float64, left, right string) []segment {
	return []segment{at(50, y, left), at(250-5*float64(len([]rune(right))), y, right)}
}

func TestWideSpacesOfJustifiedLines(t *testing.T) {
	full := func(y float64) []segment { return []segment{at(50, y, "the gutters of the granary were mended  ")} }
	gaps := slices.Concat(apart(688, "Wiederherstellung", "der"), apart(676, "die", "Unterhaltungsmittel"), apart(664, "erneut", "verschoben"))
	prose := "the gutters of the granary were mended   Wiederherstellung der die Unterhaltungsmittel erneut verschoben"
	words := []string{"|Wiederherstellung,der", "|die,Unterhaltungsmittel", "|erneut,verschoben"}
	var across []segment // two columns whose lines the file has side by side, one of them with a gap
	for i := range 5 {
		y := 700 - 12*float64(i)
		if i == 2 {
			across = append(across, at(50, y, "wide"), at(180, y, "gap in this"))
		} else {
			across = append(across, at(50, y, "a line of a column of prose of letters."))
		}
		across = append(across, at(300, y, "Beside another column of words."))
	}
	for name, c := range map[string]struct {
		segments []segment
		want     []string
	}{
		"between full lines":   {slices.Concat(full(700), gaps, full(652)), []string{prose + " the gutters of the granary were mended  "}},
		"below full lines":     {slices.Concat(full(712), full(700), gaps), []string{"the gutters of the granary were mended   " + prose}},
		"a table below one":    {slices.Concat(full(700), gaps), append([]string{"the gutters of the granary were mended  "}, words...)},
		"a table apart":        {slices.Concat(full(760), full(748), gaps), append([]string{"the gutters of the granary were mended   the gutters of the granary were mended  "}, words...)},
		"numbers flush right":  {slices.Concat(full(712), full(700), apart(688, "tiles", "1200"), apart(676, "lead", "340"), apart(664, "labour", "2500")), []string{"the gutters of the granary were mended   the gutters of the granary were mended  ", "|tiles,1200", "|lead,340", "|labour,2500"}},
		"columns side by side": {across, []string{"a line of a column of prose of letters. a line of a column of prose of letters. wide gap in this a line of a column of prose of letters. a line of a column of prose of letters.", "Beside another column of words. Beside another column of words. Beside another column of words. Beside another column of words. Beside another column of words."}},
		"narrow spaces":        {slices.Concat(full(712), full(700), apart(688, "Department of Health", "gov"), apart(676, "Camp for Children", "camp"), apart(664, "Wool Guild", "wool")), []string{"the gutters of the granary were mended   the gutters of the granary were mended  ", "|Department of Health,gov", "|Camp for Children,camp", "|Wool Guild,wool"}},
		"below each other":     {slices.Concat(full(712), full(700), apart(688, "roof", "Penrhyn"), apart(676, "wall", "Bethesd"), apart(664, "floor", "Corwens")), []string{"the gutters of the granary were mended   the gutters of the granary were mended  ", "|roof,Penrhyn", "|wall,Bethesd", "|floor,Corwens"}},
		"a table of two lines": {slices.Concat(apart(700, "roof", "Penrhyn"), apart(688, "wall", "Llechwedd"), apart(676, "floor", "Ffestiniog")), []string{"|roof,Penrhyn", "|wall,Llechwedd", "|floor,Ffestiniog"}},
	} {
		rows := rowsOf(c.segments)
		if got := textsOf(blocksOf(rows, divisionsOf([][]row{rows}))); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
