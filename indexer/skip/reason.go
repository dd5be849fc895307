package skip

import (
	"errors"
	"io/fs"
)

// Reason says why a file or a directory is not indexed. Its text is stable: it
// is counted, stored and printed as it stands.
type Reason string

// The reasons, in the order in which a file meets them.
const (
	Hidden     Reason = "hidden"        // the name begins with a dot
	Ignored    Reason = "ignored"       // a rule file or a default rule says so
	Excluded   Reason = "excluded"      // the settings say so of its folder
	OtherType  Reason = "other type"    // the settings name the types that are taken of its folder
	Symlink    Reason = "symlink"       // a symbolic link that is not followed
	Special    Reason = "special"       // a pipe, socket or device
	Unreadable Reason = "unreadable"    // no permission, or the disk failed
	Vanished   Reason = "vanished"      // gone between being listed and being read
	NotHere    Reason = "not here yet"  // a pointer of git-lfs or git-annex, or a sync client's stub, for contents that were not fetched
	Empty      Reason = "empty"         // nothing but white space
	TooLarge   Reason = "too large"     // above the size limit
	Binary     Reason = "binary"        // not text at all
	Browser    Reason = "a browser's"   // history or bookmarks that the settings do not name
	OldOffice  Reason = "old office"    // of Word, Excel or PowerPoint before 2007, in a way that is not read
	Picture    Reason = "picture"       // without a caption, a comment or a keyword
	Sound      Reason = "sound"         // likewise: a title, an artist and an album alone are no words
	Video      Reason = "video"         // likewise
	Encrypted  Reason = "encrypted"     // it wants a password, or a key
	PrivateKey Reason = "a private key" // or several
	Passwords  Reason = "passwords"     // a table or a list of them, or settings with one
	Tokens     Reason = "access tokens" // by which programs get into accounts
	NoText     Reason = "no text"       // pages that are pictures
	NoReader   Reason = "no reader"     // what reads its format is not installed
	Damaged    Reason = "damaged"       // its format is known, and is not kept to
	TooLong    Reason = "too long"      // taking its text out took longer than it may
	NotText    Reason = "not text"      // text to a machine only: minified code, data in one line, numbers, base64, patterns
)

// Error says that one file is not indexed.
type Error struct {
	Reason Reason
	Path   string
	Detail string // what was seen, for a person; may be empty
	Err    error  // what the system said; may be nil
}

// Error returns the path, the reason and what is known about it.
func (e *Error) Error() string {
	s := e.Path + ": " + string(e.Reason)
	if e.Detail != "" {
		s += " (" + e.Detail + ")"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the error of the system, if there was one.
func (e *Error) Unwrap() error { return e.Err }

// ReasonOf finds the reason in err's chain.
func ReasonOf(err error) (Reason, bool) {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason, true
	}
	return "", false
}

// FromOS turns an error of the file system into an Error: a file that is not
// there any more has vanished, everything else is unreadable.
func FromOS(path string, err error) *Error {
	reason := Unreadable
	if errors.Is(err, fs.ErrNotExist) {
		reason = Vanished
	}
	return &Error{Reason: reason, Path: path, Err: err}
}

// IsSecret reports whether files are left out for what others could do with them, and not because they cannot be read.
func (r Reason) IsSecret() bool { return r == PrivateKey || r == Passwords || r == Tokens }
