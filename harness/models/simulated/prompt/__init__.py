"""Reading a request: messages, inbox, questions and evidence, and what a lead finds in its own history."""
