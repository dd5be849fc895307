package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/indexer/ignore"
	"dowse/indexer/paths"
	"dowse/internal/home"
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

// Place is what the settings say of a folder, but for its embedder.
type Place struct {
	Path    string   // absolute and clean
	Name    string   // by which it is searched; "": the one of the folder
	Exclude []string // patterns as in a .gitignore file, of what is left out
	Types   []string // of the files that are taken; none: all
	Paused  bool     // it is not looked at
	Pack    string   // absolute path of the index pack that is searched for it: Path itself, or Path has its files; "": none
}

// folderFile is a table folders."PATH".
type folderFile struct {
	Name    *string   `toml:"name"`
	Model   *string   `toml:"model"`
	Exclude *[]string `toml:"exclude"`
	Types   *[]string `toml:"types"`
	Paused  *bool     `toml:"paused"`
	Pack    *string   `toml:"pack"`
}

// place is what a table says besides the embedder.
func (f folderFile) place(path string) Place {
	p := Place{Path: path}
	if f.Name != nil {
		p.Name = *f.Name
	}
	if f.Exclude != nil {
		p.Exclude = *f.Exclude
	}
	if f.Types != nil {
		p.Types = *f.Types
	}
	if f.Paused != nil {
		p.Paused = *f.Paused
	}
	if f.Pack != nil {
		p.Pack = *f.Pack
	}
	return p
}

// CheckName says what is wrong with the name of a folder; nil where nothing is.
func CheckName(name string) error {
	switch {
	case strings.TrimSpace(name) != name || name == "":
		return fmt.Errorf("the name %q is empty, or begins or ends with a blank", name)
	case strings.ContainsFunc(name, unicode.IsControl) || strings.ContainsAny(name, `"`) || !utf8.ValidString(name):
		return fmt.Errorf("the name %q has a quotation mark or a character that cannot be typed", name)
	case strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") || strings.HasPrefix(name, "~"):
		return fmt.Errorf("the name %q looks like a path", name)
	}
	return nil
}

// check says what is wrong with what a table says besides the embedder.
func (p *Place) check(table string, isNamed bool, named map[string]string) error {
	if isNamed {
		if err := CheckName(p.Name); err != nil {
			return fmt.Errorf("folders.%q.name: %w", table, err)
		}
		if other, taken := named[p.Name]; taken {
			return fmt.Errorf("folders.%q.name = %q: %s has that name; give each its own", table, p.Name, other)
		}
		named[p.Name] = p.Path
	}
	if _, err := ignore.ParsePatterns(p.Exclude); err != nil {
		return fmt.Errorf("folders.%q.exclude: %w", table, err)
	}
	return nil
}

