"""Games as pictures: islands, tiles and whole games as SVG; `board_svg` is where to begin."""
