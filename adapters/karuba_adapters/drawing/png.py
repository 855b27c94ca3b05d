"""SVG pictures as PNG (extra `png`)."""

import resvg_py


def png(svg: str) -> bytes:
    """Return a picture as PNG, with letters from the fonts of the system.

    Args:
        svg: A picture of the theme `"light"` or `"dark"`; colours that wait for a reader are not known.
    """
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))
