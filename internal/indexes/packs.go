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
	texts := l.opener.texts(db, m)
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

// packError says what is wrong with a pack, in words that follow its path.
func packError(err error) error {
	switch {
	case errors.Is(err, errNoText):
		return err
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrNotFound):
		return errors.New("is not there")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("may not be read: give yourself access to it")
	case errors.Is(err, store.ErrVersion):
		return fmt.Errorf("is made by another version of dowse (%s); use that version, or have it packed again by this one", reasonOf(err))
	case errors.Is(err, store.ErrNoPack), errors.Is(err, store.ErrForeign):
		return errors.New("is no pack, or only the beginning of one; copy it again, or make one with dowse pack NAME -o FILE")
	case errors.Is(err, store.ErrCorrupt):
		return fmt.Errorf("is damaged (%s); copy it again, or have it packed again", reasonOf(err))
	}
	return fmt.Errorf("cannot be opened: %w", err)
}

// reasonOf is the last part of what an error says.
func reasonOf(err error) string {
	text := err.Error()
	return text[strings.LastIndex(text, ": ")+1:][1:]
}

// addPack has searches ask a pack too.
func (o *Owner) addPack(ctx context.Context, change engine.FolderChange) (*engine.FolderReport, error) {
	file, s := resolvedPath(change.Folder), o.Stack()
	if store.OnServer(change.Folder) {
		var err error
		if file, _, err = store.ServerPack(ctx, change.Folder); err != nil {
			return nil, err
		}
	}
	if change.Exclude != nil || change.Types != nil {
		return nil, fmt.Errorf("%s is a pack, which is searched as it is; --exclude and --type are for folders", file)
	}
	own := o.opener.shownAt(file)
	path := own
	if change.Files != "" {
		path = resolvedPath(change.Files)
	}
	place, named := s.settings.place(path), s.named()
	for _, f := range named {
		if path != own && (inside(path, []string{f.Path}) && place.Pack == "" || f.Path != path && inside(f.Path, []string{path})) {
			return nil, fmt.Errorf("%s (%s) is indexed already; dowse folders remove it first, or name another folder with --files", f.Name, f.Path)
		}
	}
	if change.Name != nil {
		if err := freeName(*change.Name, path, named); err != nil {
			return nil, err
		}
		place.Name = *change.Name
	}
	if place.Pack == "" && len(s.packPaths()) >= mostPacks {
		return nil, errTooManyPacks
	}
	name, err := packContents(ctx, file, path, path == own)
	if err != nil {
		return nil, fmt.Errorf("%s %w", file, packError(err))
	}
	if place.Name == "" && freeName(name, path, named) == nil {
		place.Name = name
	}
	place.Pack = file
	if err := config.PutPlace(o.opener.Home.ConfigFile(), place); err != nil {
		return nil, err
	}
	if err := o.reload(); err != nil {
		return nil, err
	}
	return o.packAdded(ctx, path)
}

// errNoText refuses a pack without text where nothing says in which folder its files are.
var errNoText = errors.New("has no text; name the folder of this machine that has its files with --files DIR")

// packContents returns the name of the folder of a pack that can be shown at a path.
func packContents(ctx context.Context, file, path string, needsText bool) (name string, err error) {
	db, err := store.OpenPack(ctx, file, path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if !needsText {
		return db.PackName(), nil
	}
	errFound := errors.New("there is some")
	err = db.View(func(tx *store.Tx) error {
		return tx.EachText(func(uint32, []byte) error { return errFound })
	})
	switch {
	case errors.Is(err, errFound):
		err = nil
	case err == nil:
		err = errNoText
	}
	return db.PackName(), err
}

// packAdded says what a pack has that was added.
func (o *Owner) packAdded(ctx context.Context, path string) (*engine.FolderReport, error) {
	list, err := o.Folders(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if f.Path != path {
			continue
		}
		if f.Away() {
			return nil, errors.New(f.AwayText())
		}
		file := f.Path
		if at := o.Stack().settings.place(path).Pack; store.OnServer(at) {
			file = at
		}
		return &engine.FolderReport{Folder: f.NamedFolder, Pack: &engine.PackReport{
			Name: f.Name, File: file, Files: f.Files, Chunks: f.Chunks, TextBytes: f.TextBytes, Bytes: f.Bytes, Model: f.Model, Why: f.Why,
		}}, nil
	}
	return nil, fmt.Errorf("%s is not among the folders", filepath.Base(path))
}

// removePack forgets a pack; its file stays as it is.
func (c *folderChange) removePack(ctx context.Context) error {
	if p, _ := c.s.packs.of(c.of.Path); p != nil {
		h, err := holdings(p.db, c.of.Path)
		if err != nil {
			return err
		}
		c.report.Pack = &engine.PackReport{Name: c.of.Name, File: c.of.Path, Files: h.files, Chunks: h.chunks, TextBytes: h.text}
	} else {
		c.report.Pack = &engine.PackReport{Name: c.of.Name, File: c.of.Path}
	}
	if err := c.forgetSaid(ctx); err != nil {
		return err
	}
	if err := config.DropFolder(c.opener.Home.ConfigFile(), c.of.Path); err != nil {
		return err
	}
	return c.reload()
}
