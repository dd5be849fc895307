// Package hosts asks dowse on other machines, each through a command such as ssh that runs dowse serve --stdio there.
//
//	hosts, err := hosts.Named(settings, []string{"larch", "elm"})
//	result, err := hosts.Search(ctx, own, request, tell)
//
// A machine ranks what it has. Scores of one are not those of another, since each counts words in its own
// files: several rankings are merged by their ranks, and that is said. Paths get the name of the machine in front,
// larch:/home/ann/a.md, which is no path here.
//
// # Invariants
//
//   - One machine alone gives the ranking that it has, to the bit.
//   - A machine that has not answered after 300 ms is named; one that says nothing for some seconds, ends, or sends
//     what dowse does not, is named and left out. Others wait for it no longer than that.
//   - What a machine sends is bounded in length and number, has no control characters, and places in it are
//     places of the text that they are of.
//   - No text is sent but the query, and none comes but that of the passages that are asked for.
package hosts
