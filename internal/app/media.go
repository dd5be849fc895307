package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/media"
	"dowse/internal/child"
	"dowse/internal/config"
)

// useMedia has pictures, sounds and videos read by the programs that the settings name.
func (a *App) useMedia() {
	media.Use(media.Options{Picture: a.program(a.Config.Extract.Picture), Sound: a.program(a.Config.Extract.Sound)})
}

// program returns what runs a command of the settings on a file, nil of none.
func (a *App) program(command []string) media.Program {
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
		limited, cancel := context.WithTimeout(ctx, a.Config.Extract.Time)
		defer cancel()
		out, err := child.Filter{Program: command[0], Args: args, Scratch: filepath.Join(a.Home.Cache, "run")}.Run(limited)
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			return "", tookLong{fmt.Errorf("%s took longer than %v; extract.time in the settings is the limit", filepath.Base(command[0]), a.Config.Extract.Time)}
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

// mediaPrograms names the programs of the settings that read pictures, sounds and videos.
func (a *App) mediaPrograms() string {
	var names []string
	for key, command := range map[string][]string{"picture": a.Config.Extract.Picture, "sound": a.Config.Extract.Sound} {
		if len(command) > 0 {
			names = append(names, fmt.Sprintf("%s %q", key, command))
		}
	}
	if a.Config.Extract.OCR != "" {
		names = append(names, "ocr "+a.Config.Extract.OCR)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// checkMedia says of each of these programs whether it is found.
func (a *App) checkMedia() (findings []Finding) {
	for _, each := range []struct {
		topic, of string
		command   []string
	}{{"pictures", "described", a.Config.Extract.Picture}, {"sound", "written down", a.Config.Extract.Sound}} {
		if len(each.command) == 0 {
			continue
		}
		path, err := child.Find(each.command[0])
		if err != nil {
			findings = append(findings, Finding{each.topic, Warning, fmt.Sprintf("not %s: the program %s is not there: %v", each.of, each.command[0], err)})
			continue
		}
		findings = append(findings, Finding{each.topic, Fine, fmt.Sprintf("%s by %s", each.of, path)})
	}
	return findings
}
