"""Which words a PHI word may become: itself and its closest words by cosine; a number any number of the matrix."""

import numpy as np
import torch

from corpus import CONTENT, DIGITS


class Neighbours:
    """Lists [n, N] of words that move and are no numbers, by `row_of`; −1 where a word does not move, −2 of a number."""

    def __init__(self, vocabulary, matrix_rows, count, words):
        kinds = vocabulary.words.kinds
        self.numbers = torch.from_numpy(np.flatnonzero(kinds[:matrix_rows] == DIGITS)).to(vocabulary.device)
        words = np.unique(words)
        moving = words[kinds[words] == CONTENT]
        unit = torch.nn.functional.normalize(vocabulary.vectors, dim=1)
        lists = []
        for start in range(0, len(moving), 1024):
            own = torch.from_numpy(moving[start : start + 1024]).to(vocabulary.device)
            cosines = unit[own] @ unit[:matrix_rows].T
            in_matrix = own < matrix_rows
            cosines[in_matrix.nonzero().squeeze(1), own[in_matrix]] = -2
            closest = cosines.topk(count - 1, 1).indices
            lists.append(torch.cat([own[:, None], closest], 1))
        self.lists = torch.cat(lists)
        row_of = np.full(len(kinds), -1, np.int64)
        row_of[moving] = np.arange(len(moving))
        row_of[kinds == DIGITS] = -2
        self.row_of = torch.from_numpy(row_of).to(vocabulary.device)

    def draw(self, words):
        """One of the candidates of each word, all as likely, [n]."""
        rows = self.row_of[words]
        column = torch.randint(self.lists.shape[1], rows.shape, device=rows.device)
        moved = self.lists[rows.clamp_min(0), column]
        number = self.numbers[torch.randint(len(self.numbers), rows.shape, device=rows.device)]
        return torch.where(rows == -2, number, torch.where(rows < 0, words, moved))


def agreement(neighbours, expected):
    """Share of the candidates that another implementation has as well."""
    shares = []
    for line in expected:
        row = int(neighbours.row_of[int(line[0])])
        own = set(neighbours.lists[row].tolist()) if row >= 0 else set()
        shares.append(len(own & set(line.tolist())) / len(line))
    return float(np.mean(shares))
