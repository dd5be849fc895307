package reading

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/media"
	"dowse/internal/child"
	"dowse/internal/config"
)

// useMedia has pictures, sounds and videos read by the programs that the settings name.
func (s Settings) useMedia() {
	media.Use(media.Options{Picture: s.program(s.Extract.Picture), Sound: s.program(s.Extract.Sound)})
}

// program returns what runs a command of the settings on a file, nil of none.
func (s Settings) program(command []string) media.Program {
	if len(command) == 0 {
		return nil
	}
	return func(ctx context.Context, path string) (string, error) {
		if _, err := child.Find(command[0]); err != nil {
			return "", notFound{fmt.Errorf("the program %s is not there: %w", command[0], err)}
		}
		args := slices.Clone(command[1:])
		for i := range args {
			if args[i] == config.FileArgument {
				args[i] = path
			}
		}
		limited, cancel := context.WithTimeout(ctx, s.Extract.Time)
		defer cancel()
		out, err := child.Filter{Program: command[0], Args: args, Scratch: filepath.Join(s.Home.Cache, "run")}.Run(limited)
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			return "", tookLong{fmt.Errorf("%s took longer than %v; extract.time in the settings is the limit", filepath.Base(command[0]), s.Extract.Time)}
		}
		return string(out), err
	}
}

// notFound is a document.ErrNoReader that says which program is not found.
type notFound struct{ error }

func (notFound) Is(target error) bool { return target == document.ErrNoReader }

func (n notFound) Unwrap() error { return n.error }

// tookLong is a context.DeadlineExceeded that says which limit.
type tookLong struct{ error }

func (tookLong) Is(target error) bool { return target == context.DeadlineExceeded }

// Programs names the programs of the settings that read pictures, sounds and videos.
func (s Settings) Programs() string {
	var names []string
	for key, command := range map[string][]string{"picture": s.Extract.Picture, "sound": s.Extract.Sound} {
		if len(command) > 0 {
			names = append(names, fmt.Sprintf("%s %q", key, command))
		}
	}
	if s.Extract.OCR != "" {
		names = append(names, "ocr "+s.Extract.OCR)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Signature names the programs of the settings and their versions: under another signature, files
// without text are read again.
func (s Settings) Signature() string {
	e := s.Extract
	var out []string
	if e.OCR != "" {
		path, _ := child.Find(Tesseract) // one that is missing leaves no file out for good
		version := ""
		if info, err := os.Stat(path); err == nil {
			version = fmt.Sprintf("%d %d", info.Size(), info.ModTime().Unix())
		}
		out = append(out, fmt.Sprintf("ocr %s in %v by %s %s", e.OCR, e.Time, path, version))
	}
	for what, command := range map[string][]string{"picture": e.Picture, "sound": e.Sound} {
		if len(command) > 0 {
			out = append(out, fmt.Sprintf("%s %q in %v", what, command, e.Time))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}
