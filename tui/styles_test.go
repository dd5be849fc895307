package tui

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"testing"

	"dowse/engine"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// TestUncertainAnswersLookUncertain: no word of an uncertain answer is drawn as in
// one that is sure, with colour and without.
func TestUncertainAnswersLookUncertain(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	for name, styles := range map[string]styles{"colour": colourStyles(r, darkPalette), "no colour": plainStyles(r)} {
		drawn := map[string]string{}
		for _, c := range []engine.Confidence{engine.Sure, engine.Perhaps} {
			pane := answerPane{prose: prose{styles: styles}, answer: perhaps().says}
			pane.answer.Confidence = c
			for _, piece := range pane.answer.Pieces() {
				text := pane.draw(proseSpan{piece: piece, ink: pane.ink(&pane.answer, piece)}, piece.Text)
				if before, seen := drawn[piece.Text]; seen && piece.Citation == 0 && before == text {
					t.Errorf("%s: %q is drawn alike", name, text)
				}
				drawn[piece.Text] = text
			}
		}
		if len(drawn) < 3 {
			t.Errorf("%s: %d pieces are compared", name, len(drawn))
		}
	}
}

// TestWithoutColour checks that NO_COLOR leaves weight and no colour, and that
// a dumb terminal gets no attributes at all.
func TestWithoutColour(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[([0-9;]*;)?[349][0-9][0-9;]*m`)
	attribute := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	bold := regexp.MustCompile(`\x1b\[1mcache`)
	for _, c := range []struct {
		name, key, value string
		weight           bool
	}{{"no colour", "NO_COLOR", "1", true}, {"dumb terminal", "TERM", "dumb", false}} {
		t.Run(c.name, func(t *testing.T) {
			getenv := func(key string) string {
				if key == c.key {
					return c.value
				}
				return ""
			}
			withScreen(t, 120, 40, Options{Getenv: getenv}, func(t *testing.T, s *screen) {
				s.typed("cache")
				s.press("ctrl+o")
				view := s.model.View()
				if found := colour.FindString(view); found != "" {
					t.Errorf("the screen has the colour %q", found)
				}
				if bold.MatchString(view) != c.weight {
					t.Errorf("a matched word is bold: %v, want %v", !c.weight, c.weight)
				}
				if found := attribute.FindString(view); !c.weight && found != "" {
					t.Errorf("the screen has the attribute %q", found)
				}
			})
		})
	}
}

// luminance is the relative luminance of WCAG 2.1.
func luminance(hex string) float64 {
	var rgb [3]int
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		return math.NaN()
	}
	sum := 0.0
	for i, weight := range [3]float64{.2126, .7152, .0722} {
		c := float64(rgb[i]) / 255
		if c <= .03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// TestContrast: all text of the contrast themes stands out by 7:1, as WCAG 2.1 asks
// of AAA, and main text of the others by 4.5:1.
func TestContrast(t *testing.T) {
	for _, c := range []struct {
		name       string
		of         palette
		background string
		least      float64
	}{
		{"light contrast", lightContrast, "#ffffff", 7}, {"dark contrast", darkContrast, "#1e1e1e", 7},
		{"light", lightPalette, "#ffffff", 4.5}, {"dark", darkPalette, "#1e1e1e", 4.5},
	} {
		p := c.of
		texts := []lipgloss.TerminalColor{p.text, p.soft, p.accent, p.hit, p.warn, p.literal, p.word, p.number, p.problem}
		if c.least == 7 {
			texts = append(texts, p.faint, p.line)
		}
		for i, colour := range texts {
			a, b := luminance(string(colour.(lipgloss.Color))), luminance(c.background)
			if ratio := (max(a, b) + .05) / (min(a, b) + .05); !(ratio >= c.least) {
				t.Errorf("%s: colour %d, %v, stands out by %.1f", c.name, i, colour, ratio)
			}
		}
	}
}

// TestThemes: the theme of the settings counts, and 16 colours are all that a
// terminal of 16 gets.
func TestThemes(t *testing.T) {
	env := func(string) string { return "" }
	for theme, want := range map[string]palette{"": darkPalette, "auto": darkPalette, "dark": darkPalette, "light": lightPalette, "contrast": darkContrast} {
		if got := choosePalette(Options{Theme: theme, Output: io.Discard, Getenv: env}); got != want {
			t.Errorf("%q has other colours", theme)
		}
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI)
	if drawn := colourStyles(r, lightPalette).accent.Render("x"); !regexp.MustCompile(`^\x1b\[(3|9)[0-7]mx\x1b\[0m$`).MatchString(drawn) {
		t.Errorf("of 16 colours: %q", drawn)
	}
}
