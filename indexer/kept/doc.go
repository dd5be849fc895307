// Package kept packs documents that were slow to take out of their files, so that
// the index can keep them and a search need not take them out again.
//
// # Basics
//
//	packed, err := kept.Pack(doc)
//	doc, err = kept.Unpack(packed)
//
// Unpack returns what Pack was given, but for Document.Meta and Document.Slow: the
// store keeps the former by file, where filters find it, and a document that is kept
// is not slow any more.
//
// # Layout
//
// One byte is the layout, then comes a stream of DEFLATE (RFC 1951) that holds kind, whether there is a secret in it,
// format, language and charset, the places, the lines, the state by which a file is read on, and the text. Offsets are
// differences to the one before.
//
// # Why DEFLATE
//
// The text of five scientific papers, 347 KB, takes 41.9% at level 1 of the standard
// library, 35.5% at level 5 and 35.4% from 6 to 9, and is unpacked at 150 MB/s or more
// on a busy machine: a book of a megabyte in some 7 ms, where its PDF takes a second.
// Zstandard would be unpacked faster and be a tenth smaller, which is not worth a
// dependency here.
package kept
