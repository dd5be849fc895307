package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// act has the test binary behave as a program that reads a file.
const (
	act   = "DOWSE_TEST_ACT"
	phone = "DOWSE_TEST_PHONE" // where somebody listens who wants to know that a program is there
	leave = "DOWSE_TEST_LEAVE" // a program ends before what it started
)

func TestMain(m *testing.M) {
	switch os.Getenv(act) {
	case "":
		os.Exit(m.Run())
	case "copy":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "read":
		data, err := os.ReadFile(os.Args[len(os.Args)-1])
		fmt.Printf("%s %s %v", filepath.Base(os.Args[len(os.Args)-1]), data, err)
	case "place":
		here, err := os.Getwd()
		files, _ := os.ReadDir(".")
		fmt.Printf("%s\n%s\n%s\n%d %v", here, os.Getenv("PWD"), os.Getenv("OLDPWD"), len(files), err)
	case "fail":
		fmt.Fprint(os.Stderr, strings.Repeat("noise ", 2000), "\n\x1b[31mno such language: xyz\n")
		os.Exit(3)
	case "endless":
		for line := []byte(strings.Repeat("x", 1<<10)); ; {
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(1)
			}
		}
	case "parent": // starts somebody who holds the pipes
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), act+"=call")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			os.Exit(4)
		}
		fmt.Print("done")
		if os.Getenv(leave) == "" {
			hang()
		}
	case "call": // says that it is there, and stays
		connection, err := net.Dial("tcp", os.Getenv(phone))
		if err != nil {
			os.Exit(5)
		}
		_, _ = connection.Write([]byte{'!'})
		hang()
	case "hang":
		hang()
	}
	os.Exit(0)
}

func hang() { <-time.After(time.Hour) }

// filter is the test binary as a program.
func filter(t *testing.T, what string, env ...string) Filter {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Filter{Program: self, Env: append(env, act+"="+what), Scratch: t.TempDir()}
}

func TestFilterReads(t *testing.T) {
	f := filter(t, "copy")
	f.Input = []byte(strings.Repeat("a line of text\n", 20_000))
	if out, err := f.Run(t.Context()); err != nil || string(out) != string(f.Input) {
		t.Errorf("stdin: %d bytes, %v", len(out), err)
	}
	for name, want := range map[string]string{"a/-b.png": "-b.png", "": "file", "..": "file", "/": "file"} {
		f = filter(t, "read")
		f.Args, f.Name, f.Input = []string{"--", FileArgument}, name, []byte("here")
		if out, err := f.Run(t.Context()); err != nil || string(out) != want+" here <nil>" {
			t.Errorf("a file named %q: %q, %v", name, out, err)
		}
		if left, err := os.ReadDir(f.Scratch); err != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func TestFilterRunsInAnEmptyFolder(t *testing.T) {
	t.Setenv("OLDPWD", "/secret")
	f := filter(t, "place")
	f.Scratch = filepath.Join(f.Scratch, "made")
	out, err := f.Run(t.Context())
	lines := strings.Split(string(out), "\n")
	if err != nil || len(lines) != 4 {
		t.Fatalf("%q, %v", out, err)
	}
	scratch, err := filepath.EvalSymlinks(f.Scratch)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(lines[0]) != f.Scratch && filepath.Dir(lines[0]) != scratch || filepath.Base(lines[0]) != filepath.Base(lines[1]) {
		t.Errorf("it ran in %s, and is told %s", lines[0], lines[1])
	}
	if lines[2] != "" || lines[3] != "0 <nil>" {
		t.Errorf("it knows %q, and sees %s", lines[2], lines[3])
	}
}

func TestFilterFails(t *testing.T) {
	_, err := filter(t, "fail").Run(t.Context())
	var failed *ExitError
	if !errors.As(err, &failed) || !strings.HasSuffix(failed.Said, "[31mno such language: xyz") || len(failed.Said) > tellBytes+3 || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v", err)
	}
	if strings.ContainsAny(err.Error(), "\x1b\n") {
		t.Errorf("it tells the terminal something: %q", err)
	}
	f := filter(t, "copy")
	f.Program = "dowse-no-such-program"
	if _, err := f.Run(t.Context()); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a program that is missing: %v", err)
	}
}

func TestFilterPrintsTooMuch(t *testing.T) {
	f := filter(t, "endless")
	f.MaxOutput = 100 << 10
	if out, err := f.Run(t.Context()); !errors.Is(err, errOutput) || out != nil {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	f = filter(t, "copy")
	f.Input, f.MaxOutput = []byte("12345"), 5
	if out, err := f.Run(t.Context()); err != nil || string(out) != "12345" {
		t.Errorf("as much as it may: %q, %v", out, err)
	}
}

// TestFilterEndsWithAll: what the program started ends with it, whether its time is over or
// it ends well and leaves somebody behind.
func TestFilterEndsWithAll(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no process groups")
	}
	for _, left := range []string{"", "1"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		because := errors.New("the test said so")
		ended := make(chan error, 1)
		go func() {
			connection, err := listener.Accept()
			if err != nil {
				ended <- err
				return
			}
			_, err = connection.Read(make([]byte, 1))
			if left == "" {
				cancel(because)
			}
			if err == nil {
				_, err = connection.Read(make([]byte, 1)) // until who called is gone
			}
			ended <- err
		}()
		out, err := filter(t, "parent", phone+"="+listener.Addr().String(), leave+"="+left).Run(ctx)
		if left == "" && !errors.Is(err, because) || left != "" && (err != nil || string(out) != "done") {
			t.Errorf("leave %q: %q, %v", left, out, err)
		}
		select {
		case err := <-ended:
			if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("leave %q: what it started: %v", left, err)
			}
		case <-time.After(testwait.Patience):
			t.Errorf("leave %q: what it started goes on", left)
		}
		cancel(nil)
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFilterHasATime(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := filter(t, "hang").Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if _, err := filter(t, "copy").Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with no time left: %v", err)
	}
}
