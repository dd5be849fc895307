// Package noteapp takes the text out of what note apps and readers export: notebooks of Evernote (.enex), wikis and tiddlers
// of TiddlyWiki, exports of Joplin, notes of Google Keep, and the clippings of a Kindle.
//
//	d, err := extract.File("/home/ann/wiki.html", extract.Options{})
//	// d.Format is "tiddlywiki"; d.Entries say title, tags and times of each tiddler
//
// Each note is an entry with its title, tags and date, and has a place of its own. What the app keeps for itself
// (plugins, ids, positions, pictures) is left out; attached files are read as files are.
package noteapp
