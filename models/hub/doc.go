// Package hub downloads files of a repository on the Hugging Face hub.
//
// A file is asked about first (HEAD), which tells its size and a sum: the SHA-256 of
// large files, git's of others. The bytes go to NAME.incomplete, and what they are of to
// NAME.identity; a download that was broken off resumes there by a range request, if the
// hub still has that file. Only a file whose size and sum are right gets its name, by a
// rename; what is wrong is deleted, and the next download starts over.
//
// No more is written than the size that is pinned or, without one, announced; a
// server that sends on is told from one that has the file, and what came is
// dropped. A file whose size nobody says has 64 MiB.
//
// A download that brings less than 1 KiB a second for 30 s ends, and says so.
//
// The access token is sent to the hub itself and to nobody that it redirects to.
// No redirect leads from https to http, none to another repository unless the sum is
// pinned, and to another host only for bytes whose sum the hub itself said.
package hub
