package store

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Folders are numbered, so that files need not repeat their paths. Numbers
// ascend and are never given again: a list of the first n folders stays true for
// all files that there are, and readers share one. A folder without files stays,
// at some ten bytes, until EraseFolders takes its name away.

// foldersPerBlock is how many folders stand in one value.
const foldersPerBlock = 64

// folder is a folder of files, within the indexed folder (root) they belong to.
type folder struct {
	path string // with the separator that ends it; "" for paths without one
	root string
}

// isSeparator knows both kinds on every system: names seldom contain the other
// one, and an extra folder does no harm.
func isSeparator(b byte) bool { return b == '/' || b == '\\' }

func splitPath(path string) (dir, name string) {
	i := len(path)
	for i > 0 && !isSeparator(path[i-1]) {
		i--
	}
	return path[:i], path[i:]
}

// parent returns the folder that holds f; false for a root and for the first
// folder of a path, which are stored whole.
func (f folder) parent() (p folder, ok bool) {
	if f.path == "" || len(f.path) == len(f.root)+1 && strings.HasPrefix(f.path, f.root) {
		return folder{}, false
	}
	dir, _ := splitPath(f.path[:len(f.path)-1])
	return folder{dir, f.root}, dir != ""
}

// appendFolder encodes folder n: the distance to its parent's number and its
// name in there; or 0, its whole path and its root.
func appendFolder(dst []byte, n uint32, f folder, parent uint32, below string) []byte {
	if below == "" {
		return appendText(appendText(append(dst, 0), f.path), f.root)
	}
	return appendText(binary.AppendUvarint(dst, uint64(n-parent)), below)
}

// folder decodes the folder that follows those in list.
func (d *decoder) folder(list []folder) folder {
	back := d.uvarint()
	if back > uint64(len(list)) {
		d.fail("folder inside one that comes later")
		return folder{}
	}
	if back == 0 {
		path := string(d.text(nil))
		return folder{path: path, root: string(d.text(nil))}
	}
	parent := list[uint64(len(list))-back]
	return folder{path: parent.path + string(d.text(nil)), root: parent.root}
}

// folderList returns all folders by number; only addFolder may append to it.
func (tx *Tx) folderList() ([]folder, error) {
	n := int(tx.counters.folders)
	if len(tx.folders) == n {
		return tx.folders, nil
	}
	writes := tx.kv.Writable()
	// A writer reads them itself: names that were erased since may be in a shared list.
	if shared := tx.db.folders.Load(); !writes && shared != nil && len(*shared) >= n {
		tx.folders = (*shared)[:n:n]
		return tx.folders, nil
	}
	list, err := tx.decodeFolders(n)
	if err != nil {
		return nil, brokenIf(err)
	}
	tx.folders = list[:n:n]
	if !writes { // a writer's folders may be rolled back
		tx.db.folders.Store(&tx.folders)
	}
	return tx.folders, nil
}

// decodeFolders reads the first n folders.
func (tx *Tx) decodeFolders(n int) ([]folder, error) {
	var list []folder
	err := tx.eachIn(tableFolders, 0, func(first uint32, value []byte) error {
		if int(first) != len(list) {
			return locatedIn(tableFolders, first, corrupt("folder %d should come next", len(list)))
		}
		d := decoder{rest: value}
		for len(d.rest) > 0 {
			list = append(list, d.folder(list))
		}
		if err := d.end(); err != nil {
			return locatedIn(tableFolders, first, err)
		}
		return nil
	})
	if err == nil && len(list) != n {
		err = corrupt("%d folders, of %d that were numbered", len(list), n)
	}
	if m := tx.db.mount; m != nil && err == nil {
		err = m.showFolders(list)
	}
	return list, err
}

// folderNumber returns the number of a folder, adding it if it is new.
func (tx *Tx) folderNumber(f folder) (uint32, error) {
	list, err := tx.folderList()
	if err != nil {
		return 0, err
	}
	if tx.folderIndex == nil {
		tx.folderIndex = make(map[folder]uint32, len(list))
		for i, f := range list {
			tx.folderIndex[f] = uint32(i)
		}
	}
	return tx.findOrAddFolder(f)
}

func (tx *Tx) findOrAddFolder(f folder) (uint32, error) {
	if n, ok := tx.folderIndex[f]; ok {
		return n, nil
	}
	above, ok := f.parent()
	if !ok {
		return tx.addFolder(f, 0, "")
	}
	parent, err := tx.findOrAddFolder(above)
	if err != nil {
		return 0, err
	}
	return tx.addFolder(f, parent, f.path[len(above.path):])
}

func (tx *Tx) addFolder(f folder, parent uint32, below string) (uint32, error) {
	n := tx.counters.folders
	block := n - n%foldersPerBlock
	var value []byte
	if block < n {
		stored, err := tx.in(tableFolders, block)
		if err != nil {
			return 0, fmt.Errorf("folders from %d: %w", block, err)
		}
		value = append(value, stored...)
	}
	if err := tx.putIn(tableFolders, block, appendFolder(value, n, f, parent, below)); err != nil {
		return 0, err
	}
	tx.counters.folders++
	tx.folders = append(tx.folders, f)
	tx.folderIndex[f] = n
	return n, nil
}

// foldersBelow returns a bitmap, by number, of the folders of files below a
// path; nil when there are none.
func (tx *Tx) foldersBelow(path string) ([]bool, error) {
	list, err := tx.folderList()
	if err != nil {
		return nil, err
	}
	prefix := strings.TrimRight(path, `/\`)
	var below []bool
	for i, f := range list {
		if len(f.path) > len(prefix) && isSeparator(f.path[len(prefix)]) && f.path[:len(prefix)] == prefix {
			if below == nil {
				below = make([]bool, len(list))
			}
			below[i] = true
		}
	}
	return below, nil
}
