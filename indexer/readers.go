package indexer

import (
	"bytes"
	"encoding/json"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/store"
)

// readers numbers the ways in which text is taken out of files of formats and cut into
// chunks. It grows with each change by which a file may have another text, or other chunks,
// than an index holds of it:
//
//	1  no headings
//	2  cut by headings, at messages and members
//	3  running lines of PDF; YAML and exported JSON by records; the newest messages of a mailbox
//	4  items and rows of HTML and e-books, the order of the text of RTF; contacts and calendars by records
//	5  what each message of a mailbox says of itself; signatures as a whole
//	6  encoded runs left out; all forms of a message; entries; running parts of office files; marks within words
//	7  logs by blocks, without vectors; tokens and keys cut out; each limit that was met is said
//	8  readings above words behind them; parts of formulas apart
//	9  sessions of agents and exports of assistants by turns
//	10 cards of Anki, references of Zotero, books of calibre; notes of Evernote, TiddlyWiki and Keep, clippings of a Kindle;
//	   FictionBook, tracks and drawings without numbers; headings of reStructuredText, MediaWiki, Textile, Typst and Zim; BibTeX and RIS by references
//	11 one title for a session; sessions of OpenCode; histories of shells, tasks, ledgers, logs of channels; feeds, scans and scores by what they say;
//	   notes of Day One, Standard Notes and Simplenote, marks of KOReader, properties of Notion and Logseq, CSL JSON
//	12 ids and references of Obsidian and Logseq; canvases, mind maps of Freeplane; what assistants write beside a conversation, projects;
//	   items of Joplin and notes of Bear with title, tags and dates; no citations' marks
//	13 large exports of conversations; no marks of callouts and comments; activities of Gemini in HTML
//	14 marks of notes apart from words; notes of reStructuredText and MediaWiki, captions of its pictures; LaTeX that begins within a line; ends of lines in XML
//	15 numbers above and below their line apart from those before; calendars and contacts folded within letters; all artists and lyrics of MP3;
//	   no drawings of subtitles; letters of fonts of symbols
const readers = 15

// metaReaders is where the index says what its files were read by; nothing is 1.
const metaReaders = "readers"

// renewReaders has all files but code read again once, where an earlier version of this
// program read them: notes too say something of themselves. What they hold stays findable until it was replaced.
func (ix *Indexer) renewReaders() error {
	var known []byte
	err := ix.opts.Store.View(func(tx *store.Tx) (err error) {
		known, err = tx.Meta(metaReaders)
		return err
	})
	if err != nil || len(known) == 1 && known[0] == readers {
		return err
	}
	return ix.readAgain(metaReaders, []byte{readers}, func(_ *store.Tx, f store.File) (bool, error) {
		return document.Kind(f.Kind) != document.Code || extract.Named(f.Path), nil
	})
}

// metaPrograms is where the index says which programs of the person's read its pictures, sounds
// and videos; nothing is none.
const metaPrograms = "programs"

// renewPrograms has pictures, sounds and videos read again once, where other programs were asked
// what they show or say.
func (ix *Indexer) renewPrograms() error {
	var known []byte
	err := ix.opts.Store.View(func(tx *store.Tx) (err error) {
		known, err = tx.Meta(metaPrograms)
		return err
	})
	if err != nil || string(known) == ix.opts.Programs {
		return err
	}
	return ix.readAgain(metaPrograms, []byte(ix.opts.Programs), func(tx *store.Tx, f store.File) (bool, error) {
		if document.Kind(f.Kind) != document.Converted {
			return false, nil
		}
		facts, err := tx.Facts(f.ID)
		return extract.Sparse(facts.Format), err
	})
}

// metaEncodings is where the index says which encodings the settings named; nothing is none.
const metaEncodings = "encodings"

// packEncodings writes encodings, always in the same order; nothing is none.
func packEncodings(e extract.Encodings) []byte {
	if len(e) == 0 {
		return nil
	}
	data, _ := json.Marshal(e) // fails for types that it does not know
	return data
}

// renewEncodings has files read again once for which the settings name another encoding than
// they did. Where the text is the file, none was asked for.
func (ix *Indexer) renewEncodings() error {
	var known []byte
	err := ix.opts.Store.View(func(tx *store.Tx) (err error) {
		known, err = tx.Meta(metaEncodings)
		known = bytes.Clone(known)
		return err
	})
	now := packEncodings(ix.opts.Encodings)
	if err != nil || bytes.Equal(known, now) {
		return err
	}
	before := extract.Encodings{}
	_ = json.Unmarshal(known, &before) // what cannot be read says nothing
	return ix.readAgain(metaEncodings, now, func(tx *store.Tx, f store.File) (bool, error) {
		if f.Plain || before.Of(f.Path) == ix.opts.Encodings.Of(f.Path) {
			return false, nil
		}
		facts, err := tx.Facts(f.ID)
		return !extract.Sparse(facts.Format), err
	})
}

// metaSecrets is where the index says whether files that hold secrets were indexed or left out; nothing is
// that nobody looked.
const metaSecrets = "secrets"

// renewSecrets has all files read again once where an earlier version of this program did not look for secrets, or the
// settings said otherwise: what is left out now is erased.
func (ix *Indexer) renewSecrets() error {
	var known []byte
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		value, err := tx.Meta(metaSecrets)
		known = bytes.Clone(value)
		return err
	})
	now := []byte("left out")
	if ix.opts.Secrets {
		now = []byte("indexed")
	}
	if err != nil || bytes.Equal(known, now) {
		return err
	}
	return ix.readAgain(metaSecrets, now, func(tx *store.Tx, f store.File) (bool, error) {
		facts, err := tx.Facts(f.ID)
		return !extract.Sparse(facts.Format), err
	})
}

// metaBrowsers is where the index says of which files and folders it has what browsers keep; nothing is none.
const metaBrowsers = "browsers"

// renewBrowsers has what browsers keep read again once, where the settings name others than they did.
func (ix *Indexer) renewBrowsers() error {
	var known []byte
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		value, err := tx.Meta(metaBrowsers)
		known = bytes.Clone(value)
		return err
	})
	now := []byte(strings.Join(ix.opts.Browsers, "\x00"))
	if err != nil || bytes.Equal(known, now) {
		return err
	}
	return ix.readAgain(metaBrowsers, now, func(tx *store.Tx, f store.File) (bool, error) {
		facts, err := tx.Facts(f.ID)
		return facts.Format == document.Browser, err
	})
}

// readAgain has files read again by the next comparison, and notes what read them then.
func (ix *Indexer) readAgain(key string, value []byte, which func(tx *store.Tx, f store.File) (bool, error)) error {
	return ix.commitError(ix.opts.Store.Update(func(tx *store.Tx) error {
		var doubtful []uint32
		err := tx.Files(func(f store.File) error {
			is, err := which(tx, f)
			if is {
				doubtful = append(doubtful, f.ID)
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, id := range doubtful {
			if err := tx.Doubt(id); err != nil {
				return err
			}
		}
		return tx.PutMeta(key, value)
	}))
}
