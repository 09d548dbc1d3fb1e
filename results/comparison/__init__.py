"""Teams against ``single`` and its family, on the same samples, with what the data can and cannot say."""
