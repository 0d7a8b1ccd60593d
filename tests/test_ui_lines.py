"""Check the pictures made of plain values: widths, cuts, boxes, wrapping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.ui.lines import (
    ASCII,
    Line,
    Span,
    Style,
    ascii_text,
    beside,
    block_width,
    box,
    clean,
    clip,
    fit,
    fit_block,
    line,
    line_text,
    line_width,
    on,
    overlay,
    pad,
    restyle,
    split,
    to_text,
    width,
    wrap,
    wrap_line,
)

texts = st.text(st.sampled_from("ab ♠é漢\u0301\u200d\x1b\n\t[]│"), max_size=20)
lines = st.lists(st.builds(Span, texts, st.sampled_from(Style)), max_size=4).map(tuple)


def test_a_span_never_holds_what_could_drive_a_terminal() -> None:
    assert Span("a\x1b[31mb\x07\tc\nd\u202ee\u200df\ud800\x9b").text == "a?[31mb? c def??"
    assert clean("K♥ café") == "K♥ café"


@pytest.mark.parametrize(("text", "cells"), [("abc", 3), ("♠♥♦♣", 4), ("漢字", 4), ("e\u0301", 1), ("┌─┐", 3), ("", 0)])
def test_widths_are_counted_in_cells(text: str, cells: int) -> None:
    assert width(text) == cells


def test_a_line_is_built_of_parts() -> None:
    made = line("a", ("b", Style.CHIP), Span("c", Style.KEY), "", style=Style.DIM)
    assert made == (Span("a", Style.DIM), Span("b", Style.CHIP), Span("c", Style.KEY))


@given(lines, st.integers(0, 30))
def test_fitting_gives_exactly_the_cells(row: Line, cells: int) -> None:
    assert line_width(fit(row, cells, more="…")) == cells
    assert line_width(clip(row, cells)) <= cells


@given(lines, st.integers(0, 30))
def test_splitting_loses_no_cell(row: Line, cells: int) -> None:
    left, right = split(row, cells)
    assert line_width(left) == min(cells, line_width(row))
    assert line_width(left) + line_width(right) == line_width(row)


def test_a_wide_character_across_a_cut_becomes_blanks() -> None:
    left, right = split(line("a漢b"), 2)
    assert (line_text(left), line_text(right)) == ("a ", " b")
    assert line_text(clip(line("hello world"), 6, "…")) == "hello…"


def test_padding_and_alignment() -> None:
    assert [line_text(pad(line("ab"), 5, how)) for how in ("left", "right", "centre")] == ["ab   ", "   ab", " ab  "]


def test_blocks_stand_side_by_side() -> None:
    joined = beside([line("a"), line("bb")], [line("c")], gap=1)
    assert to_text(joined) == "a  c\nbb"
    assert {line_width(row) for row in joined} == {4}
    assert beside() == ()


def test_a_box_holds_its_body_and_title() -> None:
    made = box([line("too long for it"), line("x")], 10, 5, title="T", foot="end")
    assert to_text(made) == "┌─ T ────┐\n│too long│\n│x       │\n│        │\n└─ end ──┘"
    assert to_text(box([line("x")], 5, borders=ASCII)) == "+---+\n|x  |\n+---+"
    assert line_text(box([], 9, title="very long title")[0]) == "┌─ ver…─┐"


@given(st.lists(lines, max_size=4), st.integers(0, 12), st.integers(0, 6))
def test_a_box_has_the_size_asked_for(body: list[Line], cells: int, rows: int) -> None:
    made = box(body, cells, rows, title="title")
    assert len(made) == rows and all(line_width(row) == cells for row in made)


def test_an_overlay_covers_and_is_cut_at_the_edges() -> None:
    under = fit_block([line("......")] * 3, 6)
    assert to_text(overlay(under, [line("ab"), line("cd")], 2, 1)) == "......\n..ab..\n..cd.."
    assert to_text(overlay(under, [line("ab"), line("cd")], 5, 2)) == "......\n......\n.....ab"
    assert to_text(overlay([line("x"), ()], [line("ab")] * 2, 3, 0)) == "x  ab\n   ab"
    assert to_text(overlay(under, [line("ab"), line("cd")], -1, -1)) == "d.....\n......\n......"


def test_restyling_a_stretch_keeps_the_text() -> None:
    made = restyle(line("abc"), 1, 1, Style.SELECTED)
    assert made == (Span("a"), Span("b", Style.SELECTED), Span("c"))
    assert restyle((), 1, 1, Style.KEY)[-1] == Span(" ", Style.KEY)


def test_laying_on_a_ground_keeps_a_ground_given_before() -> None:
    inner = on([line("a")], Style.SELECTED)
    assert on([*inner, line("b")], Style.FELT) == ((Span("a", on=Style.SELECTED),), (Span("b", on=Style.FELT),))


def test_text_is_wrapped_at_blanks() -> None:
    assert wrap("the dealer pays the wager", 10) == ["the dealer", "pays the", "wager"]
    assert wrap("a bb\n\nc", 10, 2) == ["a bb", "", "c"]
    assert wrap("one two three", 7, 2) == ["one two", "  three"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrap("", 5) == [""] and wrap("漢漢", 1) == ["漢", "漢"]


def test_wrapping_keeps_styles() -> None:
    rows = wrap_line(line("pay ", ("three to two", Style.RULE)), 9)
    assert [line_text(row) for row in rows] == ["pay three", "to two"]
    assert rows[1] == (Span("to two", Style.RULE),)


@given(lines, st.integers(2, 12), st.integers(0, 3))
def test_wrapped_rows_fit(row: Line, cells: int, indent: int) -> None:
    rows = wrap_line(row, cells, indent)
    assert block_width(rows) <= max(cells, 2)
    assert "".join(map(line_text, rows)).replace(" ", "") == line_text(row).replace(" ", "")


@given(texts)
def test_plain_ascii_has_the_same_width(text: str) -> None:
    made = ascii_text(clean(text))
    assert made.isascii() and width(made) == width(text)


def test_suits_and_boxes_are_readable_in_ascii() -> None:
    assert ascii_text("┌─A♠ K♥ 5♦ 9♣─┐ …") == "+-As Kh 5d 9c-+ ."
