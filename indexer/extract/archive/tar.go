package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"dowse/indexer/document"
)

// readTar reads the members of a tar.
func readTar(ctx context.Context, in *document.Input) (*document.Document, error) {
	names, err := namesInTar(in.Data)
	if err != nil && len(names) == 0 {
		return nil, fmt.Errorf("its first member: %w", err)
	}
	m := newMembers(in, names)
	t := tar.NewReader(bytes.NewReader(in.Data))
	for !m.done() {
		h, err := t.Next()
		if err != nil { // the end, or damage: what came before stays
			break
		}
		if name := strings.ToValidUTF8(h.Name, "\ufffd"); isFile(h) {
			if err := m.add(ctx, name, uint64(h.Size), func() (io.Reader, error) { return t, nil }); err != nil {
				return nil, err
			}
		}
	}
	return m.document("tar")
}

// isFile reports whether a member is a file that would be read in a folder.
func isFile(h *tar.Header) bool { return h.Typeflag == tar.TypeReg && h.Size >= 0 && wanted(h.Name) }

// namesInTar returns those of the members that are files, up to the first fault.
func namesInTar(data []byte) (names []string, err error) {
	t := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return names, err
		}
		if isFile(h) {
			names = append(names, h.Name)
		}
	}
}
