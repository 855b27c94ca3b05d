"""Everything that reads or writes for the rules of Karuba: logs, judging, text, JSON, decks and players.

>>> import io
>>> from karuba_adapters import validate, write_log
>>> from karuba_core import Layout, Pair, Setup, preset, start
>>> layout = Layout(blue=Pair(10, 60), brown=Pair(50, 70), purple=Pair(70, 90), yellow=Pair(100, 30))
>>> stream = io.BytesIO()
>>> write_log(start(Setup(("ana", "ben"), "ana", layout, preset("official", 2))).events, stream, sealed=True)
>>> _ = stream.seek(0)
>>> [(report.verdict, report.records) for report in validate(stream)]
[('incomplete', 2)]
"""

from karuba_adapters.codec import Message, Seal, decode, encode
from karuba_adapters.findings import Finding, Report, chosen, finding_line, report_json
from karuba_adapters.judging import Right, require, unread, validate, validate_file
from karuba_adapters.limits import Limits
from karuba_adapters.log_files import Record, Unreadable, read_events, read_records
from karuba_adapters.log_writing import LogWriter, write_log
from karuba_adapters.records import Fault, ShapeFault
from karuba_adapters.state_json import state_json
from karuba_adapters.strict_json import TextFault

__all__ = [
    "Fault",
    "Finding",
    "Limits",
    "LogWriter",
    "Message",
    "Record",
    "Report",
    "Right",
    "Seal",
    "ShapeFault",
    "TextFault",
    "Unreadable",
    "chosen",
    "decode",
    "encode",
    "finding_line",
    "read_events",
    "read_records",
    "report_json",
    "require",
    "state_json",
    "unread",
    "validate",
    "validate_file",
    "write_log",
]
