package passage

import (
	"strings"
	"time"

	"dowse/engine"
)

// testNow is the moment that tests search at.
var testNow = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)

// plainText is the text of a file that is indexed as it is.
func plainText(body string) *engine.Text {
	return &engine.Text{Body: body, Line: func(at int) int {
		return 1 + strings.Count(body[:max(0, min(at, len(body)))], "\n")
	}, Embedded: func(start, end int) string { return body[start:end] }, Heading: func(int) string { return "H" }}
}
