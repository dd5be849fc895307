package app

import (
	"os"

	"dowse/models"
)

// openedPack is the files of a model, its pack first, as they were when it was
// opened.
type openedPack struct {
	paths []string
	files []os.FileInfo
}

// noteFiles notes what the files of a model are.
func noteFiles(m models.Installation) (openedPack, error) {
	o := openedPack{paths: m.Files()}
	for _, path := range o.paths {
		info, err := os.Stat(path)
		if err != nil {
			return openedPack{}, err
		}
		o.files = append(o.files, info)
	}
	return o, nil
}

// changed says that another file, or another content, has the name of one of
// them.
func (o openedPack) changed() bool {
	for i, was := range o.files {
		is, err := os.Stat(o.paths[i])
		if err == nil && (!os.SameFile(is, was) || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime())) {
			return true
		}
	}
	return false
}
