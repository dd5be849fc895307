package leann

import "testing"

// TestCodeBytes is T-L6's arithmetic: between its bounds the longest code is
// taken that keeps codes, table and what else a chunk takes within the budget.
func TestCodeBytes(t *testing.T) {
	rng := seeded(t, 141)
	within := 0
	for range 20_000 {
		budget, chunks := 0.01+0.1*rng.Float64(), 1+rng.IntN(300_000)
		text := int64(chunks) * int64(100+rng.IntN(2000))
		code := CodeBytes(budget, text, chunks)
		if code < minCodeBytes || code > maxCodeBytes {
			t.Fatalf("codes of %d bytes", code)
		}
		rotation := 0.0
		if chunks >= rotateChunks {
			rotation = rotationBytes
		}
		takes := func(code int) float64 {
			return rotation + float64(chunks)*(float64(code)+tableBytes+overheadBytes)
		}
		room := budget * float64(text)
		if code > minCodeBytes && takes(code) > room*(1+1e-9) {
			t.Fatalf("%d chunks of %d bytes with codes of %d take %.0f of %.0f", chunks, text, code, takes(code), room)
		}
		if code < maxCodeBytes && takes(code+1) < room*(1-1e-9) {
			t.Fatalf("%d chunks of %d bytes: codes of %d, though %d would do", chunks, text, code, code+1)
		}
		if code > minCodeBytes && code < maxCodeBytes {
			within++
		}
	}
	if within < 1000 {
		t.Errorf("only %d of the cases were between the bounds", within)
	}
	for _, tt := range []struct {
		budget float64
		text   int64
		chunks int
		want   int
	}{
		{DefaultBudget, 0, 0, minCodeBytes}, {DefaultBudget, 0, 10, minCodeBytes}, {0, 1 << 40, 10, minCodeBytes},
		{DefaultBudget, 1 << 40, 0, maxCodeBytes}, {DefaultBudget, 1 << 40, 10, maxCodeBytes}, {-1, 1 << 40, 10, minCodeBytes},
	} {
		if got := CodeBytes(tt.budget, tt.text, tt.chunks); got != tt.want {
			t.Errorf("%+v gave %d", tt, got)
		}
	}
}
