package collection

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"dowse/internal/eval"
)

func TestWriteRun(t *testing.T) {
	var b strings.Builder
	err := WriteRun(&b, []eval.Ranking{
		{Query: "q1", Documents: []eval.Ranked{{ID: "d 1", Score: 0.5}, {ID: "100%", Score: 0.25}}},
		{Query: "q2"},
		{Query: "q3", Documents: []eval.Ranked{{ID: "d\u00a02", Score: -1}}},
	})
	want := "q1 Q0 d%201 1 0.500000 dowse\nq1 Q0 100%25 2 0.250000 dowse\nq3 Q0 d%C2%A02 1 -1.000000 dowse\n"
	if err != nil || b.String() != want {
		t.Errorf("got %q, %v, want %q", b.String(), err, want)
	}
}

func TestEscapedIDsAreURLEncoded(t *testing.T) {
	for _, id := range []string{"plain", "a b", "50%25 of\tit", "https://host/a%20b#c", "線\u3000上"} {
		escaped := escapeID(id)
		back, err := url.PathUnescape(escaped)
		if err != nil || back != id || len(strings.Fields(escaped)) != 1 {
			t.Errorf("%q is written as %q and read as %q, %v", id, escaped, back, err)
		}
	}
}

// failing refuses every write.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteRunReportsFailure(t *testing.T) {
	if WriteRun(failing{}, []eval.Ranking{{Query: "q", Documents: []eval.Ranked{{ID: "d", Score: 1}}}}) == nil {
		t.Error("a failed write went unnoticed")
	}
}
