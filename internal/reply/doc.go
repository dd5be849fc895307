// Package reply cuts what programs are told to what they can take: the lines of a passage that
// matter, as many passages as fit into a budget of bytes, and a cursor for the rest. The shell and
// the server for agents use it alike, so that one can do what the other can.
//
// A cursor needs no state: it says where to go on, and in what. It holds as long as the index
// does not change, since a search that wants more gives the same first passages.
package reply
