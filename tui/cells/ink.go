package cells

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// nextInk applies the parameters of SGR to an ink.
func nextInk(ink string, params ansi.Params) string {
	attributes := strings.Split(ink, ";")
	if ink == "" {
		attributes = nil
	}
	if len(params) == 0 {
		return ""
	}
	for i := 0; i < len(params); i++ {
		p, _, _ := params.Param(i, 0)
		switch {
		case p == 0:
			attributes = nil
		case p == 22:
			attributes = without(attributes, "1", "2")
		case p >= 23 && p <= 29:
			attributes = without(attributes, strconv.Itoa(p-20))
		case p < 10:
			attributes = append(without(attributes, strconv.Itoa(p)), strconv.Itoa(p))
		default:
			colour, used := colourOf(params[i:])
			i += used - 1
			layer := colour[:1]
			if len(colour) > 2 && colour[:2] == "10" {
				layer = "4"
			}
			if layer == "9" {
				layer = "3"
			}
			attributes = slices.DeleteFunc(attributes, func(a string) bool {
				return len(a) > 1 && (strings.HasPrefix(a, layer) || layer == "3" && a[0] == '9' || layer == "4" && strings.HasPrefix(a, "10"))
			})
			if colour != "39" && colour != "49" {
				attributes = append(attributes, colour)
			}
		}
	}
	slices.Sort(attributes)
	return strings.Join(attributes, ";")
}

// colourOf returns the colour that parameters begin with, its parts joined by
// colons, and how many they are.
func colourOf(params ansi.Params) (colour string, used int) {
	at := func(i int) int { p, _, _ := params.Param(i, 0); return p }
	used = 1
	if at(0) == 38 || at(0) == 48 {
		used = 3
		if at(1) == 2 {
			used = 5
		}
	}
	used = min(used, len(params))
	parts := make([]string, used)
	for i := range parts {
		parts[i] = strconv.Itoa(at(i))
	}
	return strings.Join(parts, ":"), used
}

func without(attributes []string, gone ...string) []string {
	return slices.DeleteFunc(attributes, func(a string) bool { return slices.Contains(gone, a) })
}

// Inks returns the runs of each row that are drawn alike, as "5a 3b": five cells
// of the first ink of the legend, three of the second. A dot stands for cells
// without an ink, which are left out at the end of a row. The legend grows by the
// inks that are new to it.
func (s *Screen) Inks(legend *[]string) (rows []string) {
	for _, row := range s.rows {
		var runs []string
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && row[end].Ink == row[x].Ink {
				end++
			}
			name := "."
			if ink := row[x].Ink; ink != "" {
				at := slices.Index(*legend, ink)
				if at < 0 {
					at, *legend = len(*legend), append(*legend, ink)
				}
				name = letter(at)
			}
			if end < len(row) || name != "." {
				runs = append(runs, fmt.Sprintf("%d%s", end-x, name))
			}
			x = end
		}
		rows = append(rows, strings.Join(runs, " "))
	}
	return rows
}

// Legend names each ink by its letter.
func Legend(inks []string) string {
	var out strings.Builder
	for at, ink := range inks {
		fmt.Fprintf(&out, "%s %s\n", letter(at), ink)
	}
	return out.String()
}

// letter names the ink at a place of the legend: a to z, then A and so on.
func letter(at int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if at < len(letters) {
		return letters[at : at+1]
	}
	return fmt.Sprintf("<%d>", at)
}
