package indexes

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/engine/search"
	"dowse/engine/search/snapshot"
	"dowse/internal/config"
	"dowse/store"
)

// pack is an index pack that is searched beside the index, with the models of the stack. Its files lie
// in it, by their paths, as if it were a folder; or in a folder of this machine with the same files.
type pack struct {
	*search.Engine
	db       *store.DB
	path     string      // of the folder that it shows
	file     string      // of the pack, or its address on a server
	info     fs.FileInfo // of that file; nil on a server
	model    string      // that embedded it, "" where it is searched by words
	byWords  string      // why it is
	reserved int64       // bytes of the memory that are set apart for it
	gate     gate        // of the calls under way, but for searches
}

// packs are those of a stack.
type packs struct {
	opener *Opener

	mu     sync.Mutex // held while packs are opened and closed
	open   []*pack
	broken map[string]brokenPack // by path

	looking sync.Mutex // held by a look whether files are others by now
	looked  time.Time
}

// brokenPack is one that is not open.
type brokenPack struct {
	why   error
	info  fs.FileInfo // of what was there; nil of nothing
	tried time.Time
}

// serverAgain is how long after a failure a server is asked again.
const serverAgain = 5 * time.Second

// stands reports whether a pack is broken for the same reason still.
func (b brokenPack) stands(of config.Place, now fs.FileInfo) bool {
	if store.OnServer(of.Pack) {
		return time.Since(b.tried) < serverAgain
	}
	return sameFile(b.info, now)
}

// mostPacks is how many are searched at most: ids of chunks have four bits to say of which index.
const mostPacks = 1<<(32-snapshot.IDBits) - 2

// errTooManyPacks refuses one more.
var errTooManyPacks = fmt.Errorf("%d packs are searched already, which is as many as one search asks; dowse folders remove takes one out", mostPacks)

// of returns the pack that has a path, and why it is not open.
func (l *packs) of(path string) (p *pack, why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := slices.IndexFunc(l.open, func(p *pack) bool { return p.path == path }); n >= 0 {
		return l.open[n], nil
	}
	return nil, l.broken[path].why
}

// packPlaces are what the settings say of packs.
func (s *Stack) packPlaces() (all []config.Place) {
	for _, p := range s.settings.now.Load().places {
		if p.Pack != "" {
			all = append(all, p)
		}
	}
	return all
}

// packPaths are the paths by which packs are searched.
func (s *Stack) packPaths() (all []string) {
	for _, p := range s.packPlaces() {
		all = append(all, p.Path)
	}
	return all
}

// isPack reports whether the settings have a pack at a path.
func (s *Stack) isPack(path string) bool { return slices.Contains(s.packPaths(), path) }

// followPacks opens and closes packs as the settings and the files are now.
func (s *Stack) followPacks(ctx context.Context) {
	l, wanted := &s.packs, s.packPlaces()
	l.mu.Lock()
	defer l.mu.Unlock()
	infos, again := map[string]fs.FileInfo{}, map[string]*store.DB{}
	for _, w := range wanted {
		infos[w.Path] = statPack(w.Pack)
	}
	l.open = slices.DeleteFunc(l.open, func(p *pack) bool {
		is := slices.ContainsFunc(wanted, func(w config.Place) bool { return w.Path == p.path && (w.Pack == p.file || !store.OnServer(p.file)) })
		gone := !is || p.changed(infos[p.path])
		if gone {
			if is && p.info == nil {
				if next, err := p.db.Reopen(p.path); err == nil {
					again[p.path] = next // what is wrong is said when it is opened as others are
				}
			}
			s.Part(p.Engine)
			if err := p.close(s); err != nil {
				s.Publish(engine.Event{Problem: fmt.Sprintf("the pack %s could not be closed: %v", p.path, err)})
			}
		}
		return gone
	})
	before := l.broken
	l.broken = map[string]brokenPack{}
	for _, w := range wanted {
		if slices.ContainsFunc(l.open, func(p *pack) bool { return p.path == w.Path }) {
			continue
		}
		if b, tried := before[w.Path]; tried && again[w.Path] == nil && b.stands(w, infos[w.Path]) {
			l.broken[w.Path] = b
			continue
		}
		p, err := l.join(ctx, s, w, again[w.Path])
		if err != nil {
			l.broken[w.Path] = brokenPack{packError(err), infos[w.Path], time.Now()}
			continue
		}
		l.open = append(l.open, p)
	}
}

