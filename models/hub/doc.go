// Package hub downloads files of a repository on the Hugging Face hub.
//
// A file is asked about first (HEAD), which tells its size and, for large
// files, its sha256. The bytes go to NAME.incomplete; a download that was broken
// off resumes there by a range request. Only a file whose size and checksum are
// right gets its name, by a rename.
//
// No more is written than the size that is pinned or, without one, announced; a
// server that sends on is told from one that has the file, and what came is
// dropped. A file whose size nobody says has 64 MiB.
//
// The access token is sent to the hub itself and to nobody that it redirects to.
// No redirect leads from https to http.
package hub
