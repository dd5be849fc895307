package cells

import (
	"fmt"
	"html"
	"strings"
)

// Sizes of a cell in a picture, in pixels.
const (
	cellWidth, cellHeight = 8.4, 18.0
	margin                = 12.0
)

// Theme are the colours of a picture that no cell says.
type Theme struct{ Background, Foreground string } // as "#1e1e1e"

// SVG draws the screen. Every run of text has the width of its cells, whatever
// font a reader has.
func (s *Screen) SVG(theme Theme) string {
	var out strings.Builder
	w, h := cellWidth*float64(s.w)+2*margin, cellHeight*float64(s.h)+2*margin
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="%s" xml:space="preserve">`+"\n", w, h, w, h, theme.Foreground)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", theme.Background)
	for y, row := range s.rows {
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && row[end].Ink == row[x].Ink {
				end++
			}
			s.run(&out, x, y, row[x:end])
			x = end
		}
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// run draws cells of one ink, with no blanks at either end.
func (s *Screen) run(out *strings.Builder, x, y int, row []Cell) {
	var text strings.Builder
	for _, c := range row {
		text.WriteString(c.Text)
	}
	style, back := paint(row[0].Ink)
	left, top := margin+cellWidth*float64(x), margin+cellHeight*float64(y)
	if back != "" {
		fmt.Fprintf(out, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, top, cellWidth*float64(len(row)), cellHeight, back)
	}
	trimmed := strings.TrimLeft(text.String(), " ")
	left += cellWidth * float64(len(text.String())-len(trimmed))
	if trimmed = strings.TrimRight(trimmed, " "); trimmed == "" {
		return
	}
	cells := len(row) - (len(text.String()) - len(trimmed))
	fmt.Fprintf(out, `<text x="%.1f" y="%.1f" textLength="%.1f"%s>%s</text>`+"\n", left, top+13.5, cellWidth*float64(cells), style, html.EscapeString(trimmed))
}

// paint turns an ink into attributes of SVG and the colour behind the text.
func paint(ink string) (style, back string) {
	for _, a := range strings.Split(ink, ";") {
		switch {
		case a == "1":
			style += ` font-weight="bold"`
		case a == "2":
			style += ` opacity="0.6"`
		case a == "3":
			style += ` font-style="italic"`
		case a == "4":
			style += ` text-decoration="underline"`
		case strings.HasPrefix(a, "38:2:"):
			style += ` fill="` + hex(a[5:]) + `"`
		case strings.HasPrefix(a, "48:2:"):
			back = hex(a[5:])
		}
	}
	return style, back
}

func hex(rgb string) string {
	var r, g, b int
	if _, err := fmt.Sscanf(rgb, "%d:%d:%d", &r, &g, &b); err != nil {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}
