package store

import "strings"

// Rebase gives all files other paths: name in the place of the folder that they lie in, which becomes the one root.
// Folders without files are erased. A file outside of the folder is an error.
func (tx *Tx) Rebase(from, name string) error {
	if err := tx.EraseFolders(); err != nil {
		return err
	}
	list, err := tx.folderList()
	if err != nil {
		return err
	}
	moved, used := make([]folder, len(list)), make([]bool, len(list))
	for n, f := range list {
		rest, within := strings.CutPrefix(f.path, from)
		if within && rest != "" && isSeparator(rest[0]) {
			moved[n], used[n] = folder{path: name + rest, root: name}, true
		}
	}
	return tx.rename(moved, used, name)
}

// rename writes the folders and the table of names anew.
func (tx *Tx) rename(list []folder, used []bool, root string) error {
	type named struct {
		path string
		id   uint32
	}
	var files []named
	err := tx.eachEntry(func(e *entry) error {
		if int(e.folder) >= len(list) || !used[e.folder] {
			return corrupt("file %d is in none of the folders that stay", e.ID)
		}
		files = append(files, named{list[e.folder].path + e.name, e.ID})
		return nil
	})
	if err != nil {
		return err
	}
	if err := tx.putFolders(list, folderParents(list), used, true); err != nil {
		return err
	}
	var blocks []uint32
	err = tx.eachIn(tableNames, 0, func(first uint32, _ []byte) error {
		blocks = append(blocks, first)
		return nil
	})
	if err != nil {
		return err
	}
	for _, first := range blocks {
		if err := tx.deleteIn(tableNames, first); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := tx.addPath(f.path, f.id); err != nil {
			return err
		}
	}
	return tx.PutRoots([]string{root})
}

// KeepMeta deletes all small values of other packages but those of some keys.
func (tx *Tx) KeepMeta(keys []string) error {
	kept := map[string]bool{}
	for _, key := range keys {
		kept[key] = true
	}
	var gone [][]byte
	err := tx.each(bucketMain, []byte(prefixMeta), func(key, _ []byte) error {
		if name, is := strings.CutPrefix(string(key), prefixMeta); is && !kept[name] {
			gone = append(gone, append([]byte{}, key...))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range gone {
		if err := tx.delete(bucketMain, key); err != nil {
			return err
		}
	}
	return nil
}
