// Package draft guesses the next tokens of a language model, so that one pass
// verifies several (retrieval-based speculative decoding). It has no model of its
// own: answers over passages mostly stand in the passages, in past answers, or in
// what the model would have written at places of the prompt. Guesses change the
// speed of an answer alone.
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
// Every emitted token is passed once, as root or as accepted node. After the
// answer, History.Add stores it.
//
// # Sources
//
//   - The text: a suffix automaton finds the longest suffix of prompt and answer
//     that occurs earlier (SAM-Decoding); continuations count by frequency (REST).
//   - Past answers, likewise: History.
//   - Calibration: the model's likeliest successors at places of the prompt,
//     chained (CoordGen).
//
// A draft grows best first: all sources offer tokens after a node, and the most
// probable path becomes the next node. Counters learn the probability of equal
// evidence, with priors from replays; trust scales it to this text within some
// ten steps; Budget cuts the tree where a row costs more than it brings.
//
// # Invariants
//
//   - A tree holds the root first, parents before children, different siblings,
//     no token of Options.Stop, and at most the nodes asked for and of Budget.
//   - Nodes are in descending order of estimated probability.
//   - Equal calls give equal trees; only Took depends on time.
//   - A history stays within its limit. Erased answers are in no automaton or log.
//
// # Sizes and caveats
//
// An automaton takes about 95 bytes a token of prose: 19 MiB for a full history of
// 200,000 tokens, built in 0.1 s. Calibration takes 28 bytes a token and two maps.
// Token ids belong to one tokenizer, so a history belongs to a model, and text
// must be tokenised as in the prompt. Counters are not stored. History is private
// data: logs have mode 0600 in a folder of mode 0700 that serves one History.
package draft
