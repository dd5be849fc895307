package store

// RootCount is what the index holds of a root.
type RootCount struct {
	Files, Chunks    int
	TextBytes, Bytes int64 // of their text, and of the files
	Newest           int64 // ModTime of the file that changed last
}

// RootCounts counts the files of each root.
func (tx *Tx) RootCounts() (map[string]RootCount, error) {
	folders, err := tx.folderList()
	if err != nil {
		return nil, err
	}
	byFolder := make([]RootCount, len(folders))
	err = tx.eachEntry(func(e *entry) error {
		if int(e.folder) >= len(folders) {
			return corrupt("file %d is in folder %d of %d", e.ID, e.folder, len(folders))
		}
		c := &byFolder[e.folder]
		c.add(RootCount{1, int(e.Chunks), e.TextBytes, e.Size, e.ModTime})
		return nil
	})
	sum := map[string]RootCount{}
	for n, c := range byFolder {
		if c.Files > 0 {
			of := sum[folders[n].root]
			of.add(c)
			sum[folders[n].root] = of
		}
	}
	return sum, err
}

func (c *RootCount) add(o RootCount) {
	c.Files, c.Chunks, c.TextBytes, c.Bytes, c.Newest = c.Files+o.Files, c.Chunks+o.Chunks, c.TextBytes+o.TextBytes, c.Bytes+o.Bytes, max(c.Newest, o.Newest)
}
