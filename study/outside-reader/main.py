"""
Attacks representations from outside: `python3 main.py --data DIR --out DIR --minutes M`. With `--small` a few
notes and small networks, to see that everything runs.
"""

import argparse
import json
import sys
import time
import traceback
from pathlib import Path

import numpy as np
import torch

from corpus import CONTENT, Corpus, Words, array
from frequent import frequent_ranks
from likelihood import likelihood_ranks
from neighbours import Neighbours, agreement
from notes import Notes, Vocabulary, attackers_notes, inputs_of
from pairs import InputNoise, PairReader, Pairs, exact_tests, learned_tests, train_pairs
from reader import Reader, read_hidden, read_notes, train_reader
from report import Tokens, alarms, pair_rates, rates, table, whole_sentences
from representation import Representation
from settings import CONTROL_NOISE, LARGE, MEASURING, REFINEMENTS, SHARES, SMALL


class Run:
    def __init__(self, folder, out, minutes, small):
        self.began = time.time()
        self.failed = False
        self.settings = SMALL if small else LARGE
        self.deadline = self.began + 60 * minutes
        self.folder, self.out = Path(folder), Path(out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        if hasattr(torch.backends.cuda, "enable_cudnn_sdp"):
            # It would plan anew for every shape of a batch.
            torch.backends.cuda.enable_cudnn_sdp(False)
        torch.manual_seed(self.settings["seed"])
        self.index = json.loads((self.folder / "index.json").read_text())
        self.results = {"settings": {**self.settings, "device": self.name(), "torch": torch.__version__}}
        self.waiting = dict(SHARES)

    def name(self):
        return torch.cuda.get_device_name() if self.device.type == "cuda" else "CPU"

    def log(self, line):
        print(f"{time.time() - self.began:6.0f} s {line}", flush=True)

    def seconds_for(self, part):
        """A share of the time that is left, less what measuring needs."""
        left = self.deadline - time.time() - sum(MEASURING[each] for each in self.waiting)
        share = self.waiting[part] / sum(self.waiting.values())
        del self.waiting[part]
        return max(2.0, left * share)

    def write(self, part, found):
        self.results[part] = found
        draft = self.out / "results.draft"
        draft.write_text(json.dumps(self.results, indent=1))
        draft.replace(self.out / "results.json")
        (self.out / "table.txt").write_text("\n".join(table(self.results)) + "\n")
        self.log(f"wrote {part}")

    def attempt(self, part, work, *arguments):
        """One part that fails takes nothing from the others."""
        try:
            return work(*arguments)
        except Exception:
            self.waiting.pop(part, None)
            self.log(f"{part} failed\n{traceback.format_exc()}")
            self.failed = True
            self.write(f"{part} failed", {"error": traceback.format_exc().splitlines()[-1]})
            if self.device.type == "cuda":
                torch.cuda.empty_cache()
            return None

    def load(self):
        most = self.settings["notes"]
        learn, choose, counted, known = attackers_notes(self.folder, self.index)
        if most:
            learn, choose = (each.only(np.arange(0, len(each), len(each) // most)[:most]) for each in (learn, choose))
        self.words = Words(self.folder)
        self.attacked = self.opened()
        seen = self.attacked[0][1].words
        # Surrogates of other copies are answers as well; how often a word stands in notes is counted in one copy.
        self.vocabulary = Vocabulary(self.words, seen, np.concatenate([counted, known]), self.device)
        self.vocabulary.counts = np.bincount(counted, minlength=len(self.words))
        self.learn, self.choose = Notes(learn, self.device), Notes(choose, self.device)
        self.dev = self.target("dev-replaced")
        self.kept = self.target("dev-kept", whole=True)
        self.missed = [self.target(f"dev-missed-{i}", whole=True) for i in range(self.index["missedRounds"])]
        self.log(
            f"{self.name()}, {len(self.vocabulary)} answers, {len(learn.words)} tokens to learn from, "
            f"{len(choose.words)} to choose by, {len(self.dev.corpus.words)} to read"
        )

    def opened(self):
        """What is attacked, then the control: another one where the folder holds it, else the same with little noise."""
        names = self.index["representations"]
        chosen = [(name, name, 1.0) for name in names]
        if len(names) == 1:
            chosen.append((f"{names[0]}, control with noises times {CONTROL_NOISE}", names[0], CONTROL_NOISE))
        return [
            (title, Representation.read(self.folder, name, self.words, noise_times).to(self.device))
            for title, name, noise_times in chosen
        ]

    def target(self, name, whole=False):
        corpus = Corpus.read(self.folder, name)
        most = self.settings["notes"]
        if most and not whole:
            corpus = corpus.only(np.arange(0, len(corpus), max(1, len(corpus) // most)))
        return Notes(corpus, self.device)

    def represent(self):
        self.representations, checks = [], {}
        phi = [each.corpus.words[each.corpus.labels > 0] for each in (self.learn, self.choose)]
        expected = array(self.folder, "check-neighbours.i32").reshape(-1, self.index["neighbours"])
        words = np.concatenate([*phi, expected[:, 0].astype(np.int64)])
        self.neighbours = Neighbours(self.folder, self.words, self.index["neighbours"], words, self.device)
        checks["neighbours that both have"] = agreement(self.neighbours, expected)
        sample = np.random.default_rng(5).permutation(len(self.learn))[:2000]
        draws = 1 if self.settings["notes"] else 4
        for name, representation in self.attacked:
            if name in self.index["representations"]:
                checks.update(self.differences(representation, name))
            noise = InputNoise(representation, self.learn, sample, draws)
            self.representations.append((name, representation, noise))
        checks.update(self.coverage())
        self.write("checks", checks)
        self.log(json.dumps(checks))

    def coverage(self):
        """Shares of words that are among the answers: others can never be named."""
        is_answer = self.vocabulary.answer_of.cpu().numpy() >= 0
        dev, missed = self.dev.corpus, self.missed[0].corpus
        content = (dev.labels == 0) & (self.words.kinds[dev.words] == CONTENT)
        return {
            "content words among the answers": float(is_answer[dev.words[content]].mean()),
            "words of missed names among the answers": float(is_answer[missed.words[missed.missed > 0]].mean()),
        }

    def differences(self, representation, name):
        """Of sentences whose words all have vectors, and of others, the largest from Tacet's f."""
        sentences = array(self.folder, f"{name}.check-sentences.i32")
        means = array(self.folder, f"{name}.check-means.f32").reshape(-1, representation.dimension)
        worst, at = {}, 0
        for sentence in sentences:
            batch = self.kept.batch(np.array([sentence]))
            found = representation.mean(inputs_of(representation, batch), batch.lengths)[0]
            expected = torch.from_numpy(means[at : at + len(found)]).to(self.device)
            at += len(found)
            words = self.kept.corpus.words[self.kept.corpus.sentence(sentence)]
            which = "some words without a vector" if self.words.trained[words].any() else "all words with a vector"
            key = f"{name}: largest difference from the encoder, {which}"
            worst[key] = max(worst.get(key, 0.0), float((found - expected).abs().max()))
        return worst

    def pair_sets(self):
        names = self.index["pairs"]
        notes = [self.kept, *self.missed]
        return {
            name: Pairs.read(self.folder, name, own, self.settings["pairs"]) for name, own in zip(names, notes)
        }

    def exact(self):
        """Limits and exact tests of all pairs, before anything is learnt."""
        self.tests = {}
        for name, representation, noise in self.representations:
            for which, pairs in self.pair_sets().items():
                torch.manual_seed(11)
                self.tests[name, which] = exact_tests(
                    *(representation, noise, pairs),
                    *(self.settings["draws"], self.settings["releases"], self.settings["pair_tokens"]),
                )
            self.write_pairs(name)

    def write_pairs(self, name):
        found = {}
        for which, pairs in self.pair_sets().items():
            found[which] = pair_rates(pairs, self.tests[name, which], self.index["labels"], self.words.kinds)
        self.write(f"pairs, {name}", found)

    def guess_by_type(self):
        found = {}
        for round_, notes in enumerate(self.missed):
            tokens = self.missed_sample(notes)[0]
            ranks = frequent_ranks(self.learn.corpus, notes.corpus, tokens)
            own = Tokens(notes.corpus, self.vocabulary, tokens)
            found[f"word of a missed name, round {round_}"] = rates(own, ranks, self.index["labels"])
        self.write("the words most frequent in a type", found)

    def learn_language(self):
        self.log("language and labels alone")
        self.language = self.reader(None)
        taught = train_reader(
            *(self.language, None, self.learn, self.choose),
            *(self.seconds_for("language"), self.settings, self.log),
        )
        ranks = read_notes(self.language, None, self.dev, self.settings, 21).rank
        self.write("language", {"learning": taught, **self.unknown(ranks), **self.known(self.language, None, "language")})

    def reader(self, representation):
        dimension = representation.dimension if representation is not None else 0
        return Reader(self.vocabulary, len(self.index["labels"]), dimension, self.settings).to(self.device)

    def unknown(self, ranks):
        corpus = self.dev.corpus
        tokens = Tokens(corpus, self.vocabulary, np.flatnonzero(corpus.labels == 0))
        ranks = np.atleast_2d(ranks)
        return {
            "nothing known": rates(tokens, ranks[:, tokens.tokens]),
            "sentences of 8 tokens and more": whole_sentences(corpus, ranks),
        }

    def hidden_sample(self, notes, most, content=False):
        """Sentences and places of tokens that are no PHI."""
        corpus = notes.corpus
        usable = corpus.labels == 0
        if content:
            usable &= self.words.kinds[corpus.words] == CONTENT
        tokens = np.random.default_rng(6).permutation(np.flatnonzero(usable))[:most]
        return self.placed(corpus, np.sort(tokens))

    @staticmethod
    def placed(corpus, tokens):
        owner = np.repeat(np.arange(len(corpus)), corpus.lengths)[tokens]
        return tokens, owner, tokens - corpus.starts[owner]

    def known(self, reader, representation, name):
        tokens, sentences, positions = self.hidden_sample(self.dev, self.settings["hidden"])
        ranks = read_hidden(reader, representation, self.dev, sentences, positions, self.settings, 31)
        found = {"all other words known": rates(Tokens(self.dev.corpus, self.vocabulary, tokens), ranks)}
        for round_, notes in enumerate(self.missed):
            own = self.missed_sample(notes)
            table_ = Tokens(notes.corpus, self.vocabulary, own[0])
            together = read_hidden(reader, representation, notes, *own[1:], self.settings, 32, together=True)
            alone = read_hidden(reader, representation, notes, *own[1:], self.settings, 33)
            labels = self.index["labels"]
            found[f"missed name, all but it known, round {round_}"] = rates(table_, together, labels)
            found[f"word of a missed name, all else known, round {round_}"] = rates(table_, alone, labels)
        return found

    def missed_sample(self, notes):
        tokens = np.flatnonzero(notes.corpus.missed > 0)
        if self.settings["notes"]:
            tokens = tokens[:: max(1, len(tokens) // self.settings["hidden"])]
        return self.placed(notes.corpus, tokens)

    def learn_reader(self, part, at):
        name, representation, noise = self.representations[at]
        self.log(f"{part}: {name}")
        reader = self.reader(representation)
        taught = train_reader(
            *(reader, representation, self.learn, self.choose),
            *(self.seconds_for(part), self.settings, self.log),
        )
        found = {"learning": taught}
        refine, found["refinements on the notes to choose by"] = self.chosen_refinement(reader, representation)
        seeds = range(41, 41 + self.settings["seeds"])
        plain = [read_notes(reader, representation, self.dev, self.settings, seed).rank for seed in seeds]
        found.update(self.unknown(np.stack(plain)))
        if refine is not None:
            again = [
                read_notes(reader, representation, self.dev, self.settings, seed, refine=refine).rank for seed in seeds
            ]
            found.update({f"{key}, read twice": value for key, value in self.unknown(np.stack(again)).items()})
        self.write(f"reader, {name}", found)
        for round_, notes in enumerate(self.missed):
            own = self.missed_sample(notes)
            ranks = [
                read_notes(reader, representation, notes, self.settings, seed, np.unique(own[1])).rank[own[0]]
                for seed in seeds
            ]
            table_ = Tokens(notes.corpus, self.vocabulary, own[0])
            found[f"missed name, nothing known, round {round_}"] = rates(table_, np.stack(ranks), self.index["labels"])
        found.update(self.known(reader, representation, name))
        self.write(f"reader, {name}", found)
        found.update(self.by_likelihood(reader, representation, noise))
        self.write(f"reader, {name}", found)

    def chosen_refinement(self, reader, representation):
        scores = {}
        corpus = self.choose.corpus
        asked = corpus.labels == 0
        for refine in REFINEMENTS:
            ranks = read_notes(reader, representation, self.choose, self.settings, 51, refine=refine).rank
            scores[refine] = float((ranks[asked] == 0).mean())
        best = max(scores, key=scores.get)
        return best, {str(refine): score for refine, score in scores.items()}

    def by_likelihood(self, reader, representation, noise):
        """A hidden content word, and a word of a missed name, by Bayes' rule; the prior and the share are chosen on other notes."""
        most = self.settings["likelihood"]
        shared = (representation, noise, self.language, reader)
        held = self.hidden_sample(self.choose, most // 2, content=True)
        scores = {
            key: float((ranks == 0).mean())
            for key, ranks in likelihood_ranks(*shared, self.choose, *held[1:], self.settings, 61).items()
        }
        best = max(scores, key=scores.get)
        own = self.hidden_sample(self.dev, most, content=True)
        ranks = likelihood_ranks(*shared, self.dev, *own[1:], self.settings, 62)
        tokens = Tokens(self.dev.corpus, self.vocabulary, own[0])
        found = {
            "by likelihood, on the notes to choose by": {f"{prior} {share}": each for (prior, share), each in scores.items()},
            f"content word, all else known, by likelihood ({best[0]} {best[1]})": rates(tokens, ranks[best]),
            "content word, all else known, the reader on the same words": rates(tokens, ranks["reader", 0.0]),
            "content word, all else known, language on the same words": rates(tokens, ranks["language", 0.0]),
            "content word, all else known, language and whole likelihood": rates(tokens, ranks["language", 1.0]),
        }
        for round_, notes in enumerate(self.missed[:1]):
            own = self.missed_sample(notes)
            chosen = np.sort(np.random.default_rng(8).permutation(len(own[0]))[:most])
            own = tuple(each[chosen] for each in own)
            ranks = likelihood_ranks(*shared, notes, *own[1:], self.settings, 63)
            tokens = Tokens(notes.corpus, self.vocabulary, own[0])
            for key in (best, ("language", 1.0), ("language", 0.0), ("reader", 0.0)):
                title = f"word of a missed name, all else known, by likelihood ({key[0]} {key[1]})"
                found[title] = rates(tokens, ranks[key], self.index["labels"])
        return found

    def learn_pairs(self, part, at):
        name, representation, noise = self.representations[at]
        self.log(f"{part}: {name}")
        network = PairReader(self.vocabulary, representation.dimension, self.settings).to(self.device)
        taught = train_pairs(
            *(network, representation, noise, self.vocabulary, self.neighbours, self.learn, self.choose),
            *(self.seconds_for(part), self.settings, self.log),
        )
        for which, pairs in self.pair_sets().items():
            torch.manual_seed(71)
            self.tests[name, which]["learned"] = learned_tests(
                *(network, representation, noise, self.vocabulary, pairs, self.settings["releases"], self.settings)
            )
        self.write(f"learning of pairs, {name}", taught)
        self.write_pairs(name)

    def all(self):
        self.load()
        self.represent()
        self.attempt("frequent", self.guess_by_type)
        self.attempt("exact", self.exact)
        self.attempt("language", self.learn_language)
        self.attempt("reader", self.learn_reader, "reader", 0)
        self.attempt("pairs", self.learn_pairs, "pairs", 0)
        if len(self.representations) > 1:
            self.attempt("control reader", self.learn_reader, "control reader", 1)
            self.attempt("control pairs", self.learn_pairs, "control pairs", 1)
        if not self.failed or not self.settings["notes"]:
            print("\n".join(table(self.results)))
        print("\n".join(alarms(self.results) or ["no test was above its limit by more than chance"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--small", action="store_true")
    chosen = parser.parse_args()
    run = Run(chosen.data, chosen.out, chosen.minutes, chosen.small)
    run.all()
    sys.exit(1 if run.failed else 0)


if __name__ == "__main__":
    main()
