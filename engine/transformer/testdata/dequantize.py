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
AutoModelForCausalLM.from_pretrained(source.parent, dtype=torch.float32, **file).save_pretrained(folder)
