// Package memory holds what is too large for the Go heap and counts it.
//
// # Basics
//
// A [Ledger] records every byte held, in named pools. Whoever takes memory
// grows a pool, whoever gives it back shrinks it, and the ledger remembers the
// peak of each pool; tests assert on those peaks, and people see them drawn.
//
// An [Arbiter] lends one budget to models that take turns. Each holds a [Lease], which
// it gives up when it is idle and another one needs the room, so that the peak is that
// of the largest phase. Over the sample notes, index, search, rerank and answer held 42
// of 64 MB, 79 of 128, 125 of 256 and of 1,024 (go test ./internal/app -run
// TestLedgerKeepsToTheBudget -v). With the language model that verifies, the ledger of a
// watcher had 133 MB of 256 afterwards, where it had 266 before there were leases; in 128
// MB that model is left out with a sentence.
//
// The budget may change while holders work ([Arbiter.SetBudget]). An elastic lease is
// one whose holder keeps a cache, such as layers of a model that is read from the disk:
// it shrinks at once, or before its next layer, and grows again when there is room. Only
// then do idle holders give theirs up. A holder at work that is not elastic does so when
// it is idle.
//
// A [Limiter] changes the budget by halves. A person and the system each halve and
// restore on their own, so that neither gives back what the other took. Only what is
// shared is halved, down to a sixteenth.
//
// A [Buffer] is anonymous memory outside the Go heap, aligned to pages. The
// garbage collector neither scans nor moves it, native libraries may keep
// pointers into it, and what is freed returns to the system at once.
//
// # Invariants
//
//   - Bytes of a pool are never negative; shrinking below zero panics, because
//     it means that something was freed twice.
//   - A Buffer is charged from its creation to Free.
//   - A nil *Ledger is valid and counts nothing. A nil *Arbiter lends any number of
//     bytes.
//   - What is reserved and what is lent never exceeds the budget, but for a lease of
//     one byte where nothing is left: no model fits in that, and says so; and after the
//     budget has shrunk, until holders at work have followed.
//
// # Caveats
//
// Views of a Buffer dangle after Free: reading them then is a crash, not an
// error. Keep the owner beside the views. The ledger counts what was asked for;
// [RSS] is what the system says is resident, which is less for memory that has
// not been touched and more for what the Go runtime holds.
//
// On systems other than Unix a Buffer lies on the Go heap, with the same
// interface and the same charges.
package memory
