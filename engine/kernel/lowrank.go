package kernel

// LowRank is what an adapter adds to some outputs of a projection (Hu et al.,
// "LoRA: Low-Rank Adaptation of Large Language Models", 2021):
//
//	y += Scale * Up·(Down·x), in float32.
type LowRank struct {
	Inputs, Rank  int
	From, Outputs int       // the outputs From, From+1, ... of the projection
	Down          []float32 // [Rank,Inputs]
	Up            []float32 // [Rank,Outputs]: turned round, because sums over a row as short as the rank would take several times as long
	Scale         float32
}

// lowRankRows is how many rows are added to at a time, which bounds the memory
// between Down and Up.
const lowRankRows = 64

// AddLowRank adds to dst [rows,width] what belongs to the rows of x
// [rows,Inputs].
func (k *Kernel) AddLowRank(dst []float32, width int, x []float32, rows int, l *LowRank, s *Scratch) error {
	needLen("dst", len(dst), rows*width)
	needLen("x", len(x), rows*l.Inputs)
	needLen("Down", len(l.Down), l.Rank*l.Inputs)
	needLen("Up", len(l.Up), l.Rank*l.Outputs)
	if l.Rank == 0 || l.Outputs == 0 || l.Inputs == 0 {
		return nil
	}
	if err := s.begin(4 * min(rows, lowRankRows) * l.Rank); err != nil {
		return err
	}
	mixed := s.floats(min(rows, lowRankRows) * l.Rank)
	for rows > 0 {
		some := min(rows, lowRankRows)
		k.ops.addLowRank(dst, width, x, some, l, mixed)
		dst, x, rows = dst[some*width:], x[some*l.Inputs:], rows-some
	}
	return nil
}
