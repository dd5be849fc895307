package generatebench

import "testing"

// BenchmarkDraft is the time of a step's drafting, everything on, over real
// prompts of a thousand tokens and what else was answered.
func BenchmarkDraft(b *testing.B) {
	sets := readTraces(b)
	for _, set := range sets {
		b.Run(set.Name, func(b *testing.B) {
			ways := Ways()
			var steps, nanoseconds, prepare, answers float64
			for b.Loop() {
				r, err := Replay(b.Context(), set, ways[len(ways)-1], rows)
				if err != nil {
					b.Fatal(err)
				}
				steps += float64(r.Steps)
				answers += float64(r.Answers)
				nanoseconds += float64(r.Time.Nanoseconds())
				prepare += float64(r.Prepare.Nanoseconds())
			}
			b.ReportMetric(nanoseconds/steps/1e3, "µs/step")
			b.ReportMetric(prepare/answers/1e3, "µs/prompt")
		})
	}
}
