"""What the suites share whose answers are Python functions that tests are run on."""
