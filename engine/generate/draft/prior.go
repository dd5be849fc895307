package draft

// How many trials a prior is worth: one that was recorded, and one that was
// guessed or recorded of a stand-in, as those of calibration and reuse were. With
// as many trials for those as for the others, a small model drafted so much
// that it answered chats and sums at .64 to .99 of its speed without drafts.
const (
	recordedTrials = 60
	guessedTrials  = 6
)

// priorTrials is how many trials the prior of some evidence is worth.
func priorTrials(e evidence) float32 {
	switch e.source() {
	case fromCalibration, fromReuse:
		return guessedTrials
	}
	return recordedTrials
}

// prior is the probability that a token with this evidence is accepted before
// anything was verified.
func prior(e evidence) float32 { return float32(priors[e]) / 1000 }

// priors are shares, in thousandths, that were accepted in replays of the
// answers of Mistral-7B-Instruct to the even half of recorded prompts
// (summaries, questions about passages, chats; see replay_test.go): by
// source, a line for each length of the match, a column for each share of the
// cases.
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
	// a shorter one
	6, 21, 37, 30, 54, 24, 75, 150,
	8, 26, 32, 45, 99, 65, 88, 175,
	17, 35, 47, 97, 87, 57, 100, 200,
	28, 48, 76, 52, 130, 49, 112, 225,
	5, 42, 77, 50, 102, 75, 125, 250,
	11, 15, 30, 156, 157, 56, 138, 275,
	12, 36, 149, 61, 65, 143, 150, 300,
	13, 39, 81, 69, 171, 167, 162, 325,
	// the longest match in past answers
	5, 33, 76, 56, 91, 199, 130, 243,
	8, 35, 54, 76, 120, 201, 240, 442,
	11, 38, 45, 135, 123, 251, 391, 579,
	5, 17, 79, 120, 141, 183, 526, 690,
	5, 45, 37, 122, 152, 340, 678, 692,
	29, 70, 157, 241, 240, 461, 840, 727,
	32, 96, 224, 192, 470, 537, 902, 862,
	35, 105, 245, 210, 612, 700, 983, 875,
	// a shorter one
	12, 80, 153, 186, 274, 624, 75, 968,
	18, 75, 137, 331, 248, 607, 83, 981,
	18, 92, 156, 338, 293, 599, 100, 974,
	5, 123, 144, 369, 384, 568, 112, 945,
	5, 54, 231, 295, 408, 507, 125, 957,
	11, 33, 254, 222, 437, 419, 138, 952,
	12, 36, 158, 72, 416, 373, 150, 873,
	13, 39, 91, 78, 257, 285, 162, 457,
	// calibration; the shares are probabilities
	22, 73, 222, 403, 500, 577, 635, 804,
	102, 322, 462, 666, 470, 822, 851, 942,
	96, 134, 328, 721, 621, 870, 885, 979,
	95, 188, 353, 756, 547, 878, 901, 966,
	113, 211, 364, 787, 534, 934, 940, 949,
	109, 205, 354, 780, 614, 930, 947, 823,
	100, 200, 300, 400, 500, 600, 700, 800,
	100, 200, 300, 400, 500, 600, 700, 800,
	// reuse, which no recording tells: guessed
	50, 60, 70, 80, 90, 100, 110, 120,
	130, 140, 150, 160, 170, 180, 190, 200,
	130, 140, 150, 160, 170, 180, 190, 200,
	130, 140, 150, 160, 170, 180, 190, 200,
	130, 140, 150, 160, 170, 180, 190, 200,
	130, 140, 150, 160, 170, 180, 190, 200,
	130, 140, 150, 160, 170, 180, 190, 200,
	130, 140, 150, 160, 170, 180, 190, 200,
	// the trail; a column for each number of tokens left out
	672, 16, 5, 24, 100, 100, 100, 100,
	23, 103, 23, 20, 100, 100, 100, 100,
	13, 30, 26, 15, 100, 100, 100, 100,
	13, 24, 24, 30, 100, 100, 100, 100,
	16, 14, 19, 14, 100, 100, 100, 100,
	7, 10, 11, 7, 100, 100, 100, 100,
	22, 18, 8, 16, 100, 100, 100, 100,
	100, 100, 100, 100, 100, 100, 100, 100,
}
