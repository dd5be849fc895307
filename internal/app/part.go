package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/home"
)

// openedFor is how long a copy of a part stays: its viewer may read it late, and mail is
// not to lie about.
const openedFor = 24 * time.Hour

// OpenPart writes a copy of a file within a file (a message of a mailbox, an attachment, a
// member of an archive) for a viewer, and returns its path and the place within it. The copy
// is this user's alone, cannot be written, and goes a day later. The error wraps
// engine.ErrNoPart where the place is in no such file.
func (a *App) OpenPart(ctx context.Context, path string, place engine.Locator) (string, engine.Where, error) {
	where := engine.Where{Extracted: true}
	parts := make([]document.Part, len(place.Parts))
	for i, p := range place.Parts {
		parts[i] = document.Part{Unit: document.Unit(p.Unit), Number: p.Number, Name: p.Name}
	}
	part, err := extract.OpenPart(ctx, path, parts, extract.Options{MaxBytes: a.Config.MaxFile})
	if errors.Is(err, document.ErrNoPart) {
		return "", where, fmt.Errorf("%w: %s", engine.ErrNoPart, place.Label)
	}
	if err != nil {
		return "", where, err
	}
	file, err := a.copyPart(part)
	if err != nil {
		return "", where, fmt.Errorf("write a copy of %s: %w", place.Label, err)
	}
	if len(part.Rest) > 0 {
		where.Locator = &engine.Locator{Label: document.Label(part.Rest), Parts: place.Parts[len(parts)-len(part.Rest):]}
	}
	return file, where, nil
}

// copyPart writes a copy into a folder of its own, and removes old ones.
func (a *App) copyPart(part *extract.Part) (string, error) {
	if err := home.MakePrivate(a.Home.Runtime); err != nil {
		return "", err
	}
	all := filepath.Join(a.Home.Runtime, "opened")
	if err := home.MakePrivate(all); err != nil {
		return "", err
	}
	if err := removeOlder(all, time.Now().Add(-openedFor)); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(all, "part-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, partName(part.Name))
	return file, os.WriteFile(file, part.Data, 0o400)
}

// removeOlder removes what lies in a folder since before a moment.
func removeOlder(folder string, moment time.Time) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().Before(moment) {
			if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// openAs are endings besides those of formats with which a copy is handed to the desktop. Any
// other one could be that of a program, which opening would start: it becomes text.
var openAs = []string{".txt", ".md", ".html", ".htm"}

// startAs are endings of formats that a desktop follows or starts: a copy with one becomes text, too.
var startAs = []string{".desktop", ".url", ".webloc"}

// partName is the name of a copy: the last part of the file's, whatever mail may call one.
func partName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError || strings.ContainsRune(`<>:"|?*`, r) {
			return '_'
		}
		return r
	}, name)
	name = strings.Trim(name, ". ")
	const most = 100 // bytes; systems take some 250
	ext := filepath.Ext(name)
	if stem := strings.TrimSuffix(name, ext); len(name) > most && len(ext) < most {
		name = strings.ToValidUTF8(stem[:min(len(stem), most-len(ext))], "") + ext
	}
	if name = strings.TrimLeft(name, "-"); name == "" {
		name = "part"
	}
	shown := extract.Named(name) || slices.Contains(openAs, strings.ToLower(ext))
	if !shown || slices.Contains(startAs, strings.ToLower(ext)) {
		name += ".txt"
	}
	return name
}
