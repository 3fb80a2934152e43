"""Sentences of clinical notes in English, Spanish, German and French, as the service splits them."""

from __future__ import annotations

import unicodedata
from typing import List, Optional, Sequence

from .abbreviations import (
    ABBREVIATIONS,
    CLOSING_ABBREVIATIONS,
    DOTTED_ABBREVIATIONS,
    GERMAN_BEFORE_ORDINALS,
    GERMAN_MONTHS,
    NUMBER_ABBREVIATIONS,
    SENTENCE_STARTERS,
)
from .tokeniser import Token

#: No sentence is longer, in tokens.
MAX_SENTENCE_TOKENS = 128
#: A line this long, in UTF-16 units, may have been broken by an editor rather than by its author.
_WRAPPED_LINE_LENGTH = 55
#: A label before a colon is at most this long, in tokens.
_MAX_LABEL_TOKENS = 8

_TERMINALS = frozenset(".!?…。")
_CLOSERS = frozenset("\"'”’»“)]")
_LINE_TERMINALS = _TERMINALS | frozenset(":;")
_BULLETS = frozenset("-–—*+•·●▪■○◦‣►✓>")
_NEVER_ANEW = frozenset(",;:)]»%/=")
_IN_LABELS = frozenset("/()'’º°&#-")
_CLAUSE_ENDS = frozenset(";:,.")


def split_sentences(text: str, tokens: Sequence[Token]) -> List[List[Token]]:
    """The sentences of a text, as runs of its tokens in order: split after terminal punctuation unless it
    belongs to an abbreviation, an initial or a number; at blank lines; at line breaks before form fields and
    list items and after lines that are too short to have been wrapped."""
    sentences: List[List[Token]] = []
    first = line_first = 0
    for at in range(len(tokens)):
        breaks = _line_breaks_after(text, tokens, at)
        if _ends_sentence(text, tokens, at, line_first, breaks):
            _push_capped(sentences, tokens, first, at + 1)
            first = at + 1
        if breaks > 0:
            line_first = at + 1
    return sentences


def _line_breaks_after(text: str, tokens: Sequence[Token], at: int) -> int:
    start = tokens[at].end
    stop = tokens[at + 1].start if at + 1 < len(tokens) else start
    breaks = 0
    for index in range(start, stop):
        character = text[index]
        if character in "\n\f\x85\u2028":
            breaks += 1
        elif character == "\r" and text[index + 1 : index + 2] != "\n":
            breaks += 1
        elif character == "\u2029":
            breaks += 2
    return breaks


def _ends_sentence(
    text: str, tokens: Sequence[Token], at: int, line_first: int, breaks: int
) -> bool:
    if at == len(tokens) - 1 or breaks > 1:
        return True
    if breaks == 1:
        return _ends_line(text, tokens, at, line_first)
    return _ends_within_line(tokens, at, line_first)


def _ends_line(text: str, tokens: Sequence[Token], at: int, line_first: int) -> bool:
    token, following = tokens[at], tokens[at + 1]
    if _starts_list_item(tokens, at + 1) or _starts_form_field(tokens, at + 1):
        return True
    if token.text == "." and _is_abbreviation(tokens, at):
        return False
    if token.text in _LINE_TERMINALS or _is_terminal_behind_closers(tokens, at):
        return True
    if _starts_lower(following.text):
        return False
    return utf16_length(text[tokens[line_first].start : token.end]) < _WRAPPED_LINE_LENGTH


def _ends_within_line(tokens: Sequence[Token], at: int, line_first: int) -> bool:
    token, following = tokens[at], tokens[at + 1]
    if following.start == token.end:
        return False
    if token.text not in _TERMINALS:
        return _is_terminal_behind_closers(tokens, at) and _starts_anew(following)
    if not _starts_anew(following):
        return False
    if token.text != ".":
        return True
    is_list_marker = at == line_first + 1 and _is_list_number(tokens, line_first)
    return not is_list_marker and not _is_abbreviation(tokens, at)


def _is_terminal_behind_closers(tokens: Sequence[Token], at: int) -> bool:
    """Whether up to two quotes or brackets end here, directly behind terminal punctuation."""
    for index in (at, at - 1):
        if index <= 0:
            return False
        closer, before = tokens[index], tokens[index - 1]
        # French puts a space before its closing quotes.
        is_behind = before.end == closer.start or closer.text == "»"
        if closer.text not in _CLOSERS or not is_behind:
            return False
        if before.text in _TERMINALS:
            return before.text != "." or not _is_abbreviation(tokens, index - 1)
    return False


def _starts_lower(word: str) -> bool:
    return word[:1].islower()


def _starts_anew(following: Token) -> bool:
    word = following.text
    return not _starts_lower(word) and word not in _TERMINALS and word[0] not in _NEVER_ANEW


