package archive

import (
	"archive/zip"
	"context"
	"io"
	"strings"

	"dowse/indexer/document"
)

// ankiCollections are the databases that a package of Anki's may hold, the best first. Beside the newest one stands an
// old one whose only note says that Anki has to be renewed.
var ankiCollections = []string{"collection.anki21b", "collection.anki21", "collection.anki2"}

// ankiCollection returns the member of a zip in which a package of Anki's has its cards, nil of another zip.
func ankiCollection(files []*zip.File) *zip.File {
	for _, name := range ankiCollections {
		for _, f := range files {
			if f.Name == name {
				return f
			}
		}
	}
	return nil
}

// readAnki reads the cards of a package.
func readAnki(ctx context.Context, in *document.Input, cards *zip.File) (*document.Document, error) {
	r, err := cards.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // it was only read
	var plain io.Reader = r
	if strings.HasSuffix(cards.Name, "b") {
		d, err := zstdReader(r)
		if err != nil {
			return nil, err
		}
		defer d.Close()
		plain = d
	}
	data, err := in.Unpack(plain, 0)
	if err != nil {
		return nil, err
	}
	return in.Open(ctx, "collection.anki2", data)
}
