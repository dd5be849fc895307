package registry

import "dowse/models"

// Model is a model that is known or installed.
type Model struct {
	Name      string
	Role      string
	License   string
	Source    string
	Bytes     int64           // of its files
	Rows      *models.RowPack // by which it is swapped; nil where it is not
	Distilled float64         // share of inputs that it was taught to do without; 0 for none
	Installed bool
	Problem   error // why one that is there cannot be used
	InUse     bool
	Published models.Published // of an embedder
}

// Models lists the catalogue and what else is installed.
func (r *Registry) Models() ([]Model, error) {
	var list []Model
	at := map[string]int{}
	for _, e := range models.Catalogue() {
		at[e.Name] = len(list)
		info := Model{Name: e.Name, Role: string(e.Role), License: e.Licence, Source: e.Repository, Bytes: e.Size}
		if e.Bundled { // unpacked when it is wanted
			info.Source, info.Problem = bundledSource(e)
			info.Installed = info.Problem == nil && (e.Base == "" || models.Bundled(e.Base) || r.hasPack(e.Base))
		}
		list = append(list, info)
	}
	installed, err := models.Installed(r.Home.Caches()...)
	if err != nil {
		return nil, err
	}
	for _, m := range installed {
		i, known := at[m.Name]
		if !known {
			i = len(list)
			list = append(list, Model{Name: m.Name, Role: string(m.Role()), License: "not stated", Source: SourceOf(m)})
		}
		list[i].Installed, list[i].Problem = m.Problem == nil, m.Problem
		list[i].Bytes, list[i].Distilled = m.Size, m.Config.Distilled
		if m.Problem == nil {
			list[i].Rows, list[i].Problem = m.RowPack()
			list[i].Installed = list[i].Problem == nil
		}
	}
	for i, m := range list {
		if m.Role == string(models.Embedder) {
			list[i].Published = models.PublishedOf(m.Name, m.Source)
		}
		chosen := list[i].Name == r.Config.Model || list[i].Name == r.Config.Folders.Model || list[i].Name == r.Config.Reranker || list[i].Name == r.Answerer() || list[i].Name == models.DefaultReader
		list[i].InUse = list[i].Installed && chosen
	}
	return list, nil
}

// SourceOf describes where an installed model came from, or a job's base and prompt.
func SourceOf(m models.Installation) string {
	source := "local"
	if m.Origin != nil {
		source = m.Origin.String()
	}
	if m.Job == nil {
		return source
	}
	if m.Job.Base != "" {
		source = "on " + m.Job.Base
	}
	if m.Adapter != "" {
		source += " with an adapter"
	}
	return source + ", " + m.Job.String()
}

// bundledSource describes the base and the prompt of a model that the program carries.
func bundledSource(e models.Entry) (string, error) {
	const source = "part of dowse"
	purpose, err := models.BundledPurpose(e.Name)
	if err != nil || purpose == nil {
		return source, err
	}
	return source + ", on " + e.Base + ", " + purpose.String(), nil
}
