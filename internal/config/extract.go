package config

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dowse/internal/home"
	"dowse/internal/pattern"
)

// Extraction is which programs of the person's read files that have no text of their own.
type Extraction struct {
	OCR     string        // languages of tesseract, "eng+deu"; "": pictures are not read
	Picture []string      // a command that says what a picture shows; nil: none
	Sound   []string      // a command that writes down what is said; nil: none
	Time    time.Duration // that such a program may take for one file, or one page
	Secrets bool          // files that hold private keys, passwords or access tokens are indexed too
	// Browsers are the files and folders of browsers, by their absolute paths, whose history and bookmarks are indexed.
	Browsers []string
	// Encoding names that of old text files below a folder, by its absolute path.
	Encoding map[string]string
}

// FileArgument is the argument of a command that stands for the path of the file.
const FileArgument = "{}"

// Time of a program for one file.
const (
	defaultExtractTime = 2 * time.Minute
	leastExtractTime   = time.Second
	mostExtractTime    = time.Hour
)

// extractFile mirrors the table extract.
type extractFile struct {
	OCR     *string   `toml:"ocr"`
	Picture *[]string `toml:"picture"`
	Sound   *[]string `toml:"sound"`
	Time    *string   `toml:"time"`
	Secrets *bool     `toml:"secrets"`

	Browsers *[]string `toml:"browsers"`

	Encoding map[string]string `toml:"encoding"`
}

// languages is how tesseract is told of them: names of its files, joined by plus signs.
var languages = pattern.New(`^[A-Za-z][A-Za-z0-9_/-]*(\+[A-Za-z][A-Za-z0-9_/-]*)*$`)

// applyExtract puts the values of the table extract over the ones in c.
func (c *Config) applyExtract(all file) error {
	f := all.Extract
	if f == nil {
		return nil
	}
	if f.Secrets != nil {
		c.Extract.Secrets = *f.Secrets
	}
	if f.OCR != nil {
		c.Extract.OCR = strings.ReplaceAll(*f.OCR, " ", "")
		if c.Extract.OCR != "" && !languages.MatchString(c.Extract.OCR) {
			return fmt.Errorf("extract.ocr = %q: want languages as tesseract names them, such as \"eng\" or \"eng+deu\"; tesseract --list-langs shows those that are installed", *f.OCR)
		}
	}
	for _, each := range []struct {
		key  string
		from *[]string
		to   *[]string
	}{{"extract.picture", f.Picture, &c.Extract.Picture}, {"extract.sound", f.Sound, &c.Extract.Sound}} {
		if each.from == nil {
			continue
		}
		command, err := commandOf(*each.from)
		if err != nil {
			return fmt.Errorf("%s: %w", each.key, err)
		}
		*each.to = command
	}
	if f.Time != nil {
		d, err := time.ParseDuration(strings.ReplaceAll(*f.Time, " ", ""))
		if err != nil || d < leastExtractTime || d > mostExtractTime {
			return fmt.Errorf("extract.time = %q: want a time from \"1s\" to \"1h\", such as \"2m\"", *f.Time)
		}
		c.Extract.Time = d
	}
	if f.Browsers != nil {
		c.Extract.Browsers = nil
		for _, name := range *f.Browsers {
			path, err := folderPath("extract.browsers", name)
			if err != nil {
				return err
			}
			c.Extract.Browsers = append(c.Extract.Browsers, path)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Encoding)) {
		path, err := folderPath("extract.encoding", name)
		if err != nil {
			return err
		}
		if c.Extract.Encoding == nil {
			c.Extract.Encoding = map[string]string{}
		}
		c.Extract.Encoding[path] = f.Encoding[name]
	}
	return nil
}

// commandOf reads a command and its arguments; an empty array is none.
func commandOf(words []string) ([]string, error) {
	if len(words) == 0 {
		return nil, nil
	}
	words = slices.Clone(words)
	program, err := home.ExpandTilde(words[0])
	if err != nil {
		return nil, err
	}
	switch {
	case program == "" || program == FileArgument:
		return nil, errors.New("want a program and its arguments, such as [\"describe\", \"{}\"]")
	case filepath.Base(program) != program && !filepath.IsAbs(program):
		return nil, fmt.Errorf("%q: want the name of a program, or its whole path", words[0])
	case !slices.Contains(words[1:], FileArgument):
		return nil, fmt.Errorf("%q: want an argument \"{}\", which the path of the file takes the place of", strings.Join(words, " "))
	}
	words[0] = program
	return words, nil
}
