package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// besideRun is another program on the same files, one process a file, as it runs.
type besideRun struct {
	Program string  `json:"program"`
	Start   float64 `json:"start_seconds"` // of a process that reads nothing, median
	Seconds float64 `json:"seconds"`       // median of the rounds
	Text    int64   `json:"text_bytes"`
	Failed  int     `json:"failed"` // files
	Ratio   float64 `json:"ratio"`  // of its seconds to those of dowse

	path   string // of the program
	reader reader
}

// reader is how another program is asked for the text of a file.
type reader struct {
	program string
	start   []string // arguments with which it does nothing
	args    []string // before the name of the file
	after   []string // behind it; "{}" is an empty folder, for what does not write to stdout
}

// mailScript prints the parts of messages that are text, by Python's own packages.
const mailScript = `
import email, email.policy, mailbox, sys
kind, path = sys.argv[1:]
if kind == "mbox":
    messages = mailbox.mbox(path, create=False)
else:
    messages = [email.message_from_binary_file(open(path, "rb"), policy=email.policy.default)]
for message in messages:
    print(message["subject"], message["from"], message["to"], message["date"])
    for part in message.walk():
        if part.get_content_maintype() == "text":
            text = part.get_payload(decode=True) or b""
            try:
                print(text.decode(part.get_content_charset() or "ascii", "replace"))
            except LookupError:
                print(text.decode("ascii", "replace"))
`

// readers are those of formats.
var readers = func() map[string]reader {
	all := map[string]reader{
		"pdf": {program: "pdftotext", start: []string{"-v"}, args: []string{"-enc", "UTF-8"}, after: []string{"-"}},
	}
	for _, format := range []string{"docx", "odt", "epub", "rtf", "html", "ipynb", "org", "latex"} {
		all[format] = reader{program: "pandoc", start: []string{"--version"}, args: []string{"-f", format, "-t", "plain", "--wrap=none"}}
	}
	for _, format := range []string{"xlsx", "ods"} { // all sheets, which it writes to a file each
		all[format] = reader{program: "ssconvert", start: []string{"--version"}, args: []string{"-S", "-T", "Gnumeric_stf:stf_csv"}, after: []string{"{}/%n.csv"}}
	}
	for _, format := range []string{"eml", "mbox"} {
		all[format] = reader{program: "python3", start: []string{"-c", "import email.policy, mailbox"}, args: []string{"-c", mailScript, format}}
	}
	return all
}()

// Bounds of another program.
const (
	besideStarts = 5               // that are timed
	besideTime   = 5 * time.Minute // for one file, as dowse has
)

// besideOf returns the program that reads a format beside dowse; nil if it is unknown or not
// installed.
func besideOf(ctx context.Context, format string) (*besideRun, error) {
	r, known := readers[format]
	if !known {
		return nil, nil
	}
	path, err := exec.LookPath(r.program)
	if err != nil {
		return nil, nil //nolint:nilerr // without it nothing is compared
	}
	b := &besideRun{Program: r.program, path: path, reader: r}
	var starts []float64
	for range besideStarts {
		start := time.Now()
		if _, err := b.run(ctx, r.start); err != nil {
			return nil, fmt.Errorf("%s cannot be run: %w", path, err)
		}
		starts = append(starts, time.Since(start).Seconds())
	}
	b.Start = median(starts)
	return b, nil
}

// read has a file read; count says that the text is to be counted. A file that the program
// cannot read counts as well.
func (b *besideRun) read(ctx context.Context, path string, count bool) (err error) {
	args := append(append([]string{}, b.reader.args...), path)
	folder := ""
	for _, arg := range b.reader.after {
		if rest, in := strings.CutPrefix(arg, "{}/"); in {
			if folder, err = os.MkdirTemp("", "dowse-extract-"); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
			arg = filepath.Join(folder, rest)
		}
		args = append(args, arg)
	}
	n, failure := b.run(ctx, args)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !count {
		return nil
	}
	countIf(&b.Failed, failure != nil)
	if folder != "" {
		n, err = bytesBelow(folder)
	}
	b.Text += n
	return err
}

// run runs the program and returns how many bytes it printed.
func (b *besideRun) run(ctx context.Context, args []string) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, besideTime)
	defer cancel()
	var out counter
	cmd := exec.CommandContext(ctx, b.path, args...)
	cmd.Stdout = &out
	err := cmd.Run()
	return int64(out), err
}

// counter counts the bytes written to it.
type counter int64

var _ io.Writer = (*counter)(nil)

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// bytesBelow sums the sizes of the files of a folder.
func bytesBelow(folder string) (n int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}
