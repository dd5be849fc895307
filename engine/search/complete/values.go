package complete

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"

	unicodenorm "golang.org/x/text/unicode/norm"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/memory"
	"dowse/engine/search/snapshot"
	"dowse/internal/fold"
	"dowse/store"
)

// value is one that a filter may have.
type value struct {
	insert string // that the filter has then
	folded string // what is compared with what is typed, in lines
	label  string // for people; insert where it is empty
	detail string
	files  int
	order  int
	file   uint32 // that has it
	looks  bool   // file says how it is written
}

// values are those of the files of one commit that count. Each list is made when the
// first value of its filter is typed, and kept until the next commit.
type values struct {
	snap  *snapshot.Snapshot
	mask  snapshot.Mask
	in    []string
	files []*store.File
	ids   *idSet // of files

	lists map[string][]value
	times []int64 // of files, ascending
	held  int64
}

// Values are the values of an index that filters may have.
type Values struct {
	Index  *snapshot.Index
	Ledger *memory.Ledger
	Named  func() []engine.NamedFolder // the indexed folders; nil: none has a name

	mu     sync.Mutex // held while a list is made, so that one keystroke makes it for all
	newest *values
}

// idSet is a set of ids of files.
type idSet []uint64

func (s *idSet) add(id uint32) {
	for int(id>>6) >= len(*s) {
		*s = append(*s, make([]uint64, max(len(*s), int(id>>6)+1-len(*s)))...)
	}
	(*s)[id>>6] |= 1 << (id & 63)
}

// count returns how many of the ids are in the set.
func (s *idSet) count(ids []uint32) (n int) {
	for _, id := range ids {
		if int(id>>6) < len(*s) && (*s)[id>>6]&(1<<(id&63)) != 0 {
			n++
		}
	}
	return n
}

// valuesPool is the ledger's pool of values that filters may have.
const valuesPool = "search.completion"

// valuesOf returns the values of an index with the list for a filter.
func (k *Values) of(ctx context.Context, tx *store.Tx, m snapshot.Mask, in []string, key string) (*values, error) {
	snap, err := k.Index.At(tx)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.newest
	if v == nil || v.snap != snap || !v.mask.Equal(m) || !slices.Equal(v.in, in) {
		k.Drop()
		v = newValues(snap, m, in)
	}
	before := v.held
	if key == "in" {
		delete(v.lists, key) // a name changes without the index
		if k.Named != nil {
			v.lists[key] = v.named(k.Named())
		}
	}
	if err := v.list(ctx, tx, key); err != nil {
		return nil, err // what was under way is not kept
	}
	if k.newest == nil {
		before = 0
	}
	k.newest = v
	k.Ledger.Grow(valuesPool, v.held-before)
	return v, nil
}

// Drop forgets the newest values. The caller holds their mutex, or is the last user.
func (k *Values) Drop() {
	if v := k.newest; v != nil {
		k.Ledger.Shrink(valuesPool, v.held)
		k.newest = nil
	}
}

// Outdate forgets the values of a commit that is not the newest any more, unless some are
// being made: then the next keystroke drops them.
func (k *Values) Outdate() {
	if k.mu.TryLock() {
		k.Drop()
		k.mu.Unlock()
	}
}

// newValues notes which files count.
func newValues(snap *snapshot.Snapshot, m snapshot.Mask, in []string) *values {
	v := &values{snap: snap, mask: m, in: slices.Clone(in), ids: &idSet{}, lists: map[string][]value{}}
	filter := snapshot.NewFilter(&engine.Query{}, in)
	filter.Mask = m.Needed(snap)
	if v.files = snap.Files; !filter.Empty() {
		v.files = nil
		for _, f := range snap.Files {
			if filter.Admits(*f) {
				v.files = append(v.files, f)
			}
		}
		v.held = int64(cap(v.files)) * int64(unsafe.Sizeof(v.files[:0]))
	}
	for _, f := range v.files {
		v.ids.add(f.ID)
	}
	v.held += int64(8 * cap(*v.ids))
	return v
}

// list makes the list for a filter, unless it is there.
func (v *values) list(ctx context.Context, tx *store.Tx, key string) (err error) {
	if _, made := v.lists[key]; made {
		return nil
	}
	var list []value
	switch key {
	case "in": // of an index whose folders have no names
	case "path":
		list = v.folders()
	case "ext":
		list = v.extensions()
	case "type":
		list, err = v.types(tx)
	case "tag":
		list, err = v.tags(ctx, tx)
	case "from":
		list, err = v.people(ctx, tx, store.AuthorMark)
	case "to":
		list, err = v.people(ctx, tx, store.RecipientMark)
	case "title":
		list, err = v.titles(ctx, tx)
	default:
		v.makeTimes()
	}
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(of value) bool { // what no query can hold
		_, ok := engine.Typing{Key: key}.Complete(of.insert)
		return !ok
	})
	for i := range list {
		v.held += int64(unsafe.Sizeof(list[i])) + int64(len(list[i].insert)+len(list[i].folded)+len(list[i].detail))
	}
	v.lists[key] = list
	return nil
}

