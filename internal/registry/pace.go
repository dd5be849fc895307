package registry

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"dowse/engine"
	"dowse/engine/opened"
	"dowse/models"
	"dowse/models/pack"
)

// pacePassages is how many passages a run must embed for its rate to count.
const pacePassages = 256

// embedPace is how fast a run of dowse index was on this machine.
type embedPace struct {
	Fingerprint string  `json:"fingerprint"` // of the embedder
	Passages    int     `json:"passages"`
	Rate        float64 `json:"passages_per_second"` // reading and writing included
}

// paceFile is where the pace of an embedder is kept.
func (r *Registry) paceFile(fingerprint string) string {
	return filepath.Join(r.Home.Cache, "embed", fmt.Sprintf("pace-%.16s.json", fingerprint))
}

// KeepPace keeps how fast a run was. Where it cannot be kept, the next run is.
func (r *Registry) KeepPace(fingerprint string, report *engine.IndexReport) {
	if report == nil || report.Embedded < pacePassages {
		return
	}
	if data, err := json.Marshal(embedPace{fingerprint, report.Embedded, report.Rate}); err == nil {
		_ = opened.Keep(r.paceFile(fingerprint), data)
	}
}

// paceOf reads what keepPace kept; 0 where nothing was.
func (r *Registry) paceOf(fingerprint string) float64 {
	var p embedPace
	data, err := os.ReadFile(r.paceFile(fingerprint))
	if err != nil || json.Unmarshal(data, &p) != nil || p.Fingerprint != fingerprint || !(p.Rate > 0) {
		return 0
	}
	return p.Rate
}

// EmbedderCost is what an embedder costs on this machine.
type EmbedderCost struct {
	Rate     float64 // passages a second, in a run of dowse index; 0 for unknown
	Measured bool    // by such a run; otherwise told from another embedder's, by the products that a token takes
}

// EmbedderCosts returns those of the installed embedders of a list, by name.
func (r *Registry) EmbedderCosts(list []Model) map[string]EmbedderCost {
	costs, products := map[string]EmbedderCost{}, map[string]float64{}
	known := ""
	for _, m := range list {
		if !m.Installed || m.Role != string(models.Embedder) {
			continue
		}
		i, err := r.FindModel(m.Name)
		if err != nil {
			continue
		}
		products[m.Name] = productsOf(i.Config)
		sum, err := models.Fingerprint(i.Path)
		if err != nil {
			continue
		}
		if rate := r.paceOf(sum); rate > 0 {
			costs[m.Name] = EmbedderCost{rate, true}
			if products[m.Name] > 0 && (known == "" || m.InUse) {
				known = m.Name
			}
		}
	}
	for name, n := range products {
		if _, measured := costs[name]; !measured && known != "" && n > 0 {
			costs[name] = EmbedderCost{Rate: costs[known].Rate * products[known] / n}
		}
	}
	return costs
}

// productsOf is how many products a token takes in the layers of a model: those of queries, keys,
// values, the output and the two feed-forward matrices. Attention adds little for short passages.
func productsOf(c pack.Config) float64 {
	return float64(c.Layers) * (4*float64(c.Hidden)*float64(c.Hidden) + 2*float64(c.Hidden)*float64(c.Intermediate))
}
