package kept

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"

	"dowse/indexer/document"
)

// layout is the first byte of what Pack returns.
const (
	layout       = 3
	withoutState = 2
	withoutMark  = 1 // nobody looked whether it holds a secret
)

// level is that of compress/flate; doc.go says why.
const level = 5

// Pack returns a document in the form in which the index keeps it.
func Pack(d *document.Document) ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte(layout)
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		return nil, fmt.Errorf("pack %s: %w", d.Format, err)
	}
	if _, err := w.Write(appendHead(nil, d)); err != nil {
		return nil, fmt.Errorf("pack %s: %w", d.Format, err)
	}
	if _, err := io.WriteString(w, d.Text); err != nil {
		return nil, fmt.Errorf("pack %s: %w", d.Format, err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack %s: %w", d.Format, err)
	}
	return out.Bytes(), nil
}

// appendHead appends all but the text.
func appendHead(dst []byte, d *document.Document) []byte {
	secret := byte(0)
	if d.Secret {
		secret = 1
	}
	dst = append(dst, byte(d.Kind), secret)
	for _, s := range []string{d.Format, d.Language, d.Charset} {
		dst = appendString(dst, s)
	}
	dst = binary.AppendUvarint(dst, uint64(len(d.Places)))
	last := 0
	for _, p := range d.Places {
		dst = binary.AppendUvarint(dst, uint64(p.Offset-last))
		last = p.Offset
		dst = binary.AppendUvarint(dst, uint64(len(p.Parts)))
		for _, part := range p.Parts {
			dst = appendString(dst, string(part.Unit))
			dst = binary.AppendUvarint(dst, uint64(part.Number))
			dst = appendString(dst, part.Name)
		}
	}
	marks := d.Marks()
	dst = binary.AppendUvarint(dst, uint64(len(marks)))
	before := document.LineMark{}
	for _, m := range marks {
		dst = binary.AppendVarint(dst, int64(m.Offset-before.Offset))
		dst = binary.AppendVarint(dst, int64(m.Line-before.Line))
		before = m
	}
	dst = appendString(dst, string(d.State))
	return binary.AppendUvarint(dst, uint64(len(d.Text)))
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}