// statPack looks at the file of a pack; nil where there is none. Opening says what is wrong.
func statPack(file string) fs.FileInfo {
	if store.OnServer(file) {
		return nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil
	}
	return info
}

// changed reports whether what the pack was opened from is another by now.
func (p *pack) changed(now fs.FileInfo) bool {
	if p.info == nil {
		return p.db.Gone()
	}
	return now != nil && !sameFile(now, p.info)
}

// sameFile reports whether a file is as it was; nil is none.
func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// join opens a pack, unless it is open already, and has searches ask it.
func (l *packs) join(ctx context.Context, s *Stack, of config.Place, db *store.DB) (*pack, error) {
	if len(l.open) >= mostPacks {
		return nil, errTooManyPacks
	}
	info := statPack(of.Pack) // before it is opened
	if db == nil {
		var err error
		if db, err = store.OpenPack(ctx, of.Pack, of.Path); err != nil {
			return nil, err
		}
	}
	p := &pack{db: db, path: of.Path, file: of.Pack, info: info}
	var b layout.Builder
	err := db.View(func(tx *store.Tx) (err error) {
		b, err = layout.BuilderOf(tx)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	m := s.Models
	switch {
	case !s.byWords && db.Header().Fingerprint == s.DB.Header().Fingerprint:
		p.model = s.model
	case b.Rest != wordsFingerprint():
		p.byWords = fmt.Sprintf("the pack %s is made by %s", db.PackName(), anotherVersion)
	default:
		p.byWords = fmt.Sprintf("the pack %s is embedded by %s, and this index by %s; a pack that is made with that model is searched by meaning too", db.PackName(), b.Embedder, s.model)
	}
	memo := m.Memory.Part(lastingShare, memoBytes) / 4
	texts := l.opener.texts(db, m, s.ledger)
	texts.Packed = true
	within := of.Pack
	if of.Path != l.opener.shownAt(of.Pack) {
		within = ""
	}
	p.Engine = s.Beside(search.Options{
		Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: m.Embedder, Vectors: m.Vectors(), Graph: l.opener.Config.Graph, Model: p.model,
		Ledger: s.ledger, Texts: texts, Named: s.named, ByWords: p.byWords, Cosines: m.Cosines, Memo: memo, Pack: within,
		Outdated: func(string) {}, Damaged: func() {},
	})
	p.reserved = memo
	m.Memory.Reserve(memo)
	s.Join(p.Engine)
	return p, nil
}

// shownAt is the path below which the files of a pack are shown where no folder has them: its own, or of a
// pack on a server one that is not there.
func (op *Opener) shownAt(file string) string {
	if !store.OnServer(file) {
		return file
	}
	server, name, _ := strings.Cut(file, "#")
	return filepath.Join(op.Home.Data, "postgres", fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(server))), name)
}

// close releases what only this pack has. No search may come to it any more.
func (p *pack) close(s *Stack) error {
	p.gate.drain()
	s.Models.Memory.Reserve(-p.reserved)
	return errors.Join(p.Close(), p.db.Close())
}

// closePacks closes all of a stack.
func (s *Stack) closePacks() (err error) {
	s.packs.mu.Lock()
	defer s.packs.mu.Unlock()
	for _, p := range s.packs.open {
		s.Part(p.Engine)
		err = errors.Join(err, p.close(s))
	}
	s.packs.open = nil
	return err
}

// refreshPacks looks whether the files of packs are others by now, once a while, and waits for that no longer than
// lookPatience: a share may not answer.
func (s *Stack) refreshPacks() {
	l := &s.packs
	if len(s.packPaths()) == 0 || !l.looking.TryLock() {
		return
	}
	if time.Since(l.looked) < lookAgain {
		l.looking.Unlock()
		return
	}
	done := make(chan struct{})
	ctx, leave, err := s.gate.enter(context.Background())
	if err != nil {
		l.looking.Unlock()
		return
	}
	go func() {
		defer close(done)
		defer l.looking.Unlock()
		defer leave()
		s.followPacks(ctx)
		l.looked = time.Now()
	}()
	select {
	case <-done:
	case <-time.After(lookPatience):
	}
}
