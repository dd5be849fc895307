package app

import (
	"context"
	"errors"
	"os"

	"dowse/models/pack"
)

// openedPack is a pack as it was when it was opened.
type openedPack struct {
	path string
	file os.FileInfo
}

// openPack notes what a pack is and compares every block with its checksum:
// weights that changed on the disk would rank or write without a word. It reads
// some gigabytes a second, of which the first pass needs the most anyway.
func openPack(ctx context.Context, path string) (openedPack, error) {
	o := openedPack{path: path}
	var err error
	if o.file, err = os.Stat(path); err != nil {
		return o, err
	}
	p, err := pack.Open(path)
	if err != nil {
		return o, err
	}
	return o, errors.Join(p.Verify(ctx), p.Close())
}

// changed says that another file, or another content, has the pack's name.
func (o openedPack) changed() bool {
	info, err := os.Stat(o.path)
	return err == nil && (!os.SameFile(info, o.file) || info.Size() != o.file.Size() || !info.ModTime().Equal(o.file.ModTime()))
}
