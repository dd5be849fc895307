package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
)

// component is a module in a bill of materials.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Ref     string `json:"bom-ref"`
}

func componentOf(kind, path, version string) component {
	purl := fmt.Sprintf("pkg:golang/%s@%s", path, version)
	return component{kind, path, version, purl, purl}
}

// bill writes the modules that the program was linked from, as the program says itself, as CycloneDX 1.6.
func (r *release) bill(b build) error {
	info, err := buildinfo.ReadFile(b.path)
	if err != nil {
		return err
	}
	components := []component{componentOf("library", "stdlib", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		components = append(components, moduleOf(m))
	}
	data, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"timestamp": r.time.Format("2006-01-02T15:04:05Z"), "component": componentOf("application", "dowse", r.version.semver)},
		"components": components,
	}, "", " ")
	if err != nil {
		return err
	}
	return r.write(r.name(b)+".cdx.json", append(data, '\n'))
}

// moduleOf is the module that was linked: what replaces it, where something does.
func moduleOf(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	return componentOf("library", m.Path, m.Version)
}
