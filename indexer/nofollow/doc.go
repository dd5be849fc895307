// Package nofollow opens files without following symbolic links.
//
// # Basics
//
// Open opens a file or folder for reading, like os.Open, but refuses a path of
// which any part is a symbolic link:
//
//	f, err := nofollow.Open("/home/ann/notes/dns.md")
//	if errors.Is(err, nofollow.ErrLink) {
//		// dns.md, notes, ann or home is a link
//	}
//
// The paths of an index are resolved when a folder is added, so none of them
// leads through a link. One that does so later was put there since, and may
// lead to files that nobody asked to have indexed, such as the keys in ~/.ssh.
// A look before opening would not do: the link can be put there in between.
//
// # Invariants
//
//   - What is opened stands at the path itself, whoever changes folders at the
//     same time.
//   - Open never waits: not for the writer of a pipe, not for a device.
//
// # Systems
//
// Linux opens with openat2 and RESOLVE_NO_SYMLINKS. Where the kernel lacks that
// (before 5.6) or a sandbox forbids it, and on the BSDs, every folder on the way
// is opened with openat and O_NOFOLLOW; on the BSDs that takes the permission to
// list it. macOS has the flag O_NOFOLLOW_ANY. Elsewhere, as on Windows, each
// part is looked at before and after the file is opened, and it has to be the
// same file: who swaps a link in and out at the right moments can get past that.
// A junction, and a disk mounted into a folder, count as links there.
package nofollow