// named lists the names of folders, with the files that each holds.
func (v *values) named(folders []engine.NamedFolder) (list []value) {
	counts := map[string]int{}
	for _, f := range v.files {
		counts[f.Root]++
	}
	for _, folder := range folders {
		of := value{insert: folder.Name, folded: fold.String(folder.Name), detail: folder.Path}
		for root, n := range counts {
			if snapshot.Below(root, folder.Path) {
				of.files += n
			}
		}
		if _, ok := (engine.Typing{Key: "in"}).Complete(of.insert); ok && of.files > 0 {
			list = append(list, of)
		}
	}
	return list
}

// makeTimes lists when files are dated or were changed.
func (v *values) makeTimes() {
	if v.times == nil {
		v.times = make([]int64, len(v.files))
		for i, f := range v.files {
			v.times[i] = snapshot.TimeOf(f)
		}
		slices.Sort(v.times)
		v.held += int64(8 * len(v.times))
	}
}

// minName is how many bytes of the name of a file are typed before names are suggested.
const minName = 2

// each calls fn for the values of the filter that is typed. The names of files are as many
// as files, and are read where they stand.
func (v *values) each(t engine.Typing, fn func(*value)) {
	list := v.lists[t.Key]
	for i := range list {
		fn(&list[i])
	}
	if t.Key != "path" || len(t.Text) < minName {
		return
	}
	typed, named := fold.String(t.Text), map[string]*value{}
	for _, f := range v.files {
		name := f.Path[strings.LastIndexByte(f.Path, filepath.Separator)+1:]
		if folded := fold.String(name); strings.Contains(folded, typed) {
			if of := named[folded]; of != nil {
				of.files++
				continue
			}
			named[folded] = &value{insert: name, folded: folded, files: 1}
		}
	}
	for _, of := range named {
		fn(of)
	}
}

// folders lists those below the roots, and the roots where they are several. Each counts
// what is below it.
func (v *values) folders() []value {
	const separator = string(filepath.Separator)
	direct, roots := map[string]int{}, map[string]bool{}
	for _, f := range v.files {
		direct[unicodenorm.NFC.String(f.Path[:strings.LastIndex(f.Path, separator)+1])]++
		roots[unicodenorm.NFC.String(f.Root)] = true
	}
	all := map[string]int{}
	for folder, files := range direct {
		root := ""
		for r := range roots {
			if snapshot.Below(folder, r) && len(r) > len(root) {
				root = r
			}
		}
		if len(roots) > 1 && root != separator {
			all[filepath.Base(root)+separator] += files
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(folder, root), separator)
		for i := range len(rest) {
			if rest[i] == filepath.Separator {
				all[rest[:i+1]] += files
			}
		}
	}
	return valuesIn(all)
}

// valuesIn lists the keys of a map.
func valuesIn(counts map[string]int) []value {
	list := make([]value, 0, len(counts))
	for name, files := range counts {
		list = append(list, value{insert: name, folded: fold.String(name), files: files})
	}
	return list
}

// extensions lists those of the files, in small letters.
func (v *values) extensions() []value {
	counts := map[string]int{}
	for _, f := range v.files {
		name := filepath.Base(f.Path)
		if dot := strings.LastIndexByte(name, '.'); dot > 0 && dot < len(name)-1 {
			counts[strings.ToLower(name[dot+1:])]++
		}
	}
	return valuesIn(counts)
}

// types lists the formats and kinds that files have, and the words that mean several.
func (v *values) types(tx *store.Tx) ([]value, error) {
	counts := map[string]int{}
	for _, f := range v.files {
		if int(f.Kind) < len(layout.Kinds) && f.Kind != layout.Converted {
			counts[layout.Kinds[f.Kind]]++
		}
	}
	err := tx.Marks(store.FormatMark, func(format string, files []uint32) error {
		if n := v.ids.count(files); n > 0 {
			counts[format] += n
		}
		return nil
	})
	list, again := valuesIn(counts), []string(nil)
	for _, group := range snapshot.TypeNames {
		of := value{insert: group, folded: group}
		var formats []string
		for _, format := range snapshot.TypeGroups[group] {
			if counts[format] > 0 {
				of.files += counts[format]
				formats = append(formats, format)
			}
		}
		if of.detail = strings.Join(formats, ", "); of.files > 0 {
			list = append(list, of)
		}
		if len(formats) == 1 && group != "document" { // one word for it goes first
			again = append(again, formats[0])
		}
	}
	for i := range list {
		if list[i].detail == "" && slices.Contains(again, list[i].insert) {
			list[i].order = 1
		}
	}
	return list, err
}