def _is_abbreviation(tokens: Sequence[Token], at: int) -> bool:
    """Whether the full stop at ``at`` is part of the word, number or "C/." before it."""
    stop, word, following = tokens[at], _token(tokens, at - 1), _token(tokens, at + 1)
    if word is None or following is None or word.end < stop.start:
        return False
    lower = word.text.lower()
    if word.text == "/":
        return True
    if _is_digits(word.text, 4) and _starts_with_digit(following.text):
        return True
    if _is_digits(word.text, 2):
        return _is_german_ordinal(_token(tokens, at - 2), following)
    if utf16_length(word.text) == 1:
        return _is_initial(tokens, at - 1, following)
    if word.text in ABBREVIATIONS or lower in ABBREVIATIONS:
        return True
    is_numbered = lower in NUMBER_ABBREVIATIONS or lower.endswith("str")
    return is_numbered and _starts_with_digit(following.text)


def _is_german_ordinal(before: Optional[Token], following: Token) -> bool:
    """ "3. Mai", "die 2. Operation"."""
    word = following.text.lower()
    if word in GERMAN_MONTHS:
        return True
    return (
        before is not None
        and before.text.lower() in GERMAN_BEFORE_ORDINALS
        and word not in SENTENCE_STARTERS
    )


def _is_initial(tokens: Sequence[Token], at: int, following: Token) -> bool:
    """A letter with a full stop: "J." of a name, the last of "e.g.", "p." before a page number."""
    letter = tokens[at].text
    if _is_dotted(letter + following.text):
        return True
    before, first = _token(tokens, at - 1), _token(tokens, at - 2)
    letters = ""
    if before is not None and before.text == ".":
        letters = (first.text if first else "") + letter
    if letters.lower() in CLOSING_ABBREVIATIONS:
        return _starts_lower(following.text)
    if _is_dotted(letters):
        return True
    if letter in NUMBER_ABBREVIATIONS and _starts_with_digit(following.text):
        return True
    if unicodedata.category(letter) != "Lu":
        return False
    return (
        unicodedata.category(following.text[0]) == "Lu"
        and following.text.lower() not in SENTENCE_STARTERS
    )


def _is_dotted(letters: str) -> bool:
    """Whether letters that each had a full stop form an abbreviation ("z. B.", "p. ej.")."""
    lower = letters.lower()
    return lower in ABBREVIATIONS or lower in DOTTED_ABBREVIATIONS


def _starts_list_item(tokens: Sequence[Token], index: int) -> bool:
    marker, following = _token(tokens, index), _token(tokens, index + 1)
    if marker is None or following is None:
        return False
    if marker.text in _BULLETS:
        return not _starts_with_digit(following.text) or following.start > marker.end
    return _is_list_number(tokens, index)


def _is_list_number(tokens: Sequence[Token], index: int) -> bool:
    """Whether "1." or "a)" stands at ``index``, followed by white space."""
    number, mark, following = (_token(tokens, index + step) for step in range(3))
    if number is None or mark is None or following is None:
        return False
    if mark.start > number.end or following.start == mark.end:
        return False
    if _is_digits(number.text, 3):
        return mark.text in (".", ")")
    is_letter = len(number.text) == 1 and unicodedata.category(number.text).startswith("L")
    return is_letter and mark.text == ")"


def _starts_form_field(tokens: Sequence[Token], index: int) -> bool:
    """Whether a form label starts at ``index`` ("Nombre:", "Record date:")."""
    first = _token(tokens, index)
    if first is None or unicodedata.category(first.text[0]) not in ("Lu", "Lt"):
        return False
    for token in tokens[index + 1 : index + 1 + _MAX_LABEL_TOKENS]:
        if token.text == ":":
            return True
        start = token.text[0]
        if not (unicodedata.category(start).startswith("L") or start in _IN_LABELS):
            return False
    return False


def _push_capped(
    sentences: List[List[Token]], tokens: Sequence[Token], start: int, stop: int
) -> None:
    """Adds tokens ``[start, stop)`` as one sentence, or as several of at most the cap."""
    first = start
    while stop - first > MAX_SENTENCE_TOKENS:
        cut = _clean_cut(tokens, first)
        sentences.append(list(tokens[first:cut]))
        first = cut
    sentences.append(list(tokens[first:stop]))


def _clean_cut(tokens: Sequence[Token], first: int) -> int:
    """Where to cut an overlong run: after its last clause, else at white space, else at the cap."""
    cap = first + MAX_SENTENCE_TOKENS
    space = 0
    for cut in range(cap, first + MAX_SENTENCE_TOKENS // 2, -1):
        before = tokens[cut - 1]
        if before.end == tokens[cut].start:
            continue
        if before.text in _CLAUSE_ENDS:
            return cut
        space = space or cut
    return space or cap


def _token(tokens: Sequence[Token], index: int) -> Optional[Token]:
    return tokens[index] if 0 <= index < len(tokens) else None


def _is_digits(word: str, most: int) -> bool:
    return 1 <= len(word) <= most and all(unicodedata.category(each) == "Nd" for each in word)


def _starts_with_digit(word: str) -> bool:
    return unicodedata.category(word[0]) == "Nd"


def utf16_length(text: str) -> int:
    """How long ECMAScript says that a text is."""
    return len(text) + sum(character > "\uffff" for character in text)
