// Included by each_isa.h for nearest.cc.
namespace {

constexpr size_t kGroup = 16;
/** Queries whose distances are summed side by side. */
constexpr size_t kAbreast = 4;

/** Keeps of each lane the nearest so far and its group. */
TACET_IN_PLACE void keep_nearer(Vec distance, int32_t group, float* nearest, int32_t* groups) {
  for (int lane = 0; lane < kLanes; lane++) {
    const bool is_nearer = distance[lane] < nearest[lane];
    nearest[lane] = is_nearer ? distance[lane] : nearest[lane];
    groups[lane] = is_nearer ? group : groups[lane];
  }
}

/** Of `kCount` queries and as many points as a vector has lanes, whose elements lie `kGroup` apart. */
template <size_t kCount>
TACET_IN_PLACE void look(const float* queries, const float* points, size_t width, int32_t group, float* nearest,
                         int32_t* groups) {
  Vec sums[kCount] = {};
  for (size_t j = 0; j < width; j++) {
    const Vec point = load(points + kGroup * j);
    for (size_t q = 0; q < kCount; q++) {
      const Vec apart = point - queries[q * width + j];
      sums[q] += apart * apart;
    }
  }
  for (size_t q = 0; q < kCount; q++) keep_nearer(sums[q], group, nearest + kGroup * q, groups + kGroup * q);
}

}  // namespace

/** nearest and groups [queries, kGroup]: of every sixteenth point the nearest. */
void nearest_in_groups(const float* queries, size_t count, const float* points, size_t group_count, size_t width,
                       float* nearest, int32_t* groups) {
  for (size_t group = 0; group < group_count; group++) {
    const int32_t number = static_cast<int32_t>(group);
    for (size_t lanes = 0; lanes < kGroup; lanes += kLanes) {
      const float* own = points + group * kGroup * width + lanes;
      size_t q = 0;
      for (; q + kAbreast <= count; q += kAbreast)
        look<kAbreast>(queries + q * width, own, width, number, nearest + kGroup * q + lanes, groups + kGroup * q + lanes);
      for (; q < count; q++)
        look<1>(queries + q * width, own, width, number, nearest + kGroup * q + lanes, groups + kGroup * q + lanes);
    }
  }
}
