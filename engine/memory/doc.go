// Package memory keeps large data outside the Go heap, counts it, and shares one budget among its
// holders.
//
// # Parts
//
// A [Ledger] counts every byte in named pools and the peak of each; tests assert on those peaks,
// and people see them drawn.
//
// An [Arbiter] lends one budget to models that take turns. Each holds a [Lease], which it yields
// when it is idle and another one needs the room, so the peak is that of the largest phase. The
// budget may change while holders work ([Arbiter.SetBudget]). An elastic lease belongs to a
// cache, such as layers of a streamed model: it shrinks at once, or before its next layer, and
// grows again when there is room. Idle holders yield only after that; busy inelastic ones once
// they are idle.
//
// What is idle for long may be had yielded though nobody needs it ([Arbiter.Rest]).
//
// A [Limiter] halves the shared part of the budget, down to a sixteenth, for a person and for
// the system; each undoes only its own halvings.
//
// A [Buffer] is anonymous, page-aligned memory that the garbage collector neither scans nor
// moves. Native libraries may keep pointers into it, and Free returns it to the system at once.
//
// # Invariants
//
//   - Bytes of a pool are never negative; shrinking below zero panics, as a double free.
//   - A Buffer is charged from its creation to Free.
//   - A nil *Ledger counts nothing. A nil *Arbiter lends any number of bytes.
//   - Reserved and lent bytes never exceed the budget, except for a lease of one byte when nothing
//     is left, with which opening a model fails with a message; and after the budget has shrunk,
//     until busy holders have followed.
//
// # Caveats
//
// Reading a view of a freed Buffer crashes: keep the owner beside the views. The ledger counts
// requested bytes; [RSS] is the system's count of resident ones, without untouched memory and with
// the Go runtime's. On systems other than Unix a Buffer is on the Go heap.
package memory
