package tui

import (
	"os"
	"strings"

	"dowse/tui/background"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// palette is all colours of the screen.
type palette struct {
	text, soft, faint, line, accent, hit, warn, shade, literal, word, number, problem lipgloss.TerminalColor
}

// The palettes of the themes.
var (
	lightPalette = paletteOf("#24292f #57606a #8c959f #d0d7de #0a7a78 #9a5b00 #9a6700 #e3eff0 #3f7a2f #7a3fa0 #9a4a1a #b3261e")
	darkPalette  = paletteOf("#d7dae0 #9aa2b1 #646b7a #3a3f4b #5fc9c0 #f0b860 #d9a441 #25353a #98c379 #c39ae0 #d8a07a #ef7d77")
	// Of the contrast themes nothing is fainter than 7:1 on its background.
	lightContrast = paletteOf("#000000 #1f2328 #3b434b #3b434b #00443f #6a2c00 #6a2c00 #cfe8e6 #0f4a12 #4a1470 #6a2c00 #8a0f0f")
	darkContrast  = paletteOf("#ffffff #f0f2f5 #c9ced6 #c9ced6 #7ff0e6 #ffd24d #ffd24d #1c4a4a #b8f09a #e3c4ff #ffc79a #ffb3ad")
)

// paletteOf reads colours in the order of palette.
func paletteOf(colours string) palette {
	c := strings.Fields(colours)
	of := func(i int) lipgloss.TerminalColor { return lipgloss.Color(c[i]) }
	return palette{of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9), of(10), of(11)}
}

// styles name meanings, not looks.
type styles struct {
	prompt, query, placeholder, cursor lipgloss.Style

	text    lipgloss.Style // main text
	soft    lipgloss.Style // secondary text
	muted   lipgloss.Style // text not to rely on
	faint   lipgloss.Style // unimportant text
	line    lipgloss.Style // rules and borders
	accent  lipgloss.Style // the one important thing
	title   lipgloss.Style // head of a panel
	hit     lipgloss.Style // a matched word
	name    lipgloss.Style // the name of a file
	chosen  lipgloss.Style // the same in the chosen row
	bar     lipgloss.Style // the filled part of a bar
	barRest lipgloss.Style // the rest of it
	warn    lipgloss.Style
	problem lipgloss.Style

	// What stands in code.
	comment, literal, number, keyword lipgloss.Style

	// drafted shades text that was guessed before the model agreed.
	drafted func(lipgloss.Style, string) string
}

// newStyles makes the styles for an output. Without colour only weight is left.
func newStyles(o Options) styles {
	r := lipgloss.NewRenderer(o.Output)
	if o.profile != nil {
		r.SetColorProfile(*o.profile)
	}
	switch {
	case o.Getenv("TERM") == "dumb":
		r.SetColorProfile(termenv.Ascii)
	case o.NoColor:
		r.SetColorProfile(termenv.ANSI)
		return plainStyles(r)
	}
	return colourStyles(r, choosePalette(o))
}

// choosePalette returns the colours of a theme.
func choosePalette(o Options) palette {
	// Asked before the program owns the terminal's replies.
	dark := o.Theme != "light" && (o.Theme == "dark" || o.Output != os.Stdout || background.Dark())
	switch {
	case o.Theme == "contrast" && dark:
		return darkContrast
	case o.Theme == "contrast":
		return lightContrast
	case dark:
		return darkPalette
	}
	return lightPalette
}

func colourStyles(r *lipgloss.Renderer, p palette) styles {
	ink := func(c lipgloss.TerminalColor) lipgloss.Style { return r.NewStyle().Foreground(c) }
	return styles{
		prompt:      ink(p.accent).Bold(true),
		query:       ink(p.text),
		placeholder: ink(p.faint),
		cursor:      ink(p.accent),
		text:        ink(p.text),
		soft:        ink(p.soft),
		muted:       ink(p.soft),
		faint:       ink(p.faint),
		line:        ink(p.line),
		accent:      ink(p.accent),
		title:       ink(p.soft).Bold(true),
		hit:         ink(p.hit).Bold(true),
		name:        ink(p.text).Bold(true),
		chosen:      ink(p.accent).Bold(true),
		bar:         ink(p.accent),
		barRest:     ink(p.line),
		drafted: func(s lipgloss.Style, text string) string {
			return s.Background(p.shade).Render(text)
		},
		warn:    ink(p.warn),
		problem: ink(p.problem),
		comment: ink(p.faint).Italic(true),
		literal: ink(p.literal),
		number:  ink(p.number),
		keyword: ink(p.word),
	}
}

func plainStyles(r *lipgloss.Renderer) styles {
	normal, bold, faint := r.NewStyle(), r.NewStyle().Bold(true), r.NewStyle().Faint(true)
	return styles{
		prompt:      bold,
		query:       normal,
		placeholder: faint,
		cursor:      normal,
		text:        normal,
		soft:        normal,
		muted:       faint,
		faint:       faint,
		line:        faint,
		accent:      bold,
		title:       bold,
		hit:         bold,
		name:        bold,
		chosen:      bold,
		bar:         normal,
		barRest:     faint,
		drafted: func(s lipgloss.Style, text string) string {
			return "\x1b[4m" + s.Render(text) + "\x1b[24m" // a Style would underline letter by letter
		},
		warn:    bold,
		problem: bold,
		comment: faint,
		literal: normal,
		number:  normal,
		keyword: bold,
	}
}
