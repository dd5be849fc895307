package indexes

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dowse/engine"
	"dowse/indexer"
	"dowse/store"
)

// Looks at roots. One on a server that is gone may take minutes: nobody waits for that longer than lookPatience.
const (
	lookPatience = 250 * time.Millisecond
	lookAgain    = time.Second      // what was seen so long ago is looked at again
	searchAgain  = 30 * time.Second // likewise of where a root may be that is gone
)

// errSilentRoot says of a root that the system does not answer.
var errSilentRoot = errors.New("does not answer: its server, or its disk, may be gone")

// presence knows which roots are there.
type presence struct {
	mu    sync.Mutex
	looks map[string]*look
}

// look is what was seen of a root.
type look struct {
	done      chan struct{} // closed when it is over
	at        time.Time
	away      error
	elsewhere string
	searched  time.Time
}

// away says why a root cannot be read, as indexer.Away does.
func (p *presence) away(ix *indexer.Indexer, root string) error {
	p.mu.Lock()
	l := p.looks[root]
	var before *look
	select {
	case <-l.over():
		if l == nil || time.Since(l.at) > lookAgain {
			before, l = l, &look{done: make(chan struct{})}
			if before != nil {
				l.elsewhere, l.searched = before.elsewhere, before.searched
			}
			if p.looks == nil {
				p.looks = map[string]*look{}
			}
			p.looks[root] = l
			go func() {
				l.away, l.at = ix.Away(root), time.Now()
				close(l.done)
			}()
		}
	default: // one is under way
	}
	p.mu.Unlock()
	select {
	case <-l.done:
		return l.away
	case <-time.After(lookPatience):
		return errSilentRoot
	}
}

// over is closed when a look is.
func (l *look) over() <-chan struct{} {
	if l == nil {
		none := make(chan struct{})
		close(none)
		return none
	}
	return l.done
}

// elsewhere returns a folder that has the same name and the same files as a root that is gone; "" where none is found.
func (p *presence) elsewhere(db *store.DB, root string, others []string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.looks[root]
	if l == nil {
		return ""
	}
	if time.Since(l.searched) > searchAgain {
		l.elsewhere, l.searched = findElsewhere(db, root, others), time.Now()
	}
	return l.elsewhere
}

// Bounds of the search for a folder that was moved.
const (
	sampled    = 24   // files of it that are looked for
	mostLooked = 2000 // folders in which one of its name is looked for
)

// findElsewhere looks for a folder of the same name beside and above the place where a root was, in the home folder, in
// and beside other roots, and where disks are mounted.
func findElsewhere(db *store.DB, root string, others []string) string {
	var files []store.File
	n := 0
	err := db.View(func(tx *store.Tx) error {
		return tx.FilesUnder(root, func(f store.File) error {
			if n++; len(files) < sampled {
				files = append(files, f)
			} else if n%(n/sampled+1) == 0 {
				files[n%sampled] = f
			}
			return nil
		})
	})
	if err != nil || len(files) == 0 {
		return ""
	}
	base, seen, looked := filepath.Base(root), map[string]bool{root: true}, 0
	matches := func(dir string) bool {
		if seen[dir] {
			return false
		}
		seen[dir] = true
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return false
		}
		same := 0
		for _, f := range files {
			info, err := os.Stat(dir + f.Path[len(root):])
			if err == nil && info.Size() == f.Size {
				same++
			}
		}
		return same*5 >= len(files)*4
	}
	var places []string
	above := filepath.Dir(root)
	for range 3 {
		places = append(places, above)
		above = filepath.Dir(above)
	}
	if home, err := os.UserHomeDir(); err == nil {
		places = append(places, home)
	}
	for _, o := range others {
		places = append(places, o, filepath.Dir(o))
	}
	places = append(places, "/media", "/mnt", "/run/media", "/Volumes")
	for _, place := range places {
		for _, depth := range []string{"", "*", "*/*"} {
			dirs := []string{place}
			if depth != "" {
				dirs, _ = filepath.Glob(filepath.Join(escapeGlob(place), depth))
			}
			for _, dir := range dirs {
				if looked++; looked > mostLooked {
					return ""
				}
				if candidate := filepath.Join(dir, base); matches(candidate) {
					return candidate
				}
			}
		}
	}
	return ""
}

// escapeGlob is a path in which no character means others.
func escapeGlob(path string) string {
	var out []byte
	for _, c := range []byte(path) {
		switch c {
		case '*', '?', '[', '\\':
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}

// stateOf is the state of a root that cannot be read.
func stateOf(away error) engine.State {
	if errors.Is(away, indexer.ErrAway) || errors.Is(away, errSilentRoot) {
		return engine.Gone
	}
	return engine.Refused
}
