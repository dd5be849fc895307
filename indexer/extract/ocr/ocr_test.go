package ocr

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/internal/testmutate"
)

// use has pictures read by a function for a test.
func use(t *testing.T, opts Options) {
	t.Helper()
	before := current.Load()
	t.Cleanup(func() { current.Store(before) })
	Use(opts)
}

func TestParagraphs(t *testing.T) {
	for name, c := range map[string][2]string{
		"lines":      {"The tiles of the north\nside were laid.\n\nTake  a ladder.\n\f", "The tiles of the north side were laid.\n\nTake a ladder."},
		"hyphens":    {"the main-\ntenance of Anna-\nLena, 1990-\n2000 and so\u00ad\ncalled", "the maintenance of Anna- Lena, 1990- 2000 and socalled"},
		"specks":     {"| _\n\n~ .\nHouse\n--\n7\n", "House 7"},
		"not UTF-8":  {"wor\xffds\r\nhere", "words here"},
		"two pages":  {"one\ftwo", "one\n\ntwo"},
		"empty":      {" \n\f", ""},
		"first dash": {"-\nso", "so"},
	} {
		if got := paragraphs(c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
}

// TestParagraphsOfAnything: whatever a program prints becomes lines that a text may have.
func TestParagraphsOfAnything(t *testing.T) {
	seeds := [][]byte{[]byte("The tiles of the north\nside were laid.\n\nthe main-\ntenance\n\f"), []byte("| _\n\n~ so\u00ad\ncalled\r\n\f\f-\n7")}
	testmutate.Each(t, 2000, seeds, func(data []byte) {
		text := paragraphs(string(data))
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\f\r\t") || strings.Contains(text, "\n\n\n") || text != strings.Trim(text, " \n") || text != paragraphs(string(data)) {
			t.Errorf("%q becomes %q", data, text)
		}
		telling(text)
	})
}

func TestTelling(t *testing.T) {
	for text, want := range map[string]bool{
		"The invoice of the roofer is due on the first of May":  true,
		"Die Rechnung des Dachdeckers ist am ersten Mai fällig": true,
		"屋根の修理の請求書は五月一日までに支払う必要があります。よろしくお願いいたします。":             true,
		"":          false,
		"EXIT only": false,
		"oo ie | we ~ a = EE sa ee Pe - i fo wl ae Fy ee ae a ss eae we oy":                               false,
		"a1b2 c3d4 e5f6 7g8h 9i0j the and for not are but has was one two three x1 y2 z3 q4 w5 1234 5678": false,
	} {
		if got := telling(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestText(t *testing.T) {
	const words = "The invoice of the roofer\nis due on the first of May."
	use(t, Options{Read: func(_ context.Context, picture []byte) (string, error) {
		if len(picture) == 0 {
			return "7\n", nil
		}
		return words, nil
	}})
	if text, err := Text(t.Context(), []byte("picture")); err != nil || text != strings.ReplaceAll(words, "\n", " ") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := Text(t.Context(), nil); !errors.Is(err, document.ErrNoText) || errors.Is(err, errOff) || text != "" {
		t.Errorf("a picture without words: %q, %v", text, err)
	}
	if text, err := Page(t.Context(), nil); err != nil || text != "7" {
		t.Errorf("a page without words: %q, %v", text, err)
	}
	if _, err := Text(document.WithoutPrograms(t.Context()), []byte("picture")); !errors.Is(err, errOff) {
		t.Errorf("while somebody waits: %v", err)
	}
	Use(Options{})
	if _, err := Text(t.Context(), []byte("picture")); !errors.Is(err, errOff) || !errors.Is(err, document.ErrNoText) || On() {
		t.Errorf("turned off: %v", err)
	}
}

func TestFailures(t *testing.T) {
	missing := errors.New("no such language")
	use(t, Options{Read: func(context.Context, []byte) (string, error) { return "half a text", missing }})
	if text, err := Text(t.Context(), nil); !errors.Is(err, missing) || text != "" {
		t.Errorf("%q, %v", text, err)
	}
	hang := func(ctx context.Context, _ []byte) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	Use(Options{Read: hang, Time: time.Millisecond})
	if _, err := Text(t.Context(), nil); !errors.Is(err, ErrSlow) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that hangs: %v", err)
	}
	Use(Options{Read: hang})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := Text(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("in the middle: %v", err)
	}
}

// TestAtOnce: no more are read at a time than may be, and who waits can give up.
func TestAtOnce(t *testing.T) {
	var now, most atomic.Int32
	started, release := make(chan struct{}), make(chan struct{})
	use(t, Options{AtOnce: 1, Read: func(context.Context, []byte) (string, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		started <- struct{}{}
		<-release
		return "", nil
	}})
	done := make(chan error)
	for range 2 {
		go func() {
			_, err := Page(t.Context(), nil)
			done <- err
		}()
	}
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Page(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("one that waits: %v", err)
	}
	close(release)
	<-started
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d at a time", most.Load())
	}
}
