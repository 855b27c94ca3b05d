"""What many finished games come to: games as rows, their figures, and these as text, tables and a chart."""
