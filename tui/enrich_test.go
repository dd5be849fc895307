package tui

import (
	"strings"
	"testing"

	"dowse/tui/rich"
)

// TestSnippetsWithoutMarkup shows what Markdown means, in the list and in the
// preview, with the matched words lit.
func TestSnippetsWithoutMarkup(t *testing.T) {
	withScreen(t, 110, 34, Options{}, func(t *testing.T, s *screen) {
		s.fake.files = map[string]string{"/home/ada/notes/server/outage.md": "# Outage\n\nThe **resolver** hung:\n\n```sh\ndig example.org # slow\n```\n\n" +
			"| host | state |\n|---|---|\n| larch | *down* |\n\n- ask [Ben](mailto:ben@example.org)\n"}
		s.typed("resolver")
		s.shows("The resolver hung: dig example.org # slow", "host · state larch · down • ask Ben", " 11  larch │ down", "10  ──────┼──────", " 13  • ask Ben (mailto:ben@example.org)")
		s.hides("**", "```", "## ", "|---|")
		line := s.model.preview.lines[2]
		if len(line.hits) != 1 || line.text[line.hits[0].Start:line.hits[0].End] != "resolver" {
			t.Errorf("lit are %v of %q", line.hits, line.text)
		}
		code := s.model.preview.lines[5]
		if len(code.spans) != 1 || code.spans[0].Look != rich.Comment || !strings.HasSuffix(code.text, "# slow") {
			t.Errorf("code is %+v", code)
		}
	})
}
