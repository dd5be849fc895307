package extract

import (
	"context"
	"errors"
	"fmt"

	"dowse/indexer/document"
)

// Part is a file within a file, as it is there: a message of a mailbox, an attachment, a
// member of an archive.
type Part struct {
	Name string // with its extension; may be a path
	Data []byte
	Rest []document.Part // the way on within it: row 3, page 2
}

// OpenPart follows a place into a file, as far as its parts are files, and returns the last of
// them. The error wraps document.ErrNoPart where no part is one, or where the file has changed
// and has no such part.
func OpenPart(ctx context.Context, path string, place []document.Part, opts Options) (*Part, error) {
	s, err := Open(path, opts)
	if err != nil {
		return nil, err
	}
	defer s.Close() //nolint:errcheck // nothing is written through it
	in, head := s.input(), s.data
	in.Inner = inner
	opened := 0
	for wraps := 0; opened < len(place) && wraps <= document.DefaultLimits.Depth; head = in.Data {
		f := formatOf(in.Name, head)
		if f == nil || f.Part == nil {
			break
		}
		next, found, err := partOf(ctx, f, in, place[opened])
		if errors.Is(err, document.ErrNoPart) && opened > 0 && !mayBeFile(place[opened]) {
			break // a row of an attachment
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, document.Label(place), err)
		}
		if in = next; found {
			opened, wraps = opened+1, 0
		} else {
			wraps++
		}
	}
	if opened == 0 {
		return nil, fmt.Errorf("%s: %s: %w", path, document.Label(place), document.ErrNoPart)
	}
	return &Part{Name: in.Name, Data: in.Data, Rest: place[opened:]}, nil
}

// mayBeFile reports whether a part is one that some Format holds as a file.
func mayBeFile(p document.Part) bool {
	return p.Unit == document.Message || p.Unit == document.Attachment || p.Unit == document.Member
}

// partOf calls a Format, which may panic on a damaged file.
func partOf(ctx context.Context, f *document.Format, in *document.Input, part document.Part) (inner *document.Input, found bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			inner, err = nil, fmt.Errorf("reading it as %s failed: %v", f.Name, r)
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	return f.Part(ctx, in, part)
}
