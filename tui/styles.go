package tui

import (
	"io"
	"os"

	"dowse/tui/background"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// The palette, for light and dark backgrounds: all colours of the screen.
var (
	colourText   = lipgloss.AdaptiveColor{Light: "#24292f", Dark: "#d7dae0"}
	colourSoft   = lipgloss.AdaptiveColor{Light: "#57606a", Dark: "#9aa2b1"}
	colourFaint  = lipgloss.AdaptiveColor{Light: "#8c959f", Dark: "#646b7a"}
	colourLine   = lipgloss.AdaptiveColor{Light: "#d0d7de", Dark: "#3a3f4b"}
	colourAccent = lipgloss.AdaptiveColor{Light: "#0a7a78", Dark: "#5fc9c0"}
	colourHit    = lipgloss.AdaptiveColor{Light: "#9a5b00", Dark: "#f0b860"}
	colourWarn   = lipgloss.AdaptiveColor{Light: "#9a6700", Dark: "#d9a441"}
	colourShade  = lipgloss.AdaptiveColor{Light: "#e3eff0", Dark: "#25353a"}
	colourString = lipgloss.AdaptiveColor{Light: "#3f7a2f", Dark: "#98c379"}
	colourWord   = lipgloss.AdaptiveColor{Light: "#7a3fa0", Dark: "#c39ae0"}
	colourNumber = lipgloss.AdaptiveColor{Light: "#9a4a1a", Dark: "#d8a07a"}
	colourError  = lipgloss.AdaptiveColor{Light: "#b3261e", Dark: "#ef7d77"}
)

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

// newStyles makes the styles for output. Without colour only weight is left.
func newStyles(output io.Writer, noColor bool, getenv func(string) string) styles {
	r := lipgloss.NewRenderer(output)
	if output == os.Stdout {
		// Asked before the program owns the terminal's replies.
		r.SetHasDarkBackground(background.Dark())
	} else {
		r.SetHasDarkBackground(true)
	}
	switch {
	case getenv("TERM") == "dumb":
		r.SetColorProfile(termenv.Ascii)
	case noColor:
		r.SetColorProfile(termenv.ANSI)
		return plainStyles(r)
	}
	return colourStyles(r)
}

func colourStyles(r *lipgloss.Renderer) styles {
	ink := func(c lipgloss.TerminalColor) lipgloss.Style { return r.NewStyle().Foreground(c) }
	return styles{
		prompt:      ink(colourAccent).Bold(true),
		query:       ink(colourText),
		placeholder: ink(colourFaint),
		cursor:      ink(colourAccent),
		text:        ink(colourText),
		soft:        ink(colourSoft),
		muted:       ink(colourSoft),
		faint:       ink(colourFaint),
		line:        ink(colourLine),
		accent:      ink(colourAccent),
		title:       ink(colourSoft).Bold(true),
		hit:         ink(colourHit).Bold(true),
		name:        ink(colourText).Bold(true),
		chosen:      ink(colourAccent).Bold(true),
		bar:         ink(colourAccent),
		barRest:     ink(colourLine),
		drafted: func(s lipgloss.Style, text string) string {
			return s.Background(colourShade).Render(text)
		},
		warn:    ink(colourWarn),
		problem: ink(colourError),
		comment: ink(colourFaint).Italic(true),
		literal: ink(colourString),
		number:  ink(colourNumber),
		keyword: ink(colourWord),
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
