"""The pages of docs/prompts: what agents of each shipped topology are told, recorded from real runs."""