// applyFolders puts the tables of folders over what is in c.
func (c *Config) applyFolders(f file) error {
	tables, named := f.Folders, map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		path, err := folderPath("folders", name)
		if err != nil {
			return err
		}
		p := tables[name].place(path)
		if p.Pack != "" && !strings.HasPrefix(p.Pack, "postgres:") && !strings.HasPrefix(p.Pack, "postgresql:") {
			if p.Pack, err = folderPath("folders."+name+".pack", p.Pack); err != nil {
				return err
			}
		}
		if err := p.check(name, tables[name].Name != nil, named); err != nil {
			return err
		}
		if p.Name != "" || p.Exclude != nil || p.Types != nil || p.Paused || p.Pack != "" {
			c.Places = append(c.Places, p)
		}
		switch model := tables[name].Model; {
		case model == nil && tables[name].onlyModel():
			return fmt.Errorf("folders.%q: want model = NAME, or name, exclude, types, paused or pack", name)
		case model == nil:
			continue
		case *model == "":
			return fmt.Errorf("folders.%q: want model = NAME; dowse models list shows the names", name)
		case p.Pack != "":
			return fmt.Errorf("folders.%q.model: a pack has the model that it was made with; take that line out", name)
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
	slices.SortFunc(c.Places, func(a, b Place) int { return cmp.Compare(a.Path, b.Path) })
	return nil
}

// folderPath is a folder that a table of the settings names, which may begin with ~.
func folderPath(table, name string) (string, error) {
	path, err := home.ExpandTilde(name)
	if err != nil {
		return "", fmt.Errorf("%s.%q: %w", table, name, err)
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s.%q: want the whole path of a folder, or one that begins with ~/", table, name)
	}
	return filepath.Clean(path), nil
}

// ErrNoFolder says that the settings give a folder no model of its own.
var ErrNoFolder = errors.New("the settings give it no model of its own")

// UseFolderModel is UseModel for a folder, whose path is absolute; model "" takes back what
// the settings say of its embedder.
func UseFolderModel(path, folder, model string) error {
	return change(path, func(f file) (all []assignment, err error) {
		table := f.tableOf(folder)
		switch {
		case model != "":
			return []assignment{{[]string{"folders", table, "model"}, model}}, nil
		case f.Folders[table].Model == nil:
			return nil, fmt.Errorf("%s: %w", folder, ErrNoFolder)
		case f.Folders[table].onlyModel():
			return []assignment{{[]string{"folders", table}, nil}}, nil
		}
		return []assignment{{[]string{"folders", table, "model"}, nil}}, nil
	})
}

// tableOf is the name that the file has for a folder, or the path itself.
func (f *file) tableOf(folder string) string {
	for _, name := range slices.Sorted(maps.Keys(f.Folders)) {
		if known, err := folderPath("folders", name); err == nil && known == folder {
			return name
		}
	}
	return folder
}

// onlyModel reports whether a table says nothing but its embedder.
func (f folderFile) onlyModel() bool {
	return f.Name == nil && f.Exclude == nil && f.Types == nil && f.Paused == nil && f.Pack == nil
}

// PutPlace writes what is said of a folder, but for its embedder.
func PutPlace(path string, p Place) error {
	return change(path, func(f file) (all []assignment, err error) {
		table := f.tableOf(p.Path)
		was := f.Folders[table]
		put := func(key string, is bool, said bool, value any) {
			switch {
			case is:
				all = append(all, assignment{[]string{"folders", table, key}, value})
			case said:
				all = append(all, assignment{[]string{"folders", table, key}, nil})
			}
		}
		put("name", p.Name != "", was.Name != nil, p.Name)
		put("exclude", len(p.Exclude) > 0, was.Exclude != nil, p.Exclude)
		put("types", len(p.Types) > 0, was.Types != nil, p.Types)
		put("paused", p.Paused, was.Paused != nil, p.Paused)
		put("pack", p.Pack != "", was.Pack != nil, p.Pack)
		if was.Model == nil && p.Name == "" && len(p.Exclude)+len(p.Types) == 0 && !p.Paused && p.Pack == "" {
			all = []assignment{{[]string{"folders", table}, nil}}
		}
		return all, nil
	})
}

// DropFolder takes back all that the settings say of a folder and of what lies in it.
func DropFolder(path, folder string) error {
	return change(path, func(f file) (all []assignment, err error) {
		drop := func(table, name string, key ...string) {
			if known, err := folderPath(table, name); err == nil && paths.Within(known, folder) {
				all = append(all, assignment{append(key, name), nil})
			}
		}
		for name := range f.Folders {
			drop("folders", name, "folders")
		}
		if f.Extract != nil {
			for name := range f.Extract.Encoding {
				drop("extract.encoding", name, "extract", "encoding")
			}
		}
		return all, nil
	})
}

// MoveFolder has what the settings say of a folder, and of what lies in it, be said of another one.
func MoveFolder(path, from, to string) error {
	return change(path, func(f file) (all []assignment, err error) {
		for _, name := range slices.Sorted(maps.Keys(f.Folders)) {
			known, err := folderPath("folders", name)
			if err != nil || !paths.Within(known, from) {
				continue
			}
			table := to + known[len(from):]
			was := f.Folders[name]
			p := was.place(known)
			for _, a := range []struct {
				key   string
				said  bool
				value any
			}{
				{"name", was.Name != nil, p.Name}, {"model", was.Model != nil, was.Model}, {"exclude", was.Exclude != nil, p.Exclude},
				{"types", was.Types != nil, p.Types}, {"paused", was.Paused != nil, p.Paused}, {"pack", was.Pack != nil, p.Pack},
			} {
				if a.said {
					all = append(all, assignment{[]string{"folders", table, a.key}, a.value})
				}
			}
			all = append(all, assignment{[]string{"folders", name}, nil})
		}
		return all, nil
	})
}
