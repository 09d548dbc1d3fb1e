"""Documents made from a seed: what happened in a year, and the papers that tell it badly."""
