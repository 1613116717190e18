"""Serves a model with the server of llama.cpp until standard input ends. Arguments: the model's file, the port, the
number of context tokens, and, if the load is to be held up, the path of a pipe: the server answers "loading" until
somebody has opened that pipe for writing and closed it again."""

import os
import sys
import threading

import xllamacpp


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


model, port, context = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
threading.Thread(target=end_with_input, daemon=True).start()
parameters = xllamacpp.CommonParams()
parameters.model.path = model
parameters.hostnames = ["127.0.0.1"]
parameters.port = port
parameters.n_ctx = context
parameters.n_parallel = 1
# One thread: several wait for each other at every layer, which takes ten times as long where other programs run too.
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
if len(sys.argv) > 4:
    # The one file that is read while loading and may be empty: a cache of frequent word sequences.
    os.mkfifo(sys.argv[4])
    cache = xllamacpp.common_speculative_type.COMMON_SPECULATIVE_TYPE_NGRAM_CACHE
    parameters.speculative.types = [cache]
    parameters.speculative.ngram_cache.lookup_cache_static = sys.argv[4]
server = xllamacpp.Server(parameters)
print("ready", server.listening_address, flush=True)
threading.Event().wait()
