// Package draft guesses the tokens that a language model will write next, so
// that one pass of the model verifies several (retrieval-based speculative
// decoding). It has no model of its own. What an answer over passages says mostly
// stands in them, in past answers, or in what the model would have written at
// places of the prompt. Guesses change how fast an answer comes and nothing else.
//
// # Basics
//
// A Drafter follows one answer at a time:
//
//	d := draft.NewDrafter(draft.Options{Stop: ids})
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
// Every emitted token is told once, as root or as an accepted node. After the
// answer, History.Add keeps it.
//
// # What is drafted from
//
//   - The text: a suffix automaton finds the longest suffix of prompt and answer
//     that occurs earlier (SAM-Decoding). All that followed it is weighed by how
//     often it did (as in REST).
//   - Past answers, in the same way: History.
//   - Calibration: the most probable successors at places of the prompt, by the
//     model's own logits, chained (CoordGen).
//
// The draft is grown best first: all sources offer tokens after a node, a token
// that several offer is one node, and the most probable path becomes the next
// node. Its probability is the product of what counters learned of tokens with
// the same evidence (source, length of the match, share of the cases), each a
// Beta distribution that begins with priors from replays of recorded answers.
// Siblings add up to no more than certainty. Budget then cuts the tree where a row
// costs more than it brings on this machine, by a profile that is corrected by what
// passes turn out to take (Took).
//
// # What each part brings
//
// 92 answers of SmolLM2-135M with the adapter dowse-answer-30 to questions about
// personal notes, 52 from quotations and 40 from whole notes, 1939 tokens. Without a
// part there are so many more verifications, and they take so much more time: where
// rows are dear (16 cost 4.4 times one, as on two cores), where they are cheap (1.9
// times), and with all 16 rows always verified:
//
//	without                        dear            cheap           all
//	the longest suffix in the text +45%, +37%      +64%, +51%      +72%
//	past answers                    +4%,  +5%       +6%,  +8%       +5%
//	calibration                     +1%,  +2%       +8%,  +3%       +9%
//	all that followed, not one      +0%,  +3%       +1%,  +4%       +3%
//	what counters learn             +1%,  +1%       +1%,   0%       +2%
//	the pace of the answer          -9%,  +1%       -7%,  +3%         -
//	what passes turn out to take: 4 to 25% of time where the profile is off
//
// What counters learn brings 3 to 5% of time where an answer copies nothing. Alone, the
// text needs 11 to 34% more verifications than everything, calibration 48 to 75%, past
// answers 83 to 147%.
//
// Four more parts were measured and removed: shorter suffixes (0 to 1% fewer
// verifications without them), runs of rejected drafts, CoordGen's draft reuse (1 to 2%
// fewer without), the text from where the answer left it (1% more, in the same time),
// and a second estimate of how far the counters hold (3% more to 3% fewer, in 3% less
// time). Where rows are dear, 1011 tokens were accepted in 928 verifications before, and
// 997 in 942 after, in 2% less time; where they are cheap, 1204 in 735 and 1221 in 718,
// in 2% less.
//
// # Invariants
//
//   - A tree holds the root first, parents before children, siblings that differ,
//     no token of Options.Stop, and at most as many nodes as asked for and as
//     Budget allows.
//   - The nodes are in descending order of estimated probability.
//   - The same calls give the same trees: nothing is random, and only Took depends on
//     time.
//   - A history takes at most its limit of tokens. What was erased is in no
//     automaton and in no log.
//
// # Sizes
//
// An automaton holds 20 bytes a state (at most 2 a token), 16 an edge (at most 3
// a token) and a table of 4 to 8 bytes an edge: about 95 a token of prose, 19
// MiB for a full history of 200,000 tokens, which takes 0.1 s to build.
// Calibration takes 28 bytes a token and two maps.
//
// # Caveats
//
//   - Token ids mean something to one tokenizer only: a history is opened for a
//     model, and text that should match must be tokenised as it stands in the
//     prompt (a word after a space has another id than the same word alone).
//   - Counters learn from every step of whatever is answered. They are not kept
//     on disk.
//   - History is private data. Logs have mode 0600 in a folder of mode 0700; a
//     folder serves one open History at a time.
package draft
