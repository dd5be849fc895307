//go:build unix

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/testcache"
	"dowse/internal/testwait"
)

// terminal is a command that runs in a pseudo-terminal.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	keys *os.File
	done chan error

	mu  sync.Mutex
	out bytes.Buffer
}

// patience is how long a test waits for a command; it never waits that long when
// all is well.
const patience = testwait.Patience

// promptly is how long Ctrl-C may take on a machine that is busy with other
// tests; usually it takes some 20 ms.
const promptly = 15 * time.Second

func startTerminal(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	keys, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	s := &terminal{t: t, cmd: cmd, keys: keys, done: make(chan error, 1)}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := keys.Read(buf)
			s.mu.Lock()
			s.out.Write(bytes.ReplaceAll(buf[:n], []byte("\r\n"), []byte("\n")))
			s.mu.Unlock()
			if err != nil { // the program ended
				s.done <- cmd.Wait()
				return
			}
		}
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = keys.Close() }) // it has ended, when all is well
	return s
}

func (s *terminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// wait waits until the program has written text.
func (s *terminal) wait(text string) {
	s.t.Helper()
	if !testwait.For(patience, func() bool { return strings.Contains(s.text(), text) }) {
		s.t.Fatalf("%q did not come; the terminal got %q", text, s.text())
	}
}

// interrupt presses Ctrl-C and returns the exit status and how long that took.
func (s *terminal) interrupt() (status int, took time.Duration) {
	s.t.Helper()
	begun := time.Now()
	if _, err := s.keys.Write([]byte{3}); err != nil {
		s.t.Fatal(err)
	}
	return s.status(), time.Since(begun)
}

// status waits for the end of the program.
func (s *terminal) status() int {
	s.t.Helper()
	select {
	case err := <-s.done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			s.t.Fatal(err)
		}
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		s.t.Fatalf("the program did not end; the terminal got %q", s.text())
		return 0
	}
}

// notesWith is a home with two notes indexed and a server in its settings.
func notesWith(t *testing.T, server *endpointtest.Server, model string) (home, cache string) {
	t.Helper()
	cache = testcache.Dir(t)
	home, notes := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"tools.md":  "# Tools\n\nKen Thompson wrote grep overnight, in 1973.\nIt looks for lines that match.\n",
		"garden.md": "# Garden\n\nTomatoes are sown indoors in March.\n",
	} {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index(t, home, cache, notes)
	if server != nil {
		settings := fmt.Sprintf("[answer]\nendpoint = %q\nendpoint_model = %q\n", server.URL, model)
		if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home, cache
}

const grepAnswer = "It was Ken Thompson, overnight, in 1974. [1]"

// ask is a question on the command line, without colour.
func ask(home, cache string, more ...string) *exec.Cmd {
	cmd := dowse(home, cache, append([]string{"-q", "who wrote grep?", "--answer", "--mode", "hybrid"}, more...)...)
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	return cmd
}

// TestAnswerStreamsOnATerminal: results first, then the answer word by word; where it says
// what the passages do not, the quotation stands.
func TestAnswerStreamsOnATerminal(t *testing.T) {
	server := endpointtest.Start(grepAnswer)
	defer server.Close()
	home, cache := notesWith(t, server, endpointtest.Slow)
	s := startTerminal(t, ask(home, cache))
	s.wait("[1] ")
	s.wait("It was Ken ")
	if text := s.text(); strings.Contains(text, "in 1974") || !strings.Contains(text, "sent to slow at http://127.0.0.1:") {
		t.Errorf("in the middle: %q", text)
	}
	if status := s.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	text := s.text()
	const quoted = "Ken Thompson wrote grep overnight, in 1973. [1]\n\n"
	const written = "In a model's words:\nIt was Ken Thompson, overnight, in 1974.\nThe passages do not say all of this: what is quoted stands.\n[1] "
	if i := strings.Index(text, "\n\n"); i < 0 || !strings.HasPrefix(text, "[1] ") || !strings.Contains(text[i:], quoted+written) ||
		!strings.HasSuffix(text, "tools.md:3\n") {
		t.Errorf("the terminal got %q", text)
	}
	for _, more := range [][]string{nil, {"--json"}} { // piped
		out, err := ask(home, cache, more...).Output()
		want := quoted + "[1] "
		if more != nil {
			want = `{"query":"who wrote grep?","results":[`
		}
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("piped %v: %q, %v", more, out, err)
		}
	}
}

// TestInterruptReturnsThePrompt presses Ctrl-C in every phase: the prompt is back
// at once, with status 130, and neither a process nor a request is left.
func TestInterruptReturnsThePrompt(t *testing.T) {
	server := endpointtest.Start(grepAnswer)
	defer server.Close()
	for i, c := range []struct{ name, model, until string }{
		{"before the server answers", endpointtest.Silent, "sent to silent"},
		{"while it writes", endpointtest.Slow, "It was Ken"},
		{"while it hangs midway", endpointtest.Stuck, "It was Ken"},
	} {
		home, cache := notesWith(t, server, c.model)
		s := startTerminal(t, ask(home, cache))
		s.wait(c.until)
		testwait.Until(t, "the server was not asked", func() bool { return len(server.Asked()) > i })
		if status, took := s.interrupt(); status != 130 || took > promptly {
			t.Errorf("%s: status %d after %v", c.name, status, took)
		}
		if text := s.text(); !strings.HasSuffix(text, "\ndowse: stopped; what was done so far is kept\n") {
			t.Errorf("%s: the terminal got %q", c.name, text)
		}
		if !testwait.For(patience, func() bool { return server.Gone() == i+1 }) {
			t.Errorf("%s: the server still writes", c.name)
		}
	}
}

// TestInterruptAnywhere presses Ctrl-C after times that fall into opening,
// embedding, ranking and answering.
func TestInterruptAnywhere(t *testing.T) {
	home, cache := notesWith(t, nil, "")
	stopped, ended := 0, false
	for after := 10 * time.Millisecond; !ended && after < patience; after = after * 8 / 5 { // until the search is faster
		s := startTerminal(t, ask(home, cache))
		testwait.Moment(after)
		select {
		case err := <-s.done:
			if err != nil {
				t.Errorf("after %v it had ended with %v: %q", after, err, s.text())
			}
			ended = true
			continue
		default:
		}
		status, took := s.interrupt()
		early := status == -1 && strings.Trim(s.text(), "^C") == "" // the program did not run yet
		if took > promptly || status != 130 && status != 0 && !early {
			t.Errorf("after %v: status %d, %v later; %q", after, status, took, s.text())
		}
		if status == 130 {
			stopped++
		}
	}
	if stopped == 0 {
		t.Error("no interrupt fell into the search: the test shows nothing")
	}
	for _, left := range []string{"dowse.sock", "*.new", "*.tmp"} {
		if found, err := filepath.Glob(filepath.Join(home, "*", left)); err != nil || len(found) > 0 {
			t.Errorf("left behind: %v, %v", found, err)
		}
	}
}
