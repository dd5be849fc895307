package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/mail/mapi"
)

// partOfMailbox opens a message by its number.
func partOfMailbox(ctx context.Context, in *document.Input, wanted document.Part) (*document.Input, bool, error) {
	if wanted.Unit != document.Message {
		return nil, false, document.ErrNoPart
	}
	from, size := in.At()
	cut := newCutter(from, size)
	for number := 1; ; number++ {
		message, err := cut.next()
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case errors.Is(err, io.EOF):
			return nil, false, document.ErrNoPart
		case err != nil && !errors.Is(err, errLong):
			return nil, false, err
		case number < wanted.Number:
			continue
		}
		// The index may be of before messages were taken out.
		if p := newPart(message, "text/plain"); err != nil || metaOf(p.header).Title != wanted.Name {
			return nil, false, document.ErrNoPart
		}
		inner, err := in.Within(fmt.Sprintf("message %d.eml", number), withoutSeparator(bytes.Clone(message)))
		return inner, true, err
	}
}

// withoutSeparator returns a message of a mailbox as it is in a file of its own.
func withoutSeparator(message []byte) []byte {
	if line, rest, found := bytes.Cut(message, []byte("\n")); found && bytes.HasPrefix(line, []byte("From ")) {
		message = rest
	}
	return unescaped(message)
}

// partOfMessage opens an attachment, or a message within the message, by its name.
func partOfMessage(_ context.Context, in *document.Input, wanted document.Part) (*document.Input, bool, error) {
	p := newPart(in.Data, "text/plain")
	name, data := find(in, &p, wanted, 0)
	if name == "" {
		return nil, false, document.ErrNoPart
	}
	inner, err := in.Within(name, data)
	return inner, true, err
}

// partOfApple is partOfMessage for a message of Apple Mail.
func partOfApple(ctx context.Context, in *document.Input, wanted document.Part) (*document.Input, bool, error) {
	message, err := appleMessage(in)
	if err != nil {
		return nil, false, err
	}
	return partOfMessage(ctx, message, wanted)
}

// find looks for the first file of a message that is called as wanted; its name is "" where
// there is none.
func find(in *document.Input, p *part, wanted document.Part, depth int) (name string, data []byte) {
	if depth > maxDepth {
		return "", nil
	}
	switch {
	case isNested(p.kind):
		data := p.content()
		inner := newPart(data, "text/plain")
		if wanted.Unit != document.Message {
			return "", nil // what is attached to it is a part of it
		}
		if title := metaOf(inner.header).Title; title == wanted.Name {
			return "message.eml", data
		}
	case strings.HasPrefix(p.kind, "multipart/"):
		children := p.children(in)
		for i := range children {
			if name, data := find(in, &children[i], wanted, depth+1); name != "" {
				return name, data
			}
		}
	case isSealed(p):
		if data, err := enclosed(in, p.content()); err == nil {
			inner := newPart(data, "text/plain")
			return find(in, &inner, wanted, depth+1)
		}
	case isTNEF(p):
		if m, err := mapi.ReadTNEF(p.content()); err == nil {
			inner := newPart(internetMessage(m), "text/plain")
			return find(in, &inner, wanted, depth+1)
		}
	case wanted.Unit == document.Attachment:
		if name, _ := p.file(); name == wanted.Name {
			return name, p.content()
		}
	}
	return "", nil
}
