// Of many points the one nearest to each of a few others, as models/tensor/reference/nearest-points.ts states it.
#include <cmath>
#include <vector>

#include "isa.h"
#include "registry.h"

#define TACET_KERNELS "nearest_kernels.h"
#include "each_isa.h"

namespace tacet {

namespace {

constexpr size_t kTogether = 16;

void nearest_points(Call& call) {
  const Value record = call.record();
  const size_t width = record["width"].positive();
  const View<float> points = record["points"].floats();
  if (points.size % (kTogether * width) != 0)
    record["points"].wrong("points of that width, sixteen together", std::to_string(points.size) + " elements");
  const View<float> distances = record["squaredDistances"].floats();
  const View<float> queries = record["queries"].floats({distances.size, width});
  const View<int32_t> places = record["places"].ints({distances.size});
  for (size_t q = 0; q < distances.size; q++) {
    distances.data[q] = INFINITY;
    places.data[q] = -1;
  }
  std::vector<float> nearest(kTogether * distances.size, INFINITY);
  std::vector<int32_t> groups(kTogether * distances.size, -1);
  TACET_DISPATCH(nearest_in_groups, queries.data, distances.size, points.data, points.size / (kTogether * width), width,
                 nearest.data(), groups.data());
  for (size_t i = 0; i < nearest.size(); i++) {
    if (groups[i] < 0) continue;
    const size_t q = i / kTogether;
    const int32_t place = static_cast<int32_t>(groups[i] * kTogether + i % kTogether);
    if (nearest[i] > distances.data[q] || (nearest[i] == distances.data[q] && place > places.data[q])) continue;
    distances.data[q] = nearest[i];
    places.data[q] = place;
  }
}
const Registration registration("nearestPoints", nearest_points);

}  // namespace

}  // namespace tacet
