package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders have an embedder of their own by the settings. All of them have the
// same: a search keeps one more embedder open, not any number.
type Folders struct {
	Model string   // name of an installed embedder; "" where no folder has its own
	Paths []string // absolute and clean, in order
}

// Own are the folders whose model is not that of the rest.
func (f Folders) Own(rest string) Folders {
	if f.Model == rest || len(f.Paths) == 0 {
		return Folders{}
	}
	return f
}

// folderFile is a table folders."PATH".
type folderFile struct {
	Model *string `toml:"model"`
}

// applyFolders puts the tables of folders over what is in c.
func (c *Config) applyFolders(f file) error {
	tables := f.Folders
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		path, err := folderPath("folders", name)
		if err != nil {
			return err
		}
		switch model := tables[name].Model; {
		case model == nil || *model == "":
			return fmt.Errorf("folders.%q: want model = NAME; dowse models list shows the names", name)
		case *model == FromEndpoint:
			return fmt.Errorf("folders.%q.model = %q: a server embeds all folders or none; name a model of this machine", name, *model)
		case c.Folders.Model != "" && c.Folders.Model != *model:
			return fmt.Errorf("folders.%q.model = %q: other folders have %s, and one model beside that of the rest is kept open; give them all the same", name, *model, c.Folders.Model)
		default:
			c.Folders.Model = *model
		}
		c.Folders.Paths = append(c.Folders.Paths, path)
	}
	slices.Sort(c.Folders.Paths)
	return nil
}

// folderPath is a folder that a table of the settings names, which may begin with ~.
func folderPath(table, name string) (string, error) {
	path := name
	if name == "~" || strings.HasPrefix(name, "~/") {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("%s.%q: %w", table, name, err)
		}
		path = filepath.Join(home, name[1:])
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s.%q: want the whole path of a folder, or one that begins with ~/", table, name)
	}
	return filepath.Clean(path), nil
}

// ErrNoFolder says that the settings give a folder no model of its own.
var ErrNoFolder = errors.New("the settings give it no model of its own")

// UseFolderModel is UseModel for a folder, whose path is absolute; model "" takes back what
// the settings say of it.
func UseFolderModel(path, folder, model string) error {
	missing := false
	err := change(path, func(f *file) {
		n := len(f.Folders)
		maps.DeleteFunc(f.Folders, func(name string, _ folderFile) bool {
			known, err := folderPath("folders", name)
			return err == nil && known == folder
		})
		if model == "" {
			missing = len(f.Folders) == n
			return
		}
		if f.Folders == nil {
			f.Folders = map[string]folderFile{}
		}
		f.Folders[folder] = folderFile{Model: &model}
	})
	if err == nil && missing {
		return fmt.Errorf("%s: %w", folder, ErrNoFolder)
	}
	return err
}
