"""The provider's side: prompt cache, rate limit, faults and speed."""
