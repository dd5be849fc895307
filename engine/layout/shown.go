package layout

import (
	"encoding/json"
	"fmt"

	"dowse/store"
)

// metaShown is where an index of folders with a model of their own keeps which of them it
// shows, as a JSON list.
const metaShown = "shown"

// PutShown notes the folders that searches find in this index, and not in the one of all
// other folders. It is the one place that says so: a folder goes from one index to the other
// with the transaction that notes it.
func PutShown(tx *store.Tx, folders []string) error {
	value, err := json.Marshal(folders)
	if err != nil {
		return err
	}
	return tx.PutMeta(metaShown, value)
}

// Shown reads what PutShown noted; none where nothing was. A pack shows its folder.
func Shown(tx *store.Tx) (folders []string, err error) {
	if at, is := tx.Mounted(); is {
		return []string{at}, nil
	}
	value, err := tx.Meta(metaShown)
	if err != nil || value == nil {
		return nil, err
	}
	if err := json.Unmarshal(value, &folders); err != nil {
		return nil, fmt.Errorf("%w: folders that are shown: %w", store.ErrCorrupt, err)
	}
	return folders, nil
}
