//go:build unix

package tty

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// typedInput returns an input that is fed by a pipe, and what feeds it. Nothing
// is waited for: rest says what is ready.
func typedInput(t *testing.T, rest func() bool) (*Input, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	return &Input{File: r, ready: func(*os.File, time.Duration) bool { return rest() }}, w
}

// TestReadsEndBetweenKeys cuts text at every size of the buffer: all of it
// arrives, and no read ends within a letter or a sequence.
func TestReadsEndBetweenKeys(t *testing.T) {
	text := strings.Repeat("漢字é👩a\x1b[A\x1b[1;5C\x1bOP\x1b[<64;10;12M\x1bé\x1b[[A\x1b[M !!\x1b\x1b[B", 7)
	for size := 14; size < 300; size++ {
		in, w := typedInput(t, func() bool { return true })
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
		got, buf := "", make([]byte, size)
		for len(got) < len(text) {
			n, err := in.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			if n == size {
				t.Fatalf("a read of %d bytes is full", size)
			}
			if end, _ := wholeEnd(buf[:n]); end != n {
				t.Fatalf("a read of %d bytes ends within a key: %q", size, buf[:n])
			}
			got += string(buf[:n])
		}
		if got != text {
			t.Fatalf("by reads of %d bytes came %q", size, got)
		}
	}
}

// TestEscapeAlone gives out an escape that nothing follows, and what a sequence
// began with; half a letter is kept for the rest of it.
func TestEscapeAlone(t *testing.T) {
	for _, typed := range []string{"\x1b", "ab\x1b", "\x1b[", "\x1bO"} {
		in, w := typedInput(t, func() bool { return false })
		_, _ = w.WriteString(typed)
		buf := make([]byte, 256)
		if n, err := in.Read(buf); err != nil || string(buf[:n]) != typed {
			t.Errorf("%q came as %q, %v", typed, buf[:n], err)
		}
	}
	in, w := typedInput(t, func() bool { return false })
	buf := make([]byte, 256)
	_, _ = w.WriteString("x\xe6\xbc")
	if n, err := in.Read(buf); err != nil || string(buf[:n]) != "x" {
		t.Errorf("a letter and a half came as %q, %v", buf[:n], err)
	}
	_, _ = w.WriteString("\xa2y")
	if n, err := in.Read(buf); err != nil || string(buf[:n]) != "漢y" {
		t.Errorf("the rest came as %q, %v", buf[:n], err)
	}
}

// TestAnyBytes loses and adds nothing, whatever is typed.
func TestAnyBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		typed := make([]byte, 1+random.IntN(500))
		for i := range typed {
			typed[i] = "\x1b[O;1A~M<\xe6\xbc\xa2 \xffx"[random.IntN(15)]
		}
		in, w := typedInput(t, func() bool { return random.IntN(2) == 0 })
		_, _ = w.Write(typed)
		_ = w.Close()
		got, buf := "", make([]byte, 2+random.IntN(255))
		for {
			n, err := in.Read(buf)
			got += string(buf[:n])
			if err != nil {
				break
			}
		}
		if got += string(in.held); got != string(typed) {
			t.Fatalf("%q came as %q", typed, got)
		}
	}
}

// TestReady tells a pipe with bytes from an empty one.
func TestReady(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(); _ = w.Close() }()
	if ready(r, time.Millisecond) {
		t.Error("an empty pipe is ready")
	}
	_, _ = w.WriteString("a")
	if !ready(r, time.Minute) {
		t.Error("a pipe with a byte is not ready")
	}
}
