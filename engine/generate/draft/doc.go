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
// Siblings add up to no more than certainty. How far these probabilities hold in the
// text at hand, by source and depth, is learned within some ten steps: an answer that
// copies nothing soon drafts next to nothing. Budget then cuts the tree where a row
// costs more than it brings on this machine, by a profile that is corrected by what
// passes turn out to take (Took).
//
// # What each part brings
//
// 116 answers of SmolLM2-135M to questions about personal notes, 92 of them with the
// adapter dowse-answer-30, 4262 tokens. Without a part, verifications and their time
// change by this much where rows are dear (16 cost 4.4 times one, as on two cores) and
// where they are cheap (1.9 times), and verifications where all 16 rows are always
// verified:
//
//	without                         dear         cheap        all
//	past answers                    +3%, +5%     +4%, +7%     +10%
//	the longest suffix in the text  +1%, +3%     +3%, +2%      +5%
//	calibration                     -1%,  0%     +1%, +1%      +4%
//	trust in the text at hand       +7%, +1%     +6%, +2%      +3%
//	what counters learn              0%, +1%     -2%, -2%      +2%
//	what passes turn out to take: 4 to 25% of time where the profile is off
//
// Three more parts brought less than 2% and were removed: shorter suffixes (0%, -2%, +1%
// of verifications), runs of rejected drafts, CoordGen's draft reuse (-1%, -1%), and the
// text from where the answer left it (+1%, 0%, +2%). Where rows are dear, 2409 tokens were
// accepted in 1853 verifications before, and 2433 in 1829 after, in 1% more time; where
// they are cheap, 2826 in 1436, and 2859 in 1403 in the same time.
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
