package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/hosts"
	"dowse/internal/indexes"
	"dowse/internal/pattern"
	"dowse/internal/reply"
)

// readFlags are the flags of dowse read.
type readFlags struct {
	place  string
	budget int
	after  string
	json   bool
}

// newRead is dowse read: the text of an indexed file.
func newRead(s *streams) *cobra.Command {
	var r readFlags
	cmd := &cobra.Command{
		Use:   "read FILE[:FROM[:LINES]]",
		Short: "Print the text of an indexed file, as it was taken out of it",
		Long: `Read prints what dowse has read out of a file of the index: the text of a PDF, of an office
document, of mail. Lines count as in results.

  dowse read report.pdf --place "page 7"
  dowse read notes/dns.md:12:20       twenty lines from line 12
  dowse read big.log --budget 16000   as much as fits, and how to go on
  dowse read larch:/home/ann/a.md     of a machine of the settings, as results name it`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runRead(cmd.Context(), s, r, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&r.place, "place", "", "this part alone, as results name it: \"page 7\", \"sheet Budget\"")
	f.IntVar(&r.budget, "budget", 0, "print at most so many `BYTES` of text, and say how to go on")
	f.StringVar(&r.after, "after", "", "go on where a reply ended that gave this `CURSOR`")
	f.BoolVar(&r.json, "json", false, "print one JSON object")
	return cmd
}

var lineAndCount = pattern.New(`^(.+?):(\d+)(?::(\d+))?$`)

// request makes the request of the flags. A file whose name ends like a line is found by its name.
// host is the machine that has it, "" of this one; known are those of the settings.
func (r *readFlags) request(place string, known map[string]string) (req engine.ReadRequest, host string, err error) {
	if r.budget < 0 {
		return req, "", errors.New("--budget counts from 1")
	}
	name := place
	if parts := lineAndCount.FindStringSubmatch(place); parts != nil {
		if _, err := os.Lstat(place); err != nil {
			name = parts[1]
			from, wrong := strconv.Atoi(parts[2])
			lines, _ := strconv.Atoi(parts[3]) // none is 0
			if wrong != nil || from < 1 || parts[3] != "" && lines < 1 {
				return req, "", fmt.Errorf("%s: lines count from 1", place)
			}
			req.From, req.Lines = from, lines
		}
	}
	if r.place != "" && req.From > 0 {
		return req, "", errors.New("name a line or --place, and not both")
	}
	req.Place, req.Bytes = r.place, r.budget
	if _, err := os.Lstat(name); err != nil {
		if host, there, is := hosts.OnHost(known, name); is {
			req.Path = there
			return req, host, nil
		}
	}
	req.Path, err = app.ResolveFile(name)
	return req, "", err
}

// printedText is text of a file as JSON has it.
type printedText struct {
	*engine.FileText
	rest
}

// readFrom reads a file of a machine, "" of this one.
func readFrom(ctx context.Context, a *app.App, host string, req engine.ReadRequest) (*engine.FileText, error) {
	if host != "" {
		return readHost(ctx, a, host, req)
	}
	service, err := a.Open(ctx, indexes.Read)
	if err != nil {
		return nil, err
	}
	text, err := service.Read(ctx, req)
	return text, errors.Join(err, service.Close())
}

func runRead(ctx context.Context, s *streams, r readFlags, place string) error {
	a, err := app.NewReader(s.warn)
	if err != nil {
		return err
	}
	req, host, err := r.request(place, a.Config.Hosts)
	if err != nil {
		return err
	}
	size := 0
	if r.after != "" {
		if size, err = reply.FollowRead(r.after, &req); err != nil {
			return err
		}
	}
	text, err := readFrom(ctx, a, host, req)
	if err != nil {
		return err
	}
	if size > 0 && size != text.Size {
		return errors.New("the file changed since the cursor was given; read it again without --after")
	}
	left := rest{LeftOut: text.End - text.Next, Cursor: reply.ReadCursor(text)}
	if r.json {
		text.PathBytes = bytesOf(text.Path)
		return writeJSON(s.out, printedText{text, left})
	}
	body := text.Text
	if isTerminal(s.out) {
		body = printable(body)
	}
	if _, err := fmt.Fprint(s.out, body); err != nil {
		return fmt.Errorf("cannot write the text: %w", err)
	}
	if left.Cursor != "" {
		s.note(fmt.Sprintf("dowse: %s left out by --budget %d; --after %s goes on", bytesText(int64(left.LeftOut)), r.budget, left.Cursor))
	}
	return nil
}
