package walk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dowse/indexer/ignore"
	"dowse/indexer/nofollow"
	"dowse/indexer/skip"
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
	for _, entry := range entries {
		if w.ctx.Err() != nil {
			break
		}
		d.take(entry)
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
}

// take sorts one entry into what is found, left out, or read next.
func (d *directory) take(entry fs.DirEntry) {
	name := entry.Name()
	path := join(d.job.path, name)
	if entry.IsDir() && slices.Contains(d.roots, path) {
		return // it is a folder of its own in this walk
	}
	if s := d.opts.judge(d.rules.Check(name, entry.IsDir()), path, entry.Type()); s != nil {
		d.skip(s)
		return
	}
	switch {
	case entry.IsDir():
		d.below = append(d.below, job{path: path, root: d.job.root, matcher: func() *ignore.Matcher { return d.rules.Child(name) }})
	case entry.Type()&fs.ModeSymlink != 0:
		d.follow(path)
	default:
		info, err := entry.Info()
		if err != nil {
			d.skip(failed(path, false, err))
			return
		}
		d.file(d.job.root, path, info)
	}
}

func (d *directory) skip(s *Skip) { d.found.skips = append(d.found.skips, *s) }

// file reports a regular file, unless its size speaks against it.
func (d *directory) file(root, path string, info fs.FileInfo) {
	if !info.Mode().IsRegular() { // replaced since it was listed
		d.skip(&Skip{Path: path, Reason: skip.Special})
		return
	}
	if s := d.opts.weigh(path, info.Size()); s != nil {
		d.skip(s)
		return
	}
	if d.opts.FollowSymlinks && !d.claim(path) {
		return
	}
	d.found.files = append(d.found.files, entryOf(root, path, info))
}

// follow goes after a symbolic link that leads out of all folders. What it leads
// to counts as a folder of its own; a link into a folder is left out, because
// the walk finds its target there.
func (d *directory) follow(link string) {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		d.skip(&Skip{Path: link, Reason: skip.Symlink, Err: err})
		return
	}
	info, err := os.Lstat(target)
	switch {
	case err != nil:
		d.skip(failed(link, false, err))
	case Innermost(d.roots, target) != "":
		d.skip(&Skip{Path: link, Reason: skip.Symlink, IsDir: info.IsDir()})
	case info.IsDir():
		d.below = append(d.below, d.rootJob(target))
	case info.Mode().IsRegular():
		d.file(filepath.Dir(target), target, info)
	default:
		d.skip(&Skip{Path: link, Reason: skip.Special})
	}
}

// claim reports whether a file is seen for the first time. Only links can lead
// to a file twice.
func (w *walker) claim(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.linked[path] {
		return false
	}
	w.linked[path] = true
	return true
}
