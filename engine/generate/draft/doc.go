// Package draft guesses the tokens that a language model will write next, so
// that one pass of the model verifies several (retrieval-based speculative
// decoding). It has no model of its own: what an answer over passages says mostly
// stands in them, in past answers, or in what the model would have written at
// places of the prompt. Guesses change how fast an answer comes and nothing else.
//
// # Basics
//
// A Drafter follows one answer at a time:
//
//	d := draft.NewDrafter(draft.Full())
//	d.Begin(prompt)
//	d.Observe(place, candidates)          // for places of the prompt: calibration
//	for !done {
//		tree := d.Propose(root, limit)    // root: the token emitted last
//		predictions := ...                // the model's token after each node
//		path := tree.Walk(predictions)    // the nodes accepted
//		d.Accept(path, predictions)
//		d.Took(tree.Len(), seconds)       // of the pass
//		root = predictions[path[len(path)-1]]
//	}
//
// Every emitted token is told once, as root or as an accepted node. Candidates
// of places in the answer may be observed too, once Accept was called: their
// logits are there for free. After the answer, History.Add keeps it.
//
// # What is drafted from
//
//   - Automaton: suffix automata find the longest suffix of prompt and answer
//     that occurs earlier, there and in past answers (SAM-Decoding), and its
//     shorter suffixes. With Options.Branches all that followed is weighed by how
//     often it did (as in REST), without it the first occurrence alone is
//     followed: the plain suffix automaton of the comparison.
//   - Calibration: the most probable successors at places of the prompt, by the
//     model's own logits, chained (CoordGen).
//   - Reuse: runs of a rejected draft that the model agreed with although they
//     came after a wrong token (CoordGen), and the text from where the answer
//     left it, which needs no predictions.
//   - Lookup: prompt lookup, the baseline.
//
// The draft is grown best first: all sources offer tokens after a node, a token
// that several offer is one node, and the most probable path becomes the next
// node. Its probability is the product of what Counters learned of tokens with
// the same evidence (source, length of the match, share of the cases), each a
// Beta distribution that begins with priors from replays of recorded answers;
// siblings add up to no more than certainty. How far these probabilities hold in
// the text at hand, by source and depth, is learned within some ten steps: an
// answer that copies nothing soon drafts next to nothing. Budget then cuts the
// tree where a row costs more than it brings on this machine, by a profile that
// is corrected by what passes turn out to take (Took).
//
// # Invariants
//
//   - A tree holds the root first, parents before children, siblings that differ,
//     no token of Options.Stop, and at most as many nodes as asked for and as
//     Budget allows.
//   - The nodes are in descending order of estimated probability.
//   - The same calls give the same trees: nothing is random, and what passes took
//     is known by Took alone.
//   - A history takes at most its limit of tokens. What was erased is in no
//     automaton and in no log.
//
// # Sizes
//
// An automaton holds 24 bytes a state (at most 2 a token), 16 an edge (at most 3
// a token) and a table of 4 to 8 bytes an edge: about 100 a token of prose, 20
// MiB for a full history of 200,000 tokens, which takes 0.1 s to build.
// Calibration takes 28 bytes a token and two maps.
//
// # Caveats
//
//   - Token ids mean something to one tokenizer only: a history is opened for a
//     model, and text that should match must be tokenised as it stands in the
//     prompt (a word after a space has another id than the same word alone).
//   - The priors of Reuse's runs are guesses: recordings do not tell what a model
//     predicted after a wrong token. They are soon outweighed by what is learned.
//   - Counters learn from every step of whatever is answered; they are not kept
//     on disk.
//   - History is private data. Logs have mode 0600 in a folder of mode 0700; a
//     folder serves one open History at a time.
//   - Automaton.Count is too low for short suffixes of texts that repeat one
//     piece hundreds of times.
package draft
