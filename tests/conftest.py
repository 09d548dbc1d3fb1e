"""Signals as a terminal would leave them: whoever started the tests may ignore some, and children inherit that."""

import signal

from hypothesis import settings

for _signal, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, _usual)

# A first example may have to load a tokeniser; pytest-timeout bounds every test.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
