"""Text from elsewhere, made fit to be shown: names, paths and messages can hold anything."""


def printable(text: str, *, ascii_only: bool = False) -> str:
    r"""Return a text with an escape for each character that could move, hide or turn what stands round it.

    Args:
        text: Any text: control characters, line ends, marks of direction and the like get escaped.
        ascii_only: Whether to escape all but ASCII.

    >>> printable("ana\x1b[2J\u202e")
    'ana\\x1b[2J\\u202e'
    """
    if text.isprintable() and (text.isascii() or not ascii_only):
        return text
    return "".join(
        char
        if char.isprintable() and (char.isascii() or not ascii_only)
        else char.encode("unicode_escape").decode()
        for char in text
    )
