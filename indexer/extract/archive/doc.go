// Package archive reads files that hold others: zip, tar, gzip, bzip2 and zstd, and what is packed twice, as .tar.gz.
//
// # Basics
//
// Formats is what package extract lists. The members are read by their own Formats, or as text, each under a heading with
// its name, which is its place as well. Nothing is ever written: a name such as "../../etc/passwd" is a label.
//
// # Which members are read
//
// Those that would be read in a folder without rules: not what is hidden, not node_modules and the like
// (ignore.ByDefault), not what macOS adds, and none above 16 MiB. Pictures, sounds and programs are not
// unpacked, by their names; so a caption of a picture is found in a folder and not in an archive. Of an archive with more than 1000 such members only names are listed, 300 of
// them: that is a release of source code or a backup, which would bury what a person wrote, and who wants
// it searched unpacks it.
//
// # Bounds
//
// What is unpacked counts in document.Limits (256 MiB for a file with everything in it, four files within
// files). Where that ends, what came before stays; an archive with nothing before it is document.ErrBounds, one in which
// everything wants a password is document.ErrEncrypted.
//
// # What is left out
//
// xz, 7-Zip and RAR are not read, nor members of a zip that are packed by LZMA, XZ or Deflate64. Files that are zips by construction (.jar, .apk, .whl, office files) are taken by
// their extension and are not this package's.
package archive
