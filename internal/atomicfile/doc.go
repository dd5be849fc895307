// Package atomicfile replaces files as a whole: whoever reads one, also after a
// crash or a power cut, finds the old content or the new, never a part.
//
//   - Write and WriteFile write a temporary file beside the old one, see it to the
//     disk, rename it, and see the folder to the disk. The temporary file's name
//     ends in ".new"; nothing is left of it after an error, and only a killed
//     process leaves one behind.
//   - Rename does the latter half, for a file or folder that is complete.
//   - SyncFolder is for callers that must act between the rename and its way to
//     the disk.
//
// A link is replaced, and not the file that it leads to. Folders are not made.
package atomicfile
