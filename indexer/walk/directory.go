package walk

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dowse/indexer/ignore"
	"dowse/indexer/nofollow"
	"dowse/indexer/skip"
	"dowse/indexer/stamp"
)

// read lists one directory and returns what is in it and the directories below
// that are to be read next.
func (w *walker) read(j job) (found listing, below []job) {
	f, err := w.enter(j.path)
	if err != nil {
		s := failed(j.path, true, err)
		if errors.Is(err, errEntered) || errors.Is(err, nofollow.ErrLink) {
			s.Reason = skip.Symlink
		}
		found.skips = append(found.skips, *s)
		return found, nil
	}
	d := &directory{walker: w, job: j, rules: j.matcher(), found: &found}
	if problems := d.rules.Problems(); len(problems) > 0 {
		found.skips = append(found.skips, *unruled(j.path, errors.Join(append(problems, f.Close())...)))
		return found, nil
	}
	entries, err := f.ReadDir(-1)
	if err := errors.Join(err, f.Close()); err != nil {
		found.skips = append(found.skips, *failed(j.path, true, err))
	}
	found.dir = j.path
	d.noteWALs(entries)
	for _, entry := range entries {
		if w.ctx.Err() != nil {
			break
		}
		d.sort(entry)
	}
	return found, d.below
}

// directory is a directory being read.
type directory struct {
	*walker
	job   job
	rules *ignore.Matcher
	found *listing
	below []job
	wals  map[string]bool // the databases that have a write-ahead log beside them, by name
}

// noteWALs notes which files have a write-ahead log beside them.
func (d *directory) noteWALs(entries []fs.DirEntry) {
	for _, entry := range entries {
		name, is := strings.CutSuffix(entry.Name(), stamp.WAL)
		if is && d.wals == nil {
			d.wals = map[string]bool{}
		}
		if is {
			d.wals[name] = true
		}
	}
}

// sort puts one entry to the files, the skips, or the directories to read next.
func (d *directory) sort(entry fs.DirEntry) {
	name := entry.Name()
	path := join(d.job.path, name)
	if entry.IsDir() && (slices.Contains(d.roots, path) || d.opts.excepts(path)) {
		return // it is a folder of its own in this walk, or of another index
	}
	if s := d.opts.judge(d.rules.Check(name, entry.IsDir()), path, entry.Type()); s != nil {
		d.skip(s)
		return
	}
	if entry.IsDir() {
		d.below = append(d.below, job{path: path, root: d.job.root, matcher: func() *ignore.Matcher { return d.rules.Child(name) }})
		return
	}
	info, err := entry.Info()
	if err == nil {
		info, err = target(path, info)
	}
	if err != nil {
		d.skip(failed(path, false, err))
		return
	}
	d.file(path, info)
}

func (d *directory) skip(s *Skip) { d.found.skips = append(d.found.skips, *s) }

// file reports a regular file, unless its size speaks against it.
func (d *directory) file(path string, info fs.FileInfo) {
	if !info.Mode().IsRegular() { // replaced since it was listed
		d.skip(&Skip{Path: path, Reason: skip.Special})
		return
	}
	if s := d.opts.weigh(path, info); s != nil {
		d.skip(s)
		return
	}
	found := entryOf(d.job.root, path, info)
	if d.wals[filepath.Base(path)] {
		found.Changed, _ = stamp.Of(path, info, time.Time{})
	}
	d.found.files = append(d.found.files, found)
}
