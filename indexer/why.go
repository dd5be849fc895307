package indexer

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"dowse/indexer/extract"
	"dowse/indexer/paths"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
	"dowse/store"
)

// WhyNot says, in words that follow "because", why the file at an absolute path is
// not in the index, and what to do about that. It looks at the folders, the rules
// and the file as they are now.
func (ix *Indexer) WhyNot(path string) (string, error) {
	var roots []string
	err := ix.opts.Store.View(func(tx *store.Tx) (err error) {
		roots, err = tx.Roots()
		return err
	})
	if err != nil {
		return "", err
	}
	root := paths.Innermost(path, roots)
	if root == "" {
		return fmt.Sprintf("it lies outside the folders that are indexed; dowse index %s adds its own", filepath.Dir(path)), nil
	}
	// The innermost folder decides, and another one need not be there.
	filter, err := walk.NewFilter([]string{root}, ix.walkOptions())
	if err != nil {
		return "", err
	}
	if _, left := filter.Check(path); left != nil {
		return leftOut(left, filter), nil
	}
	if ix.later.waits(path) {
		return "a program that the settings name in [extract] is still to be asked about it", nil
	}
	if _, err := extract.File(path, ix.reading()); err != nil {
		var left *skip.Error
		if errors.As(err, &left) {
			if why := ix.unasked(left.Reason); why != "" {
				return why, nil
			}
			return unfit(left), nil
		}
		return "", err
	}
	return "it was not indexed yet; run dowse index, or dowse watch to keep the index fresh", nil
}

// unasked says why programs of the person's do not help a file without words, "" where none are set.
func (ix *Indexer) unasked(reason skip.Reason) string {
	if ix.opts.Programs == "" || reason != skip.Picture && reason != skip.Sound && reason != skip.Video {
		return ""
	}
	return "it has no words of its own, and the programs that the settings name in [extract] found none or failed; dowse index says what is wrong, dowse doctor what is missing"
}

// leftOut says what a walk leaves a file out for.
func leftOut(left *walk.Skip, filter *walk.Filter) string {
	switch left.Reason {
	case skip.Hidden:
		return "its name, or that of a folder above it, begins with a dot; hidden = true in the settings has such files indexed"
	case skip.Symlink:
		return "it is a symbolic link, and those are not followed"
	case skip.Ignored:
		line, file := filter.Rule(left.Path)
		switch {
		case line == "":
			return "a folder above it says of itself that it is a cache"
		case file == "":
			return fmt.Sprintf("dowse leaves out %s; the line !%s in a file .dowseignore has it indexed", line, strings.TrimPrefix(line, "/"))
		}
		return fmt.Sprintf("the rule %s in %s leaves it out", line, file)
	}
	return unfit(&skip.Error{Reason: left.Reason, Err: left.Err})
}

// unfit says what of a file itself keeps it out of the index.
func unfit(left *skip.Error) string {
	var why string
	switch left.Reason {
	case skip.NotHere:
		why = "its contents are not on this machine"
	case skip.Empty:
		why = "it is empty"
	case skip.TooLarge:
		why = "it is too large; max_file in the settings is the limit"
	case skip.Binary:
		why = "it is binary, and text alone is indexed"
	case skip.Browser:
		return "it is the history or the bookmarks of a browser; extract.browsers in the settings names those that are indexed"
	case skip.OldOffice:
		return fmt.Sprintf("it is in an old format of Office; save it as .%[1]s, for instance by soffice --headless --convert-to %[1]s", left.Detail)
	case skip.Picture:
		return "it is a picture in which nobody has written what it shows; extract.picture in the settings names a program that says so"
	case skip.Sound:
		return "it is a sound without a comment, lyrics or a description; extract.sound in the settings names a program that writes down what is said"
	case skip.Video:
		return "it is a video without a title or a description; extract.sound in the settings names a program that writes down what is said"
	case skip.PrivateKey:
		return "it holds a private key" + detailOf(left) + "; extract.secrets = true in the settings has such files indexed, where no server embeds"
	case skip.Passwords:
		return "it holds passwords" + detailOf(left) + "; extract.secrets = true in the settings has such files indexed, where no server embeds"
	case skip.Tokens:
		return "it holds access tokens" + detailOf(left) + "; extract.secrets = true in the settings has such files indexed, where no server embeds"
	case skip.NotText:
		why = "it is text to a machine only"
	case skip.NoReader:
		return left.Err.Error()
	case skip.Vanished:
		why = "it is not there"
	case skip.Unreadable:
		why = "it cannot be read"
	default:
		why = "it is " + string(left.Reason)
	}
	switch {
	case left.Detail != "":
		why += " (" + left.Detail + ")"
	case left.Err != nil:
		why += ": " + left.Err.Error()
	}
	return why
}

// detailOf is the detail of a refusal, in brackets.
func detailOf(left *skip.Error) string {
	if left.Detail == "" {
		return ""
	}
	return " (" + left.Detail + ")"
}
