"""The OpenAI chat protocol from the asking side: requests and answers as JSON, sent over HTTP, once each."""
