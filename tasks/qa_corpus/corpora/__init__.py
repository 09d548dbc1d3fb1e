"""Where the material comes from: one module a source, all behind ``corpora.corpus.Corpus``."""
