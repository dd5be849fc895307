package draft

// Trials that a prior is worth: of recordings, and of calibration, whose
// recordings lack logits. With equal trials a small model drafted so much that
// it answered chats and sums at .64 to .99 of its plain speed.
const (
	recordedTrials = 60
	standInTrials  = 6
)

func priorTrials(e evidence) float32 {
	if e.source() == fromCalibration {
		return standInTrials
	}
	return recordedTrials
}

// prior returns the probability of acceptance before any verification.
func prior(e evidence) float32 { return float32(priors[e]) / 1000 }

// priors are accepted shares, in thousandths, of replayed answers of
// Mistral-7B-Instruct to the even half of recorded prompts (summaries,
// questions about passages, chats; see replay_test.go): by source, a line per
// match length, a column per share of the cases.
var priors = [evidences]uint16{
	// the longest match in the text
	19, 62, 119, 88, 219, 251, 383, 609,
	33, 73, 153, 143, 240, 247, 551, 772,
	62, 108, 173, 129, 244, 246, 656, 829,
	8, 107, 174, 129, 310, 195, 740, 843,
	26, 72, 198, 122, 189, 294, 786, 894,
	29, 52, 193, 301, 186, 208, 805, 893,
	32, 53, 138, 263, 349, 615, 852, 834,
	35, 105, 269, 187, 544, 560, 962, 910,
	// the longest match in past answers
	5, 33, 76, 56, 91, 199, 130, 243,
	8, 35, 54, 76, 120, 201, 240, 442,
	11, 38, 45, 135, 123, 251, 391, 579,
	5, 17, 79, 120, 141, 183, 526, 690,
	5, 45, 37, 122, 152, 340, 678, 692,
	29, 70, 157, 241, 240, 461, 840, 727,
	32, 96, 224, 192, 470, 537, 902, 862,
	35, 105, 245, 210, 612, 700, 983, 875,
	// calibration; the shares are probabilities
	22, 73, 222, 403, 500, 577, 635, 804,
	102, 322, 462, 666, 470, 822, 851, 942,
	96, 134, 328, 721, 621, 870, 885, 979,
	95, 188, 353, 756, 547, 878, 901, 966,
	113, 211, 364, 787, 534, 934, 940, 949,
	109, 205, 354, 780, 614, 930, 947, 823,
	100, 200, 300, 400, 500, 600, 700, 800,
	100, 200, 300, 400, 500, 600, 700, 800,
}
