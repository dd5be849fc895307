package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/ignore"

	"github.com/dustin/go-humanize"
)

const (
	// maxRead is how many members are read. Archives with more are releases of source code and
	// backups, which would bury what a person wrote.
	maxRead = 1000
	// maxNotes is how many notes are read beside: they are what a person wrote.
	maxNotes = 15_000
	// maxListed is how many names are listed of those.
	maxListed = 300
	maxMember = 16 << 20 // bytes; as of a file
)

// members writes those of an archive.
type members struct {
	in        *document.Input
	b         *document.Builder
	onlyNames bool
	bundles   map[string]bundle
	isExport  bool          // of an assistant
	ofProgram bool          // a program keeps its documents so: its settings are nobody's words
	meta      document.Meta // of the first that was read
	format    string        // conversations where a member holds some, otherwise ""
	listed    int
	read      int
	encrypted int
	large     int   // members above maxMember
	cut       error // why the rest is missing
	refused   error // why a member is, for what it holds
}

// newMembers begins an archive with files of some names.
func newMembers(in *document.Input, names []string) *members {
	ext := document.Extension(in.Name)
	m := members{in: in, b: in.Builder(), ofProgram: ext != "" && !isArchiveName[ext]}
	notes, others := 0, 0
	for _, name := range names {
		switch {
		case isNote[document.Extension(name)]:
			notes++
		case !isMedia(name) && !(m.ofProgram && document.Extension(name) == "json"):
			others++
		}
	}
	m.isExport = slices.ContainsFunc(names, func(name string) bool {
		return strings.HasPrefix(path.Base(name), "conversations") && document.Extension(name) == "json"
	})
	m.onlyNames = others > maxRead || notes > maxNotes
	return &m
}

// conversations is the Format of an export of an assistant: who asks for those asks for what is packed with them too.
const conversations = "session"

// besides are what an export of an assistant has beside its conversations: a page that shows them, and what the program knows of the account.
var besides = setOf("chat.html user.json users.json message_feedback.json model_comparisons.json export_manifest.json user_settings.json")

// isNote says of an extension that a person wrote the file: an archive of many is a backup of notes.
var isNote = setOf("md markdown")

// isSettings reports whether a member of a program's file is what the program keeps for itself.
func isSettings(d *document.Document) bool {
	switch d.Kind {
	case document.Code:
		return true
	case document.Converted:
		return d.Format == "json" || d.Format == "jsonl" || d.Format == "yaml"
	}
	return strings.HasPrefix(strings.TrimLeft(d.Text, "\ufeff \t\r\n"), "<?xml")
}

// wanted reports whether a file of the archive is one that would be read in a folder.
func wanted(name string) bool {
	name = strings.TrimPrefix(name, "./")
	return name != "" && !strings.HasSuffix(name, "/") && !strings.HasPrefix(name, "__MACOSX/") && !ignore.ByDefault(name)
}

// add writes a member of some bytes whose content open gives. The error is of the context: a member that cannot be
// read is passed over, and where the archive ends early, what came before stays.
func (m *members) add(ctx context.Context, name string, size uint64, open func() (io.Reader, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.onlyNames {
		m.list(name)
		return nil
	}
	if isMedia(name) || m.isExport && besides[path.Base(name)] {
		return nil
	}
	b, isBundled := m.bundles[path.Dir(name)]
	if b.isTrashed() {
		return nil
	}
	d, err := m.open(ctx, name, size, open)
	switch {
	case d == nil && err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, document.ErrEncrypted):
		m.encrypted++
		return nil
	case errors.Is(err, document.ErrBounds): // it holds too much, and the next one may not
		m.refused = err
		m.large++
		return nil
	case err != nil: // of no kind that is read, or damaged
		return nil
	case m.ofProgram && isSettings(d):
		return nil
	}
	if isBundled && d.Kind == document.Markdown {
		b.say(&d.Meta, path.Base(path.Dir(name)), d.Text)
	}
	if m.read++; m.read == 1 {
		m.meta = d.Meta
	}
	if d.Format == conversations {
		m.format = conversations
	}
	member := document.Part{Unit: document.Member, Name: name}
	m.b.Entry(d.Meta)
	m.b.Place(member)
	m.b.Heading(1, name)
	m.b.Include(d, member)
	return nil
}

