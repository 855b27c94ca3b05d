"""Games written down by hand, as `spec/notation.md` says: what PGN is to chess.

Each side of the notation has a module of its own, which is imported by its name:

- `turns`: `action_text(game, commands)` says what a player does, as text such as `Bl a2 b2 *`, and
  `read_action(game, player, text)` returns the commands that a text stands for, or raises a `Fault`
  whose message names the column.
- `reading`: `read_notation(stream)` yields the lines of the log of commands that a file stands for, as
  `judging.validate(stream, read=read_notation)` takes them.
- `writing`: `NotationWriter(write)` writes games, record by record.
"""
