"""The moves between states that dealt rounds make, as a Mermaid text and as a drawing of our own."""

from __future__ import annotations

from html import escape

from trainer.compliance.separate import candidates, start
from trainer.procedure.conditions import motion_of
from trainer.procedure.load import Procedures
from trainer.procedure.model import House
from trainer.procedure.moment import Moment
from trainer.rounds.deal import first
from trainer.rounds.play import machine_of

ROUNDS = 120
Moves = dict[tuple[str, str], tuple[str, ...]]


def moves(procedures: Procedures, slug: str, rounds: int = ROUNDS) -> Moves:
    """Return the motions that led from one state to another in perfect rounds, in the order first seen."""
    machine = machine_of(procedures, slug)
    found: dict[tuple[str, str], dict[str, None]] = {}
    for script in candidates(machine, rounds, "diagram", (first,), ("plain",)):
        position = start(script, machine)
        for line in script.lines:
            before = position.state
            motion = motion_of(Moment(position, line.act))
            machine.apply(position, line.act)
            if position.state != before:
                found.setdefault((before, position.state), {})[motion] = None
    return {edge: tuple(words) for edge, words in found.items()}


def mermaid(house: House, drawn: Moves) -> str:
    """Return a Mermaid state diagram."""
    order = list(house.states)
    used = [state for state in order if any(state in edge for edge in drawn)]
    out = ["stateDiagram-v2", "    direction TB"]
    out += [f'    state "{state}" as {_id(state)}' for state in used]
    out.append(f"    [*] --> {_id(used[0])}")
    for (source, target), words in sorted(
        drawn.items(), key=lambda one: (order.index(one[0][0]), order.index(one[0][1]))
    ):
        out.append(f"    {_id(source)} --> {_id(target)}: {', '.join(words)}")
    out.append(f"    {_id('over')} --> [*]")
    return "\n".join(out)


def _id(state: str) -> str:
    return state.replace(" ", "_")


WIDE, HIGH, ACROSS, DOWN = 132, 34, 250, 92
_SIDE = {"peeked blackjack": -1, "peeked none": 1, "hit": -1, "double": -2, "split": 1, "bust": 2, "surrender": 2}
_LEVEL = ("wagers", "dealing", "opening", "peeked none", "turn", "hit", "hole", "draw", "settle", "clear", "over")
_BESIDE = {
    "peeked blackjack": "peeked none",
    "double": "hit",
    "split": "hit",
    "bust": "hit",
    "surrender": "peeked none",
}


def svg(house: House, drawn: Moves) -> str:
    """Return a drawing: states from top to bottom in the order of the round, moves as arrows with their acts."""
    places = {state: _place(state) for state in house.states if any(state in edge for edge in drawn)}
    left = min(x for x, _ in places.values()) - WIDE
    right = max(x for x, _ in places.values()) + WIDE
    height = max(y for _, y in places.values()) + HIGH + 30
    title = f"The moves of a round at {house.title}"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} 0 {right - left} {height}" role="img" '
        f'font-family="DejaVu Sans, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#444"/></marker></defs>',
        f'<rect x="{left}" y="0" width="{right - left}" height="{height}" fill="#fff"/>',
        f'<text x="{left + 12}" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
    ]
    labels: list[str] = []
    for (source, target), words in sorted(drawn.items()):
        path, label = _arrow(places, source, target, words, (target, source) in drawn)
        out.append(path)
        labels.append(label)
    out += [_box(state, at) for state, at in places.items()]
    return "\n".join([*out, *labels, "</svg>"]) + "\n"


def _place(state: str) -> tuple[int, int]:
    level = _LEVEL.index(_BESIDE.get(state, state)) if _BESIDE.get(state, state) in _LEVEL else len(_LEVEL)
    # A bust hangs lower, so that the way to it passes below the split.
    return _SIDE.get(state, 0) * ACROSS, 60 + level * DOWN + (DOWN // 2 if state == "bust" else 0)


def _box(state: str, at: tuple[int, int]) -> str:
    x, y = at
    return (
        f'<rect x="{x - WIDE // 2}" y="{y - HIGH // 2}" width="{WIDE}" height="{HIGH}" rx="8" fill="#f3efe2" stroke="#333"/>'
        f'<text x="{x}" y="{y + 5}" font-size="13" text-anchor="middle">{escape(state)}</text>'
    )


def _arrow(
    places: dict[str, tuple[int, int]], source: str, target: str, words: tuple[str, ...], both: bool
) -> tuple[str, str]:
    (ax, ay), (bx, by) = places[source], places[target]
    bend = 0
    if ax == bx and abs(by - ay) > DOWN:
        bend = 60 + abs(by - ay) // 2
    elif both:
        bend = 34
    start, end = _edge(ax, ay, bx, by), _edge(bx, by, ax, ay)
    middle_x, middle_y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    length = max(1.0, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
    control_x, control_y = middle_x + bend * (by - ay) / length, middle_y - bend * (bx - ax) / length
    told = f"{source} to {target}: {', '.join(words)}"
    path = (
        f'<path d="M{start[0]:.0f} {start[1]:.0f} Q{control_x:.0f} {control_y:.0f} {end[0]:.0f} {end[1]:.0f}" '
        f'fill="none" stroke="#777" marker-end="url(#tip)"><title>{escape(told)}</title></path>'
    )
    return path, _label((middle_x + control_x) / 2, (middle_y + control_y) / 2, words)


def _edge(ax: int, ay: int, bx: int, by: int) -> tuple[float, float]:
    """Where the line from one box to another leaves the first."""
    dx, dy = bx - ax, by - ay
    scale = min(WIDE / 2 / abs(dx) if dx else 9e9, HIGH / 2 / abs(dy) if dy else 9e9)
    return ax + dx * scale, ay + dy * scale


def _label(x: float, y: float, words: tuple[str, ...]) -> str:
    shown = list(words[:2]) + ([f"and {len(words) - 2} more"] if len(words) > 2 else [])
    lines = "".join(
        f'<tspan x="{x:.0f}" dy="{10 if index else 0}">{escape(word)}</tspan>' for index, word in enumerate(shown)
    )
    top = y - 5 * (len(shown) - 1)
    return (
        f'<text x="{x:.0f}" y="{top:.0f}" font-size="8.5" text-anchor="middle" fill="#222" stroke="#fff" '
        f'stroke-width="3" paint-order="stroke">{lines}</text>'
    )
