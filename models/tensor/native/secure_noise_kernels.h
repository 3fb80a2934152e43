// Included by each_isa.h for secure_noise.cc.

/** As chacha_kernels.h, box_muller_kernels.h and finite_kernels.h have them. */
void chacha(const uint32_t key[8], uint64_t block, uint32_t* words, size_t groups);
void box_muller(const uint32_t* words, size_t plane, float* normals, size_t pairs);
bool all_finite(const float* x, size_t n);

/**
 * y = x + stddev n for the elements of pieces `first` up to `last`, rows of `width`: the normals of a piece
 * are those of the words of its own blocks. Words and normals stay in the nearest cache, and are wiped.
 * Returns whether all of y is finite.
 */
bool secure_noise(const uint32_t key[8], const float* x, const float* stddev, float* y, size_t size,
                  size_t width, size_t first, size_t last) {
  uint32_t words[kPieceWords];
  float normals[kPieceNormals];
  size_t column = first * kPieceNormals % width;
  bool finite = true;
  for (size_t piece = first; piece < last; piece++) {
    const size_t begin = piece * kPieceNormals;
    const size_t stop = begin + kPieceNormals < size ? begin + kPieceNormals : size;
    chacha(key, kBlocksAGroup * kPieceGroups * piece, words, kPieceGroups);
    box_muller(words, kPieceNormals / 2, normals, kPieceNormals / 2);
    for (size_t at = begin; at < stop;) {
      const size_t left = width - column;
      const size_t span = stop - at < left ? stop - at : left;
      const float* n = normals + (at - begin);
      for (size_t i = 0; i < span; i++) y[at + i] = x[at + i] + stddev[column + i] * n[i];
      at += span;
      column = span == left ? 0 : column + span;
    }
    finite &= all_finite(y + begin, stop - begin);
  }
  wipe(words, sizeof words);
  wipe(normals, sizeof normals);
  return finite;
}
