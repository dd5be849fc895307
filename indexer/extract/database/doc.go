// Package database takes the text out of SQLite databases in which programs keep what a person wrote: cards of
// Anki, references, notes and annotations of Zotero, and the library of calibre.
//
// SQLite itself reads them, as Go that was made of its WebAssembly: a damaged database fails within it. It sees one file by a
// reader and nothing of the disk, so that no lock is taken and no journal is touched.
//
// # In use
//
// What a program that has a database open wrote last lies in a write-ahead log beside it (wal.go; "log" is that one here). A
// copy of the file with the commits of the log is read then (copy.go). That of a browser which nobody asked for is not copied, nor is one
// above 512 MiB; their documents say what they lack. A transaction under way in a database without such a log may be read in part;
// its end is a change of the file, by which it is read again.
//
// A database is told by its tables. One that nobody here knows is named with them and left out, and so is the
// history of a browser, unless the settings name it.
//
// # Caveats
//
// Anki's files were written by Anki 25.9.2 in both of its forms. Zotero's and calibre's follow their published
// schemas; what a version adds to these is not seen.
package database
