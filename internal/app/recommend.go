package app

import (
	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/internal/registry"
	"dowse/models"
)

// Recommendation is a model of the catalogue that would write better answers
// than what is installed, and fits this machine.
type Recommendation struct {
	registry.Model
	Download int64   // bytes
	Seconds  float64 // of a usual answer; 0: unknown
}

// Recommend returns the largest recommended model that fits memory and disk;
// nil where none does, or where as large a one is installed.
func (a *App) Recommend(list []registry.Model, forecasts map[string]ModelForecast) *Recommendation {
	largest := int64(0)
	known := map[string]registry.Model{}
	for _, m := range list {
		known[m.Name] = m
		if m.Installed && m.Role == string(models.Answerer) {
			largest = max(largest, m.Bytes)
		}
	}
	free := freeBytes(a.Home.Caches()[0])
	for _, name := range models.Recommended() {
		m, ok := known[name]
		if !ok || m.Bytes <= largest {
			return nil
		}
		r := Recommendation{m, downloadBytes(name), secondsOf(m, list, forecasts)}
		if fitsMemory(m.Bytes, a.MemoryBudget()) && (free == 0 || r.Download+m.Bytes <= free) {
			return &r
		}
	}
	return nil
}

// fitsMemory reports whether a model is resident beside keys and values, which
// take less than an eighth of the weights, and beside an index's own.
func fitsMemory(bytes, budget int64) bool {
	return budget == 0 || bytes+bytes/8+2*local.Beside <= budget
}

func downloadBytes(name string) (bytes int64) {
	e, _ := models.Lookup(name)
	for _, f := range e.Files {
		bytes += f.Size
	}
	return bytes
}

// leastReference is the least bytes of a model that tells how fast a large one
// is: an adapter's are not its model's.
const leastReference = 64 << 20

// secondsOf is how long a resident model takes for a usual answer, by the bytes
// of weights that the largest installed one computes in that time.
func secondsOf(m registry.Model, list []registry.Model, forecasts map[string]ModelForecast) float64 {
	seconds, reference := 0.0, int64(leastReference)
	for _, installed := range list {
		f, ok := forecasts[installed.Name]
		if took := f.Seconds(UsualPrompt, UsualAnswer); ok && f.Way == engine.Resident && took > 0 && installed.Bytes >= reference {
			reference = installed.Bytes
			seconds = took * float64(m.Bytes) / float64(reference)
		}
	}
	return seconds
}
