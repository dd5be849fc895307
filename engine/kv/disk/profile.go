package disk

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"dowse/engine/kv"
	"dowse/internal/atomicfile"
)

// profileName is the file of what bringing chunks back takes here.
const profileName = "profile.json"

// keptProfile is what it says.
type keptProfile struct {
	Model   string     `json:"model"` // the key
	Profile kv.Profile `json:"profile"`
}

// Profile returns what KeepProfile kept for this model, and reports whether it did.
func (d *Disk) Profile() (kv.Profile, bool) {
	var kept keptProfile
	data, err := os.ReadFile(filepath.Join(d.folder, profileName))
	if err != nil || json.Unmarshal(data, &kept) != nil || kept.Model != hex.EncodeToString(d.key[:]) {
		return kv.Profile{}, false // it is measured again
	}
	return kept.Profile, true
}

// KeepProfile keeps what bringing chunks of this model back takes on this machine, for the
// process that opens the folder next.
func (d *Disk) KeepProfile(p kv.Profile) error {
	data, err := json.Marshal(keptProfile{Model: hex.EncodeToString(d.key[:]), Profile: p})
	if err != nil {
		return err
	}
	return full(atomicfile.WriteFile(filepath.Join(d.folder, profileName), data, 0o600))
}
