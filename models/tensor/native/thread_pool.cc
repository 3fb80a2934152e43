#include "thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

#include "registry.h"

namespace tacet {

namespace {

constexpr size_t kMaxThreads = 256;
// A loop often follows the last within microseconds, sooner than a sleeping thread would wake; within
// a training step the pauses are a millisecond at most.
constexpr int kSpins = 4000;
constexpr auto kStayAwake = std::chrono::milliseconds(2);
constexpr uint64_t kOpenPlaces = 0xffffffff;
constexpr uint64_t kWorking = kOpenPlaces + 1;

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

size_t initial_thread_count() {
  const char* text = std::getenv("TACET_THREADS");
  if (text == nullptr || *text == '\0') {
    return std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMaxThreads);
  }
  char* end = nullptr;
  const long wanted = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || wanted < 1 || wanted > static_cast<long>(kMaxThreads)) {
    throw std::invalid_argument(std::string("TACET_THREADS is '") + text + "'; expected 1 to " +
                                std::to_string(kMaxThreads));
  }
  return static_cast<size_t>(wanted);
}

struct Loop {
  size_t count = 0;
  size_t grain = 1;
  detail::Body body = nullptr;
  const void* context = nullptr;
  std::atomic<size_t> next{0};
  /** What the first piece threw that did; read once all have left the loop. */
  std::exception_ptr failure;
  std::atomic<bool> failed{false};

  /** Throws nothing; after a failure no further piece is claimed. */
  void work() {
    try {
      for (;;) {
        const size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) return;
        body(context, begin, std::min(begin + grain, count));
      }
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
      next.store(count, std::memory_order_relaxed);
    }
  }
};

/** The workers run code of this library, which Node unmaps with the last thread of JavaScript that loaded it. */
void stay_mapped() {
#if !defined(_WIN32)
  Dl_info own;
  if (dladdr(reinterpret_cast<const void*>(&stay_mapped), &own) != 0) {
    dlopen(own.dli_fname, RTLD_NOW | RTLD_NODELETE);
  }
#endif
}

class ThreadPool {
 public:
  // Never destroyed: the workers outlive every static object and end with the process.
  static ThreadPool& shared() {
    static auto* pool = [] {
      stay_mapped();
      return new ThreadPool();
    }();
    return *pool;
  }

  std::atomic<size_t> threads{initial_thread_count()};
  // Of loops that the calling thread starts.
  static thread_local size_t own_limit;

  size_t usable_threads() const { return std::min(threads.load(), own_limit); }

  void run(size_t count, size_t grain, detail::Body body, const void* context) {
    const size_t pieces = (count + grain - 1) / grain;
    const size_t helpers = std::min(usable_threads(), pieces) - 1;
    if (helpers == 0 || busy_.exchange(true, std::memory_order_acquire)) {
      for (size_t begin = 0; begin < count; begin += grain) {
        body(context, begin, std::min(begin + grain, count));
      }
      return;
    }
    while (started_ < helpers && start_worker()) {
    }
    loop_.count = count;
    loop_.grain = grain;
    loop_.body = body;
    loop_.context = context;
    loop_.next.store(0, std::memory_order_relaxed);
    loop_.failed.store(false, std::memory_order_relaxed);
    places_.store(std::min(helpers, started_), std::memory_order_release);
    generation_.fetch_add(1);
    if (sleepers_.load() > 0) {
      // Under the lock: a worker that is about to sleep has looked at the generation before or will.
      std::lock_guard<std::mutex> lock(mutex_);
      wake_.notify_all();
    }
    loop_.work();
    // A worker that has not come by now is not waited for: on a busy machine it may come late.
    places_.fetch_and(~kOpenPlaces, std::memory_order_acq_rel);
    for (int spins = 0; places_.load(std::memory_order_acquire) != 0; spins++) {
      if (spins < kSpins) {
        pause_briefly();
      } else {
        std::this_thread::yield();
      }
    }
    const std::exception_ptr failure = std::exchange(loop_.failure, nullptr);
    busy_.store(false, std::memory_order_release);
    if (failure) std::rethrow_exception(failure);
  }

 private:
  /** Whether the system gives a thread; without, those that there are do the work. */
  bool start_worker() {
    const size_t seen = generation_.load();
    try {
      std::thread([this, seen] { serve(seen); }).detach();
    } catch (const std::exception&) {
      return false;
    }
    started_++;
    return true;
  }

  /** Looks for a loop for a while, at first without a pause. */
  bool saw_generation_after(size_t seen) const {
    const auto waits = [&] { return generation_.load(std::memory_order_acquire) == seen; };
    for (int spins = 0; spins < kSpins && waits(); spins++) pause_briefly();
    const auto end = std::chrono::steady_clock::now() + kStayAwake;
    while (waits() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return !waits();
  }

  /** Whether the calling worker has got a place in the loop that runs. */
  bool take_place() {
    uint64_t places = places_.load(std::memory_order_acquire);
    while ((places & kOpenPlaces) != 0) {
      if (places_.compare_exchange_weak(places, places - 1 + kWorking, std::memory_order_acq_rel)) {
        return true;
      }
    }
    return false;
  }

  void sleep_until_generation_after(size_t seen) {
    std::unique_lock<std::mutex> lock(mutex_);
    sleepers_.fetch_add(1);
    wake_.wait(lock, [&] { return generation_.load() != seen; });
    sleepers_.fetch_sub(1);
  }

  void serve(size_t seen) {
    for (;;) {
      if (!saw_generation_after(seen)) sleep_until_generation_after(seen);
      seen = generation_.load(std::memory_order_acquire);
      if (!take_place()) continue;
      loop_.work();
      places_.fetch_sub(kWorking, std::memory_order_release);
    }
  }

  Loop loop_;
  std::atomic<bool> busy_{false};
  std::atomic<size_t> generation_{0};
  // Of the loop that runs: places for workers still to come in the low half, workers in the high one.
  std::atomic<uint64_t> places_{0};
  std::atomic<size_t> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  size_t started_ = 0;
};

thread_local size_t ThreadPool::own_limit = kMaxThreads;

}  // namespace

size_t thread_count() { return ThreadPool::shared().usable_threads(); }

size_t set_thread_count(size_t count) {
  return ThreadPool::shared().threads.exchange(std::clamp<size_t>(count, 1, kMaxThreads));
}

void detail::run(size_t count, size_t grain, Body body, const void* context) {
  if (count > 0) ThreadPool::shared().run(count, grain == 0 ? 1 : grain, body, context);
}

static void thread_count_function(Call& call) {
  call.result(static_cast<double>(thread_count()));
}
static const Registration thread_count_registration("threadCount", thread_count_function);

static void set_thread_count_function(Call& call) {
  call.result(static_cast<double>(set_thread_count(call.argument(0, "count").size())));
}
static const Registration set_registration("setThreadCount", set_thread_count_function);

static void limit_threads_function(Call& call) {
  ThreadPool::own_limit = std::clamp<size_t>(call.argument(0, "threads").size(), 1, kMaxThreads);
}
static const Registration limit_registration("limitThreads", limit_threads_function);

}  // namespace tacet
