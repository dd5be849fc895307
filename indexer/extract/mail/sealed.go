package mail

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"dowse/indexer/document"
)

func isSealedFile(name string, _ []byte) bool { return document.Extension(name) == "p7m" }

// readSealed reads a file of CMS: a document that is signed ("contract.pdf.p7m"), or a message. It is read as what is
// in it.
func readSealed(ctx context.Context, in *document.Input) (*document.Document, error) {
	name, data, err := unsealed(in)
	if err != nil {
		return nil, err
	}
	d, err := in.Open(ctx, name, data)
	if err != nil {
		return nil, err
	}
	b := in.Builder()
	b.Include(d)
	return b.Document("p7m", d.Meta), nil
}

// partOfSealed implements the Part of a Format: what the file holds is no part of its own.
func partOfSealed(_ context.Context, in *document.Input, _ document.Part) (*document.Input, bool, error) {
	name, data, err := unsealed(in)
	if err != nil {
		return nil, false, err
	}
	inner, err := in.Within(name, data)
	return inner, false, err
}

// unsealed returns what a file of CMS holds, and what that is called. Where nothing but a signature is in it, the error
// wraps document.ErrNoText.
func unsealed(in *document.Input) (name string, data []byte, err error) {
	name = strings.TrimSuffix(in.Name, filepath.Ext(in.Name))
	if usualFields(in.Data) > 0 { // saved with the head of its message
		return name + ".eml", in.Data, nil
	}
	data, err = enclosed(in, in.Data)
	if errors.Is(err, errNothing) {
		err = errors.Join(document.ErrNoText, err)
	}
	if filepath.Ext(name) == "" && usualFields(data) > 0 {
		name += ".eml"
	}
	return name, data, err
}

// isSealed reports whether a part is the body of a message as S/MIME sends it (RFC 8551), rather than a document that was
// signed and attached.
func isSealed(p *part) bool {
	name, _ := p.file()
	stem := strings.TrimSuffix(strings.ToLower(name), ".p7m")
	switch p.kind {
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		return !strings.Contains(stem, ".")
	}
	return stem == "smime" && stem != strings.ToLower(name)
}

// sealed writes the content of a body of S/MIME.
func (r *reader) sealed(p *part) error {
	content, err := enclosed(r.in, p.content())
	switch kind := p.params["smime-type"]; {
	case errors.Is(err, document.ErrEncrypted), err != nil && strings.Contains(kind, "enveloped"):
		r.isEncrypted()
	case err != nil && kind == "certs-only":
	case err != nil:
		name, _ := p.file()
		r.b.Item(0, "Attachment: "+name)
	default:
		inner, filesOnly := newPart(content, "text/plain"), r.filesOnly
		r.filesOnly = 0 // it was written in no other form
		err := r.walk(&inner)
		r.filesOnly = filesOnly
		return err
	}
	return nil
}
