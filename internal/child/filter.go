package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Filter is a program that reads one file and prints what is in it.
type Filter struct {
	Program string // a name that Find knows
	// Args are its arguments. Each that is FileArgument is replaced by the path of a file
	// that holds Input; where there is none, the program gets Input on its stdin.
	Args  []string
	Input []byte
	// Name is what the program sees the file named as; its last element counts.
	Name string
	// Env are variables, NAME=value, beside those of this process.
	Env []string
	// Scratch is the folder below which the program gets an empty one to run in, and is
	// made if it is absent; "" is that of the system for what is temporary.
	Scratch string
	// MaxOutput is how many bytes it may print; 0 means 16 MiB.
	MaxOutput int
}

// FileArgument is the argument of a Filter that stands for the path of the file.
const FileArgument = "{}"

// errOutput says that a program printed more than it may.
var errOutput = errors.New("it prints more than is read of one file")

const (
	defaultOutput = 16 << 20
	// tailBytes of what a program complains of are looked at, and tellBytes told.
	tailBytes = 4 << 10
	tellBytes = 240
	// pipeDelay is how long a pipe is waited for that another process still holds when
	// the program has ended.
	pipeDelay = 2 * time.Second
)

// Run runs the program at a low priority and returns what it prints to stdout. With ctx it
// ends, and with it all that it started; the error wraps that of ctx then. One that ends by
// another code than zero gives an *ExitError.
func (f Filter) Run(ctx context.Context) (out []byte, err error) {
	path, err := Find(f.Program)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	scratch := f.Scratch
	if scratch == "" {
		scratch = os.TempDir()
	}
	folder, err := emptyFolder(scratch)
	if err != nil {
		return nil, fmt.Errorf("make a folder to run %s in: %w", name, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	args, stdin, err := f.arguments(folder)
	if err != nil {
		return nil, fmt.Errorf("give %s its file: %w", name, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stdout, stderr := &bounded{left: f.MaxOutput, full: cancel}, &tail{}
	if stdout.left <= 0 {
		stdout.left = defaultOutput
	}
	cmd := command(ctx, folder, path, args)
	cmd.Env = append(cmd.Env, f.Env...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	pid := cmd.Process.Pid
	lower(pid)
	err = cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) { // it ended well, and left somebody who holds its pipes
		_ = end(pid)
		err = nil
	}
	switch cause := context.Cause(ctx); {
	case cause != nil:
		return nil, fmt.Errorf("%s was ended: %w", name, cause)
	case err != nil:
		return nil, &ExitError{name, stderr.text(), err}
	}
	return stdout.kept.Bytes(), nil
}

// arguments returns what the program is given, and writes the file that it is to read.
func (f Filter) arguments(folder string) (args []string, stdin []byte, err error) {
	if !slices.Contains(f.Args, FileArgument) {
		return f.Args, f.Input, nil
	}
	name := filepath.Base(f.Name)
	if name == "." || name == ".." || name == string(filepath.Separator) {
		name = "file"
	}
	// A name that begins with a dash stands behind a folder, and is no flag.
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, f.Input, 0o600); err != nil {
		return nil, nil, err
	}
	args = slices.Clone(f.Args)
	for i := range args {
		if args[i] == FileArgument {
			args[i] = path
		}
	}
	return args, nil, nil
}

// ExitError says that a program failed, and what it said of that.
type ExitError struct {
	Program string
	Said    string // the end of what it printed to stderr, one line; may be empty
	err     error
}

// Error implements error.
func (e *ExitError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("%s failed: %v", e.Program, e.err)
	}
	return fmt.Sprintf("%s failed: %s (%v)", e.Program, e.Said, e.err)
}

// Unwrap returns the error of the system.
func (e *ExitError) Unwrap() error { return e.err }

// command makes a program ready that runs in an empty folder and ends with ctx, and with it
// what it starts. Of where this process is it is told nothing.
func command(ctx context.Context, folder, path string, args []string) *Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = folder
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "PWD=") || strings.HasPrefix(v, "OLDPWD=")
	})
	cmd.Env = append(cmd.Env, "PWD="+folder)
	cmd.WaitDelay = pipeDelay
	group(cmd)
	cmd.Cancel = func() error { return end(cmd.Process.Pid) }
	return cmd
}

// bounded keeps what is printed, and ends the program where that is too much. It hides
// Buffer.ReadFrom, which would read everything.
type bounded struct {
	kept bytes.Buffer
	left int
	full context.CancelCauseFunc
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.full(errOutput)
		return 0, errOutput
	}
	b.left -= len(p)
	return b.kept.Write(p)
}

// tail keeps the end of what is printed.
type tail struct{ kept []byte }

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(0, len(p)-tailBytes):]...)
	if n := len(t.kept) - tailBytes; n > 0 {
		t.kept = append(t.kept[:0], t.kept[n:]...)
	}
	return len(p), nil
}

// text returns the end as one line that a terminal only shows.
func (t *tail) text() string {
	words := strings.FieldsFunc(strings.ToValidUTF8(string(t.kept), " "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	})
	said := strings.Join(words, " ")
	if len(said) > tellBytes {
		said = "..." + strings.ToValidUTF8(said[len(said)-tellBytes:], "")
	}
	return said
}
