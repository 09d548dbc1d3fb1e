"""Running code that a model wrote: confined by the kernel, and judged by tests that it cannot reach."""
