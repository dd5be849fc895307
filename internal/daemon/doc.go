// Package daemon lets one process that owns the store serve others.
//
// bbolt gives a database to one process at a time. Whoever opens the store for
// writing (dowse watch, the terminal UI, dowse index) also listens on a unix
// socket that only this user may open (mode 0600 in a folder of mode 0700).
// Every other dowse finds the socket, becomes a client and so starts warm:
// weights mapped, index in memory.
//
// # Protocol
//
// One call a connection. The client sends one JSON object, a call, and a line
// feed; the server answers with a stream of JSON objects, frames: any number
// that carry an event (stages, layers, an answer as it grows), then one that carries the result or the error. A client
// that goes away cancels its call: that is how a keystroke overtakes the
// search of the one before. Both sides state the protocol version, and a
// mismatch is an error that says which process to restart.
//
// A path may be any bytes, and JSON holds text: a byte that is no part of a letter
// crosses as a character for private use (exact.go), so that names are the same at
// both ends.
//
// While it works on a call the server sends a frame without anything every
// second. A client that hears nothing for five takes the owner for stopped and
// says which process it is. A socket that is removed or replaced by a left-over
// is made anew within a second or two.
//
// Between machines the same calls go over a pipe (pipe.go), one after the other, but for those that write. The first one, peer,
// says who answers; a dowse that does not know a call says so and goes on. The version changes only when a call changes
// meaning, and both sides name which is older; what is new is an ability (engine.Peer).
//
// Server and Client are two ends of engine.Service; nothing here knows how a
// search works.
package daemon
