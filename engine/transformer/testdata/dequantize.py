"""Writes the folder that smollm2.py wants.

    python dequantize.py MODEL.GGUF FOLDER        (transformers 5.23.0, torch 2.13.0, gguf 0.19.0)

FOLDER is then a Hugging Face folder with the weights of the GGUF file, which may
be in four bits, as float32.
"""

import pathlib
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

source, folder = pathlib.Path(sys.argv[1]), sys.argv[2]
file = {"gguf_file": source.name}
AutoTokenizer.from_pretrained(source.parent, **file).save_pretrained(folder)
read = AutoModelForCausalLM.from_pretrained(source.parent, dtype=torch.float32, **file)
config = read.config
if hasattr(config, "quantization_config"):  # what is said of the file is not true of its copy
    del config.quantization_config
copy = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
copy.load_state_dict(read.state_dict())
copy.save_pretrained(folder)
