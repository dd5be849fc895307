package pdf

import (
	"context"
	"strings"

	"dowse/indexer/document"
)

// Of the files that a PDF file carries, such as invoices for machines and the parts of a
// portfolio:
const (
	maxAttachments = 200
	maxAttached    = 16 << 20 // bytes of one
	maxAllAttached = 64 << 20
)

// attachment is a file within the file.
type attachment struct {
	name string
	data []byte
	text *document.Document // nil where it cannot be read
}

// readAttachments reads the attachments that the document names.
func readAttachments(p *instance, doc uint64) (out []attachment) {
	left := maxAllAttached
	for i := range min(p.count("FPDFDoc_GetAttachmentCount", doc), maxAttachments) {
		handle := p.call("FPDFDoc_GetAttachment", doc, uint64(i))
		if handle == 0 {
			continue
		}
		a := attachment{name: attachedName(p.text("FPDFAttachment_GetName", handle))}
		if a.data = p.attached(handle, min(left, maxAttached)); a.data != nil {
			left -= len(a.data)
			out = append(out, a)
		}
	}
	return out
}

// attached returns the bytes of an attachment, nil where there are none, or more than so many.
func (p *instance) attached(handle uint64, most int) []byte {
	p.call("FPDFAttachment_GetFile", handle, 0, 0, uint64(p.scratch))
	n, ok := p.memory.ReadUint32Le(p.scratch)
	if p.err != nil || !ok || n == 0 || int64(n) > int64(most) {
		return nil
	}
	at := p.alloc(int(n))
	if p.err != nil {
		return nil
	}
	defer p.free(at)
	if p.call("FPDFAttachment_GetFile", handle, uint64(at), uint64(n), uint64(p.scratch)) == 0 {
		return nil
	}
	data, ok := p.memory.Read(at, n)
	if !ok {
		return nil
	}
	return append([]byte(nil), data...) // the memory goes with the instance
}

// attachedName is a name without the folders before it.
func attachedName(name string) string {
	name = tidy(name[strings.LastIndexAny(name, `/\`)+1:])
	if name == "" {
		return "attachment"
	}
	return name
}

// openAttachments reads the texts of attachments by their own Formats. The error is of the context.
func openAttachments(ctx context.Context, in *document.Input, all []attachment) error {
	for i := range all {
		d, err := in.Open(ctx, all[i].name, all[i].data)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if all[i].data = nil; err == nil {
			all[i].text = d
		}
	}
	return nil
}

// writeAttachments writes the names of attachments, and their texts.
func writeAttachments(b *document.Builder, all []attachment) {
	for _, a := range all {
		b.Place()
		b.Item(0, "Attachment: "+a.name)
		if a.text != nil {
			b.Append(a.text, document.Part{Unit: document.Attachment, Name: a.name})
			b.EndRows()
		}
	}
}

// part implements the Part of a Format: it opens an attachment by its name.
func (r *reader) part(ctx context.Context, in *document.Input, wanted document.Part) (inner *document.Input, found bool, err error) {
	if wanted.Unit != document.Attachment {
		return nil, false, document.ErrNoPart
	}
	var all []attachment
	err = r.sandboxed(ctx, len(in.Data), document.MaxTime, func(p *instance) error {
		doc, err := load(p, in.Data)
		if err == nil {
			all = readAttachments(p, doc)
		}
		return err
	})
	for _, a := range all {
		if a.name == wanted.Name && err == nil {
			inner, err = in.Within(a.name, a.data)
			return inner, true, err
		}
	}
	if err == nil {
		err = document.ErrNoPart
	}
	return nil, false, err
}
