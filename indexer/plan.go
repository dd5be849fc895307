package indexer

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"dowse/indexer/extract"
	"dowse/indexer/ignore"
	"dowse/indexer/paths"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
	"dowse/store"
)

// plan is what a sync has to do.
type plan struct {
	read  []job            // files that are new or look changed, newest first
	doubt []doubtful       // files with the size and time that they had, which may have changed all the same
	gone  []store.File     // files of the index that are not there any more
	adopt map[uint32]int64 // inode times of files that the index keeps without one, by file id
}

// bytes are those of the files to read.
func (p *plan) bytes() (n int64) {
	for _, j := range p.read {
		n += extract.Cost(j.Path, j.Size)
	}
	return n
}

// job is a file to read, and what the index holds of its path.
type job struct {
	walk.Entry
	stored *store.File // nil: new
	waits  bool        // programs are asked about it later: meanwhile it is found by its own words
}

// expected is how many bytes of text reading the file gives as a rule, and seldom more.
func (j *job) expected() int64 {
	if isLog(j.stored) && j.Size > j.stored.Size {
		return j.Size - j.stored.Size
	}
	return extract.Expected(j.Path, j.Size)
}

// listing is what the file system holds below some paths.
type listing struct {
	files   []walk.Entry
	skipped skips
	opaque  []string // folders, and files, that could not be looked at
	unread  []error  // why files of rules, and folders, could not be read: an ignore.ErrRules, or an ignore.FolderError
}

// list looks at scopes: folders with all below them, single files, and paths
// that are not there any more.
func (ix *Indexer) list(ctx context.Context, roots, scopes []string) (*listing, error) {
	out := &listing{skipped: skips{}}
	filter, err := walk.NewFilter(ix.existing(roots), ix.walkOptions())
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, p := range scopes {
		info, err := lookAt(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, errLinked):
			out.skipped.add(paths.Innermost(p, roots), p, skip.Symlink)
		case err == nil && info.IsDir():
			if left := filter.Dir(p); left != nil && !slices.Contains(roots, p) {
				out.leave(roots, left)
			} else {
				folders = append(folders, p)
			}
		default:
			if entry, left := filter.Check(p); left != nil {
				out.leave(roots, left)
			} else {
				out.files = append(out.files, entry)
			}
		}
	}
	for _, root := range roots {
		out.opaque = append(out.opaque, ix.unmounted(root)...)
	}
	if len(folders) == 0 {
		return out, nil
	}
	err = walk.Walk(ctx, folders, ix.walkOptions(), func(e walk.Entry) error {
		// None holds a file of a folder that became a link a moment ago.
		if e.Root = paths.Innermost(e.Path, roots); e.Root != "" {
			out.files = append(out.files, e)
		}
		return nil
	}, func(s walk.Skip) { out.leave(roots, &s) })
	return out, err
}

// leave counts what is left out. What could not be looked at may be as it was
// indexed, and stays.
func (l *listing) leave(roots []string, s *walk.Skip) {
	l.skipped.add(paths.Innermost(s.Path, roots), s.Path, s.Reason)
	if s.Reason == skip.Unreadable {
		l.opaque = append(l.opaque, s.Path)
	}
	var folder *ignore.FolderError
	switch {
	case errors.Is(s.Err, ignore.ErrRules), errors.As(s.Err, &folder):
		l.unread = append(l.unread, s.Err)
	case s.IsDir && s.Reason == skip.Unreadable:
		l.unread = append(l.unread, &ignore.FolderError{Folder: s.Path, Err: cause(s.Err)})
	}
}

// existing leaves out roots that are not there.
func (ix *Indexer) existing(roots []string) []string {
	return slices.DeleteFunc(slices.Clone(roots), func(dir string) bool {
		_, err := ix.lookAtRoot(dir)
		return err != nil
	})
}

// compare finds what differs between the listing and the index, and puts the files that
// before refused, and that are as they were, with those left out and into now. Suspects are
// read whatever the system knows of them.
func (ix *Indexer) compare(found *listing, scopes []string, before, now refused, suspects map[string]bool) (*plan, error) {
	stored := map[string]store.File{}
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		for _, p := range scopes {
			f, err := tx.FileByPath(p)
			if err == nil {
				stored[f.Path] = f
			} else if !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return filesUnder(tx, scopes, func(f store.File) { stored[f.Path] = f })
	})
	if err != nil {
		return nil, err
	}
	p := &plan{adopt: map[uint32]int64{}}
	for _, e := range found.files {
		old, known := stored[e.Path]
		delete(stored, e.Path)
		delete(ix.vanished, old.ID)
		j := job{Entry: e}
		was, refused := before[refusedKey(e)]
		switch {
		case known:
			j.stored = &old
			if old.Size != e.Size || old.ModTime != e.ModTime.UnixNano() || old.Root != e.Root {
				break
			}
			if !isAsRead(old.Changed, e.Changed) || suspects[e.Path] {
				p.doubt = append(p.doubt, doubtful{job: j})
			} else if old.Changed != e.Changed {
				p.adopt[old.ID] = e.Changed
			}
			continue
		case refused:
			if !isAsRead(was.changed, e.Changed) || suspects[e.Path] {
				p.doubt = append(p.doubt, doubtful{job: j, refused: was})
				continue
			}
			now[refusedKey(e)] = refusal{was.reason, e.Changed, was.hash}
			found.skipped.add(e.Root, e.Path, was.reason)
			continue
		}
		p.read = append(p.read, j)
	}
	for _, f := range stored {
		if !paths.WithinAny(f.Path, found.opaque) {
			p.gone = append(p.gone, f)
		}
	}
	slices.SortFunc(p.gone, func(a, b store.File) int { return int(a.ID) - int(b.ID) })
	return p, nil
}

// isAsRead reports whether a file whose size and time are as they were is the one that was read: its
// inode was not changed since, or it is not known when that was done before.
func isAsRead(known, now int64) bool { return known == now || known == 0 }

// order sorts files to read. What was written last is what a person looks for first; and what programs are asked
// about, which takes seconds or minutes each, comes after all that is read at once.
func (ix *Indexer) order(jobs []job) {
	late := func(j job) int {
		if ix.isLate(j.Path) {
			return 1
		}
		return 0
	}
	slices.SortFunc(jobs, func(a, b job) int {
		return cmp.Or(late(a)-late(b), b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
}

// isLate reports whether programs are asked about a file.
func (ix *Indexer) isLate(path string) bool {
	return ix.opts.Programs != "" && extract.NamedSparse(path)
}
