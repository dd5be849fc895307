// Package opened keeps models open between their users.
//
// A Shared is one model of this machine. Its first user opens it, and it stays
// open for the next. Each user looks first whether the model's files are as they
// were, and opens it anew, with all checks, if not. Rest closes it. So does a model that
// needs its memory, while it has no user: what it may hold is a [memory.Lease].
//
//	model, done, err := shared.Acquire(ctx)
//	if err != nil {
//		return err // what to do about the model
//	}
//	defer done()
//
// [MeasuredDisk] knows what reads of the disk cost that a model lies on, from a measurement
// that is kept; by it [SwapPays] says whether a model that does not fit is read by rows.
//
// # Invariants
//
//   - A model is closed once, after its last user is done with it.
//   - A failure to open is not kept: the next user tries again.
//   - A user whose ctx ends waits no longer, whoever opens the model meanwhile.
package opened
