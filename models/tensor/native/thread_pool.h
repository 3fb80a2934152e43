// One pool of threads for the whole process.
//
// Policy. parallel_for cuts [0, count) into pieces of exactly `grain` (the last may be shorter);
// the caller and the workers claim them one at a time. Where a piece begins depends on count and
// grain alone, never on the threads, so a function whose pieces do not share sums gives the same
// bits with any number of threads. A worker without work looks for it for 2 milliseconds, then
// sleeps: loops of one step follow each other without a wake-up, and an idle process uses no
// processor. The caller waits for the workers that came, not for those that did not. One loop runs at a time: a loop started inside another, or by a
// second JavaScript thread meanwhile, runs on its caller.
#pragma once

#include <cstddef>
#include <type_traits>

namespace tacet {

/** Threads that take part in a loop, the caller included: TACET_THREADS, else the processors. */
size_t thread_count();

/** At least 1; takes effect at the next loop. Returns the count that was set before. */
size_t set_thread_count(size_t count);

namespace detail {
using Body = void (*)(const void* context, size_t begin, size_t end);
void run(size_t count, size_t grain, Body body, const void* context);
}  // namespace detail

/**
 * Calls body(begin, end) for every piece and returns when all are done. What a piece throws is thrown once no thread is
 * in the loop any more; which others were done is unspecified then.
 */
template <typename F>
void parallel_for(size_t count, size_t grain, const F& body) {
  detail::run(
      count, grain,
      [](const void* context, size_t begin, size_t end) {
        (*static_cast<const F*>(context))(begin, end);
      },
      &body);
}

}  // namespace tacet
