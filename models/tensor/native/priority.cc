// How much of a processor the calling thread gets where others want it too.
#include <sys/resource.h>

#include <algorithm>

#include "registry.h"

namespace tacet {

namespace {

// On Linux a priority is a thread's own; elsewhere it is the whole process's, and stays as it is.
void give_way(Call& call) {
#if defined(__linux__)
  const int by = static_cast<int>(std::min<size_t>(call.argument(0, "by").size(), 19));
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + by);
#else
  (void)call;
#endif
}
const Registration registration("giveWay", give_way);

}  // namespace

}  // namespace tacet
