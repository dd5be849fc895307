package tui

import (
	"io"
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
	for name, styles := range map[string]styles{"colour": colourStyles(r), "no colour": plainStyles(r)} {
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
