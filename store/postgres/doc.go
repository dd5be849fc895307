// Package postgres keeps the buckets of package kv in a PostgreSQL database, for several people who
// search one index. It needs no extension and nothing of a superuser.
//
// # Tables
//
// Schema dowse has, for any number of indexes by name:
//
//	indexes  id, name, format, buckets, commit number, epoch of the writer, first commit of the log
//	records  index, bucket, key, value: one row a record, in the order of bytes, values uncompressed
//	changes  index, commit, bucket, key: what the last commits wrote, for the caches of readers
//
// # Reading
//
// A process reads through one REPEATABLE READ transaction, its snapshot, which all Views share until
// there is a newer commit. A second connection hears of that by NOTIFY; where it is lost, each View
// begins a snapshot of its own, which costs a round trip. What was read stays in memory as extents:
// ranges of keys with all their records. A new snapshot takes over those in which the changes named no
// key, so that a query after a small commit fetches little, and one without a commit nothing. A miss
// fetches what follows too, twice as much each time in a row.
//
// A snapshot that nothing used for a while ends, because the server keeps dead rows as long as it
// lives. A connection that is lost costs the View that needs it an error, unless a new one sees
// the same commit.
//
// # Writing
//
// One process writes an index. It holds an advisory lock on the connection on which it writes, so
// that the lock and the transaction end together, and its epoch stands in the row of the index. Each
// transaction locks that row and compares the epoch: a writer that lost its lock to another, or to a
// server without such locks, commits nothing.
//
// # Passwords
//
// They come from PGPASSWORD, a password file or a service file. An address that has one is refused.
package postgres
