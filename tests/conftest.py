"""Signals as a terminal would leave them: whoever started the tests may have had them ignored, which children inherit."""

import signal

for _signal, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, _usual)
