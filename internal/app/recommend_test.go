package app

import (
	"testing"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/internal/registry"
	"dowse/models"
)

// Every recommended model is in the catalogue, the largest first.
func TestRecommendedAreKnown(t *testing.T) {
	last := int64(1 << 40)
	for _, name := range models.Recommended() {
		e, ok := models.Lookup(name)
		if !ok || e.Role != models.Answerer || e.Size >= last || downloadBytes(name) < e.Size {
			t.Errorf("%s: %+v, %d bytes to download", name, e, downloadBytes(name))
		}
		last = e.Size
	}
}

// What is recommended fits, and is larger than all that is installed; its time
// follows from the largest installed one.
func TestRecommend(t *testing.T) {
	small := registry.Model{Name: "small", Role: string(models.Answerer), Installed: true, Bytes: 156_000_000}
	adapter := registry.Model{Name: "adapter", Role: string(models.Answerer), Installed: true, Bytes: 9_000_000}
	large := registry.Model{Name: "large", Role: string(models.Answerer), Installed: true, Bytes: 1_800_000_000}
	seconds := func(of float64) ModelForecast {
		return ModelForecast{Forecast: local.Forecast{Way: engine.Resident, Written: of / 80, Prompt: of / 1200}}
	}
	forecasts := map[string]ModelForecast{"small": seconds(0.5), "adapter": seconds(7)}
	for name, c := range map[string]struct {
		memory    int64
		installed []registry.Model
		want      string
		seconds   float64
	}{
		"plenty":         {8 << 30, []registry.Model{small, adapter}, "Qwen2.5-1.5B-Instruct", 5},
		"less":           {1 << 30, []registry.Model{small, adapter}, "Qwen2.5-0.5B-Instruct", 0.5 * 510 / 156},
		"little":         {256 << 20, []registry.Model{small, adapter}, "", 0},
		"nothing known":  {8 << 30, []registry.Model{adapter}, "Qwen2.5-1.5B-Instruct", 0},
		"one is there":   {8 << 30, []registry.Model{small, large}, "", 0},
		"none installed": {8 << 30, nil, "Qwen2.5-1.5B-Instruct", 0},
	} {
		a := &App{}
		a.Home, a.Config = home.Home{Cache: t.TempDir()}, config.Config{Memory: c.memory}
		list := c.installed
		for _, e := range models.Catalogue() {
			list = append(list, registry.Model{Name: e.Name, Role: string(e.Role), Bytes: e.Size})
		}
		r := a.Recommend(list, forecasts)
		switch {
		case r == nil && c.want != "", r != nil && r.Name != c.want:
			t.Errorf("%s: %+v, want %q", name, r, c.want)
		case r != nil && (r.Seconds < c.seconds*0.999 || r.Seconds > c.seconds*1.001):
			t.Errorf("%s: %v s, want %v", name, r.Seconds, c.seconds)
		}
	}
}
