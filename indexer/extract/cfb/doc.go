// Package cfb reads compound files ([MS-CFB]), in which Office kept its documents before 2007 and Outlook keeps messages:
// storages, as folders, and streams, as files.
//
//	file, err := cfb.Open(data)
//	...
//	text := file.Root().Stream("WordDocument") // nil if it is missing
//
// # Damage
//
// What can be read is: a chain of sectors ends where it leaves the file, comes back to itself or is longer than the file, a
// directory at the first entry that it has seen already. Only a file whose first sector or root is missing is refused. All streams that are
// read of a file have together twice its bytes at most, however their chains cross.
//
// github.com/richardlehane/mscfb v1.0.9 was tried: it keeps the whole path of each entry, so that a file of 1.3 MB with storages within storages takes
// 800 MiB, and it reads the table of sectors four bytes at a time.
package cfb
