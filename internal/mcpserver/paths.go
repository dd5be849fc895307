package mcpserver

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"dowse/internal/home"
)

// filePath is a path as agents get it. JSON holds no bytes that are not UTF-8: a path with such bytes is a file URI, so
// that read and related find the file.
type filePath string

// String is the path, or its file URI.
func (p filePath) String() string {
	if utf8.ValidString(string(p)) {
		return string(p)
	}
	return (&url.URL{Scheme: "file", Path: string(p)}).String()
}

// MarshalText implements encoding.TextMarshaler.
func (p filePath) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// absolute is a path that an agent names, by itself or as a file URI. Links are not followed, so that it is as the index
// has it. instead says where the agent finds such paths.
func absolute(argument, name, instead string) (string, error) {
	path := name
	if strings.HasPrefix(name, "file://") {
		at, err := url.Parse(name)
		if err != nil || at.Host != "" && at.Host != "localhost" {
			return "", fmt.Errorf("the argument %s: %q is no file URI of this machine; %s", argument, name, instead)
		}
		path = at.Path
	}
	path, err := home.ExpandTilde(path)
	if err != nil {
		return "", fmt.Errorf("the argument %s: %w; %s", argument, err, instead)
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("the argument %s: %q is not an absolute path; %s", argument, name, instead)
	}
	return filepath.Clean(path), nil
}

// folderOf is the folder that a call is confined to; none where it names none.
func folderOf(folder string) ([]string, error) {
	if folder == "" {
		return nil, nil
	}
	path, err := absolute("folder", folder, "status names the folders that are indexed")
	if err != nil {
		return nil, err
	}
	return []string{path}, nil
}

// fileOf is the path of a file.
func fileOf(name string) (string, error) {
	return absolute("path", name, "search and list give paths as they are to be named")
}
