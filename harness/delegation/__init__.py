"""Handing out work by contract (seed document 003): task orders, context cards, checks, the validation ring."""
