package disk

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"dowse/engine/kv"
	"dowse/internal/atomicfile"
)

// profileName is the file of the measured costs of restoring chunks.
const profileName = "profile.json"

type keptProfile struct {
	Model   string     `json:"model"` // meta key, hex
	Profile kv.Profile `json:"profile"`
}

// Profile returns the profile that KeepProfile kept for this model, if any.
func (d *Disk) Profile() (kv.Profile, bool) {
	var kept keptProfile
	data, err := os.ReadFile(filepath.Join(d.folder, profileName))
	if err != nil || json.Unmarshal(data, &kept) != nil || kept.Model != hex.EncodeToString(d.key[:]) {
		return kv.Profile{}, false // it is measured again
	}
	return kept.Profile, true
}

// KeepProfile keeps the costs of restoring this model's chunks for the next process.
func (d *Disk) KeepProfile(p kv.Profile) error {
	data, err := json.Marshal(keptProfile{Model: hex.EncodeToString(d.key[:]), Profile: p})
	if err != nil {
		return err
	}
	return full(atomicfile.WriteFile(filepath.Join(d.folder, profileName), data, 0o600))
}
