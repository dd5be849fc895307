package store

// EraseFolders takes the names of folders without files out of the index: what a person removed is not to be read
// in it, down to the names. Their numbers stay, since they are never given again.
func (tx *Tx) EraseFolders() error {
	list, err := tx.folderList()
	if err != nil {
		return err
	}
	used := make([]bool, len(list))
	err = tx.eachEntry(func(e *entry) error {
		if int(e.folder) >= len(list) {
			return corrupt("file %d is in folder %d of %d", e.ID, e.folder, len(list))
		}
		used[e.folder] = true
		return nil
	})
	if err != nil {
		return err
	}
	parents := folderParents(list)
	for n := len(list) - 1; n >= 0; n-- {
		if above := parents[n]; used[n] && above >= 0 {
			used[above] = true // it is part of the name of this one
		}
	}
	return tx.putFolders(list, parents, used, false)
}

// folderParents returns the number of the folder that each one names as its parent, -1 where it is stored whole.
func folderParents(list []folder) []int {
	numbers := make(map[folder]int, len(list))
	parents := make([]int, len(list))
	for n, f := range list {
		parents[n] = -1
		if above, ok := f.parent(); ok {
			if at, known := numbers[above]; known {
				parents[n] = at
			}
		}
		numbers[f] = n
	}
	return parents
}

// putFolders writes the list of folders anew, with erased ones in the place of those that are not used: the blocks that
// have one that was not erased, or all.
func (tx *Tx) putFolders(list []folder, parents []int, used []bool, all bool) error {
	for first := 0; first < len(list); first += foldersPerBlock {
		var value []byte
		erases := all
		for n := first; n < min(first+foldersPerBlock, len(list)); n++ {
			f, below := list[n], ""
			switch {
			case !used[n]:
				erases = erases || f != folder{}
				f = folder{}
			case parents[n] >= 0:
				below = f.path[len(list[parents[n]].path):]
			}
			value = appendFolder(value, uint32(n), f, uint32(max(parents[n], 0)), below)
		}
		if !erases {
			continue
		}
		if err := tx.putIn(tableFolders, uint32(first), value); err != nil {
			return err
		}
	}
	tx.folders, tx.folderIndex = nil, nil
	return nil
}
