package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
)

// newPack is dowse pack: an index that others add.
func newPack(s *streams) *cobra.Command {
	var req engine.PackRequest
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "pack NAME|DIR -o FILE|ADDRESS",
		Short: "Write the index of a folder into a file that others add",
		Long: `Pack writes the index of a folder, and the text of its files, into one file. Dowse folders add FILE has it
searched elsewhere, beside what is indexed there and in one ranking: an archive on a share, the
documentation of a colleague, an index that a server built. It is read, never written, and every byte of it
is checked.

What travels: the text of the files, their paths below the folder, by its name, and what they say of
themselves, such as titles and dates. Where the folder lies does not, nor anything of other folders. Files
that hold private keys, passwords or access tokens are left out. With --without-text the text stays here:
who adds the pack names a folder with the same files.

The file is readable by you alone, until you let others read it.

With an address of PostgreSQL, such as postgres://host/database or postgres:service=team, the pack lies in that
database, for all who may select from its tables; packing again sends what changed. The password comes from
PGPASSWORD, ~/.pgpass or a service file, never from the address.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: folderNames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("name the file to write with -o, such as -o notes.dowse")
			}
			var err error
			req.Folder = folderArgument(args[0])
			if req.File, err = app.ResolveNew(out); err != nil {
				return err
			}
			return writePack(cmd.Context(), s, req, asJSON)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "the `FILE` to write, by custom with the ending .dowse, or an address of PostgreSQL")
	cmd.Flags().BoolVar(&req.NoText, "without-text", false, "keep no text in it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// writePack has a pack written and says what is in it.
func writePack(ctx context.Context, s *streams, req engine.PackRequest, asJSON bool) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	a.Tell = s.tell
	service, err := a.Open(ctx, indexes.Read)
	if err != nil {
		return err
	}
	line := newProgressLine(s.err)
	report, err := service.Pack(ctx, req, line.event)
	line.done()
	if err = errors.Join(err, service.Close()); err != nil {
		return err
	}
	if asJSON {
		return writeJSON(s.out, report)
	}
	fmt.Fprintln(s.err, printable(packedText(report)))
	return nil
}

// quotedAddress is a pack as a shell takes it.
func quotedAddress(file string) string {
	if app.OnServer(file) {
		return "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	}
	return file
}

// packedText says what a pack holds.
func packedText(r *engine.PackReport) string {
	var b strings.Builder
	in := "in"
	if app.OnServer(r.File) {
		in = "by sending"
	}
	fmt.Fprintf(&b, "%s: %s, %s, %s of text %s %s", r.File, counted(r.Files, "file"), counted(r.Chunks, "passage"), bytesText(r.TextBytes), in, bytesText(r.Bytes))
	if r.NoText {
		b.WriteString("; without the text")
	}
	if r.Stale > 0 {
		fmt.Fprintf(&b, "\nleft out: %s changed since it was indexed, or not to be read; dowse index, and pack again", counted(r.Stale, "file"))
	}
	if r.Secrets > 0 {
		fmt.Fprintf(&b, "\nleft out: %s with private keys, passwords or access tokens", counted(r.Secrets, "file"))
	}
	fmt.Fprintf(&b, "\nit has the text of the files and their paths below %s; dowse folders add %s has it searched", r.Name, quotedAddress(r.File))
	return b.String()
}
