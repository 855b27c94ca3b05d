"""What a comparison of the model and the kernel found."""

from collections import Counter
from typing import Final

import attrs

from karuba_adapters import state_json
from karuba_core import Game
from karuba_core.wording import differences
from tests.formal import itf

_NOTED: Final = 10


@attrs.frozen
class Difference:
    """One thing that the two say differently.

    Attributes:
        state: The number of the state in its graph, or of the moment in its trace.
        what: What both were asked.
        model: What the model says.
        kernel: What the kernel says.
    """

    state: int
    what: object
    model: object
    kernel: object

    def __str__(self) -> str:
        return f"state {self.state}: {self.what}: model {self.model!r}, kernel {self.kernel!r}"


@attrs.define
class Comparison:
    """What was found so far.

    Attributes:
        counts: How many states, edges, verdicts ... were compared.
        different: How many differences there are.
        differences: The first few of them.
    """

    counts: Counter[str] = attrs.field(factory=Counter)
    different: int = 0
    differences: list[Difference] = attrs.field(factory=list)

    def expect(self, state: int, what: object, model: object, kernel: object) -> None:
        """Note a difference where the model and the kernel do not say the same."""
        if model != kernel:
            self.different += 1
            if len(self.differences) < _NOTED:
                self.differences.append(Difference(state, what, model, kernel))

    def expect_state(self, state: int, shown: object, game: Game) -> None:
        """Note where the state that the model shows is not the kernel's."""
        self.counts["states"] += 1
        model, kernel = itf.state(shown), state_json(game)
        if model != kernel:
            path, kernels, models = next(differences("$", kernel, model))
            self.expect(state, path, models, kernels)

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {what}" for what, count in self.counts.items())
        return "\n".join([f"{counts}: {self.different} differences", *map(str, self.differences)])
