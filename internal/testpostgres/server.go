package testpostgres

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dowse/internal/testwait"
)

// Programs names folders with the programs of a server, separated as in PATH: tests run with each.
// Without it those in PATH and in the folders of Debian are looked for.
const Programs = "DOWSE_TEST_POSTGRES"

// Folders lists the folders with programs that there are. A test with none skips.
func Folders(t testing.TB) []string {
	t.Helper()
	candidates := filepath.SplitList(os.Getenv(Programs))
	if len(candidates) == 0 {
		if path, err := exec.LookPath("initdb"); err == nil {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			candidates = append(candidates, filepath.Dir(path))
		}
		installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
		candidates = append(candidates, installed...)
	}
	candidates = slices.DeleteFunc(candidates, func(dir string) bool {
		for _, program := range []string{"initdb", "postgres"} {
			if _, err := os.Stat(filepath.Join(dir, program)); err != nil {
				return true
			}
		}
		return false
	})
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	if len(candidates) == 0 {
		t.Skip("no server program of PostgreSQL; install the package postgresql, or name the folder of its programs in " + Programs)
	}
	return candidates
}

// Version names the version that a folder has.
func Version(t testing.TB, programs string) string {
	t.Helper()
	out, err := exec.Command(filepath.Join(programs, "postgres"), "--version").Output() //nolint:gosec // a test's own choice
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))[2]
}

// Server is one that a test started; it ends with the test.
type Server struct {
	t        testing.TB
	programs string
	dir      string
	as       func(*exec.Cmd) // has a program run as another user
	running  *exec.Cmd
	ended    chan struct{} // closed when it has
}

// Start starts an empty server.
func Start(t testing.TB, programs string) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "pg") // short, as the paths of sockets must be
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{t: t, programs: programs, dir: dir}
	t.Cleanup(func() {
		s.Kill()
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	s.as = anotherUser(t, dir)
	if out, err := s.command("initdb", "-D", s.data(), "-U", Owner, "-A", "trust", "-N", "-E", "UTF8", "--locale=C").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.Restart()
	return s
}

// Owner is the user of the database that may do all; connections need no password.
const Owner = "owner"

func (s *Server) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.programs, program), args...) //nolint:gosec // a test's own choice
	c.Dir, c.Env = s.dir, []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "HOME=" + s.dir}
	s.as(c)
	return c
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// Restart starts the server where it does not run, and waits until it answers. One that was killed
// may have left processes that end just now; until then another one ends at once.
func (s *Server) Restart() {
	s.t.Helper()
	testwait.Until(s.t, "the server answers", func() bool { return s.running != nil || s.start() })
}

// start reports whether the server answers.
func (s *Server) start() bool {
	s.t.Helper()
	log, err := os.OpenFile(s.data()+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close() //nolint:errcheck // the server has its own
	c := s.command("postgres", "-D", s.data(), "-k", s.dir, "-h", "", "-F", "-c", "shared_buffers=16MB", "-c", "max_connections=60")
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.running, s.ended = c, make(chan struct{})
	go func(ended chan struct{}) {
		defer close(ended)
		_ = c.Wait() // it is killed
	}(s.ended)
	testwait.Until(s.t, "the server answers, or ends", func() bool {
		select {
		case <-s.ended:
			s.running = nil
			return true
		default:
		}
		text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
		lines := strings.Split(string(text), "\n")
		return err == nil && len(lines) > 7 && strings.TrimSpace(lines[7]) == "ready" && lines[0] == strconv.Itoa(c.Process.Pid)
	})
	return s.running != nil
}

// Kill ends the server as a power cut does, with all its connections.
func (s *Server) Kill() {
	s.t.Helper()
	if s.running == nil {
		return
	}
	if err := s.running.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Error(err)
	}
	<-s.ended
	s.running = nil
}

// Address is where it listens, in the words of libpq.
func (s *Server) Address() string {
	return fmt.Sprintf("postgres:host=%s user=%s dbname=postgres", s.dir, Owner)
}