// open returns the document of a member; nil where there is none, and nothing more to be said.
func (m *members) open(ctx context.Context, name string, size uint64, open func() (io.Reader, error)) (*document.Document, error) {
	if size > maxMember {
		r, err := open()
		if err != nil {
			return nil, nil //nolint:nilerr // it is passed over
		}
		return m.in.OpenPiped(ctx, name, r)
	}
	switch data, err := m.content(open); {
	case errors.Is(err, document.ErrBounds):
		m.cut = err
	case err == nil && data == nil:
		m.large++
	case err == nil:
		return m.in.Open(ctx, name, data)
	}
	return nil, nil
}

// content returns the bytes of a member, nil of one that is too large.
func (m *members) content(open func() (io.Reader, error)) ([]byte, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	data, err := m.in.Unpack(io.LimitReader(r, maxMember+1), 0)
	if err != nil || len(data) > maxMember {
		return nil, err
	}
	return data, nil
}

// list writes a name alone.
func (m *members) list(name string) {
	if m.listed++; m.listed <= maxListed {
		m.b.Item(0, name)
	}
}

// done reports whether nothing more can be read.
func (m *members) done() bool { return m.cut != nil || m.b.Full() }

// document returns what was written. The error says why there is nothing.
func (m *members) document(format string) (*document.Document, error) {
	if m.onlyNames && m.listed > maxListed {
		m.b.Place()
		m.b.Paragraph(fmt.Sprintf("%d more members are not listed.", m.listed-maxListed))
	}
	if m.read == 0 && !m.onlyNames {
		switch {
		case m.encrypted > 0:
			return nil, document.ErrEncrypted
		case m.cut != nil:
			return nil, m.cut
		case m.refused != nil:
			return nil, m.refused
		}
	}
	if m.encrypted > 0 {
		m.b.Place()
		m.b.Paragraph(fmt.Sprintf("%d members are encrypted.", m.encrypted))
	}
	m.lack()
	if m.read != 1 { // the file is that one
		m.meta = document.Meta{}
	}
	return m.b.Document(cmp.Or(m.format, format), m.meta), nil
}

// lack says what is missing.
func (m *members) lack() {
	if m.cut != nil {
		m.b.Lack("the members behind the first " + humanize.Comma(int64(m.read)))
	}
	if m.large > 0 {
		m.b.Lack(humanize.Comma(int64(m.large)) + " large members")
	}
	if m.encrypted > 0 {
		m.b.Lack(humanize.Comma(int64(m.encrypted)) + " encrypted members")
	}
	if m.onlyNames {
		m.b.Lack("the texts of its members, of which there are too many")
	}
}

// isMedia reports whether a name is that of a picture, a sound or a program, which are not unpacked to find that
// they have no text.
func isMedia(name string) bool { return media[document.Extension(name)] }

var media = map[string]bool{
	"jpg": true, "jpeg": true, "png": true, "gif": true, "webp": true, "heic": true, "tif": true, "tiff": true, "bmp": true, "ico": true, "psd": true, "raw": true,
	"cr2": true, "nef": true, "mp3": true, "m4a": true, "ogg": true, "opus": true, "flac": true, "wav": true, "aac": true, "mp4": true, "mov": true, "avi": true,
	"mkv": true, "webm": true, "exe": true, "dll": true, "so": true, "dylib": true, "o": true, "a": true, "class": true, "jar": true, "iso": true, "img": true,
	"ttf": true, "otf": true, "woff": true, "woff2": true, "sqlite": true, "db": true, "bin": true, "dat": true, "pyc": true, "wasm": true,
}
