package archive

import (
	"archive/zip"
	"encoding/json"
	"io"
	"path"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// bundle is what a TextBundle (textbundle.org) says of the note in it. Bear's tells when the note was made, and whether it is in the bin.
type bundle struct {
	Bear struct {
		Created string `json:"creationDate"`
		Trashed json.RawMessage
	} `json:"net.shinyfrog.bear"`
	Creator string `json:"creatorIdentifier"`
}

// maxBundle bounds what is read of one.
const maxBundle = 64 << 10

// bundles reads what the TextBundles of a zip say, by the folder of each.
func bundles(in *document.Input, files []*zip.File) map[string]bundle {
	all := map[string]bundle{}
	for _, f := range files {
		dir, name := path.Split(f.Name)
		if name != "info.json" || path.Ext(path.Clean(dir)) != ".textbundle" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			continue
		}
		data, err := in.Unpack(io.LimitReader(r, maxBundle), 0)
		var b bundle
		if err == nil && json.Unmarshal(data, &b) == nil {
			all[path.Clean(dir)] = b
		}
	}
	return all
}

// isTrashed reports whether a note is in the bin.
func (b *bundle) isTrashed() bool {
	return string(b.Bear.Trashed) == "1" || string(b.Bear.Trashed) == "true"
}

// bearTag is a tag as Bear keeps it, which has no other place for them: "#garden/roses" or, of several words, "#to do#".
var bearTag = pattern.New(`(?m)(?:^|\s)#(?:(\pL[\pL\d/_-]*(?: [\pL\d/_-]+)*)#|(\pL[\pL\d/_-]*))`)

// maxTags bounds the tags of a note.
const maxTags = 50

// say has a note say what its bundle of some name does.
func (b *bundle) say(m *document.Meta, name, text string) {
	if m.Title == "" {
		m.Title = strings.TrimSuffix(name, ".textbundle")
	}
	if m.Date.IsZero() {
		m.Date = dates.Parse(b.Bear.Created)
	}
	if b.Creator != "net.shinyfrog.bear" {
		return
	}
	for _, t := range bearTag.FindAllStringSubmatch(text, maxTags) {
		if tag := t[1] + t[2]; !slices.Contains(m.Tags, tag) {
			m.Tags = append(m.Tags, tag)
		}
	}
}
