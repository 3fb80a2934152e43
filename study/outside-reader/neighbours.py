"""
Which words a PHI word may become: itself and its closest words by cosine, of which the list of words holds all; without a
vector itself and made-up words; a number any number.
"""

import numpy as np
import torch

from corpus import CONTENT, DIGITS, array


class Neighbours:
    """Lists [n, N] of words that move and are no numbers, by `row_of`; −1 where a word does not move, −2 of a number."""

    def __init__(self, folder, words, count, moved, device):
        def known(name):
            return torch.from_numpy(array(folder, name).astype(np.int64)).to(device)

        self.numbers = known("numbers.i32")
        moved = np.unique(moved)
        moved = moved[words.kinds[moved] == CONTENT]
        with_vector = moved[words.trained[moved] == 0]
        without = torch.from_numpy(moved[words.trained[moved] > 0]).to(device)[:, None]
        lists = [closest_words(words, count, with_vector, device)]
        if len(without) > 0:
            lists.append(torch.cat([without, known("made-up.i32").expand(len(without), -1)], 1))
        self.lists = torch.cat(lists)
        row_of = np.full(len(words), -1, np.int64)
        row_of[self.lists[:, 0].cpu().numpy()] = np.arange(len(self.lists))
        row_of[words.kinds == DIGITS] = -2
        self.row_of = torch.from_numpy(row_of).to(device)

    def draw(self, words):
        """One of the candidates of each word, all as likely, [n]."""
        rows = self.row_of[words]
        column = torch.randint(self.lists.shape[1], rows.shape, device=rows.device)
        moved = self.lists[rows.clamp_min(0), column]
        number = self.numbers[torch.randint(len(self.numbers), rows.shape, device=rows.device)]
        return torch.where(rows == -2, number, torch.where(rows < 0, words, moved))


def closest_words(words, count, queries, device, together=256):
    """[queries, count], each itself and then those of the matrix that are closest."""
    matrix = torch.from_numpy(np.flatnonzero(words.in_matrix)).to(device)
    unit = torch.nn.functional.normalize(torch.from_numpy(words.vectors), dim=1).to(device)
    candidates = unit[matrix]
    lists = [torch.zeros((0, count), dtype=torch.int64, device=device)]
    for start in range(0, len(queries), together):
        own = torch.from_numpy(queries[start : start + together]).to(device)
        cosines = unit[own] @ candidates.T
        cosines[own[:, None] == matrix[None]] = -2
        closest = matrix[cosines.topk(count - 1, 1).indices]
        lists.append(torch.cat([own[:, None], closest], 1))
    return torch.cat(lists)


def agreement(neighbours, expected):
    """Share of the candidates that another implementation has as well."""
    shares = []
    for line in expected:
        row = int(neighbours.row_of[int(line[0])])
        own = set(neighbours.lists[row].tolist()) if row >= 0 else set()
        shares.append(len(own & set(line.tolist())) / len(line))
    return float(np.mean(shares))
