"""Is a candidate as good as a baseline? Rules, exact comparison of simulated rows, intervals for real ones."""
