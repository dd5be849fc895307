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
// (ignore.ByDefault), not what macOS adds, and none above 16 MiB but for those that their Format reads as they are unpacked: exports of
// conversations. Pictures, sounds and programs are not
// unpacked, by their names; so a caption of a picture is found in a folder and not in an archive. Of an archive with more than 1000 members beside those only names are listed, 300 of
// them: that is a release of source code or a backup, which would bury what a person wrote, and who wants
// it searched unpacks it.
//
// # Bounds
//
// What is unpacked counts in document.Limits (48 MiB and 16 bytes for each of the file, 256 MiB at most with everything in it; four
// files within files; with an export of years in it 1 GiB). Of a zip in a folder no more is held than its list of members and one of them. Where that ends, what came before stays; an archive with nothing before it is document.ErrBounds, one in which
// everything wants a password is document.ErrEncrypted.
//
// # What is left out
//
// xz, 7-Zip and RAR are not read, nor members of a zip that are packed by LZMA, XZ or Deflate64. github.com/bodgit/sevenzip
// (1.6.5) reads 7-Zip, and brings eight further modules.
//
// # What a file holds says what it is
//
// A zip, a tar and a gzip are known by their first bytes, whatever they are called: .textpack, .bear2bk, .kmz, .cbz, .mxl and
// .htmlz are archives, .gnumeric and .xopp packed files. A zip that holds the main part of a document (word/document.xml,
// META-INF/container.xml, ...) is that document. Packages of programs (.jar, .apk, .whl, .nupkg, ...; a zip with
// META-INF/MANIFEST.MF, AndroidManifest.xml or a .dist-info) stay out, and of what programs keep in files of their own, settings
// do: JSON, XML, styles. A gzip of unknown name is one if text or a tar comes out of its first bytes. Notes in Markdown do not count
// as members of which there are too many, up to 15,000.
package archive
