// Shows ThreadSanitizer the order that Synchronization.Mutex makes; empty in other builds.
//
// A free Mutex is locked and unlocked by code that is compiled into ours, so ThreadSanitizer sees it. A thread that has
// to wait calls Swift's library, which is not instrumented: ThreadSanitizer does not see that it comes after the thread
// that unlocked, and reports each use of the value as a race. These functions take the place of the library's, call
// them, and say so. Nothing needs to be suppressed then, and a value used without its Mutex is still reported.
#if __has_feature(thread_sanitizer)
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// compiler-rt, sanitizer/tsan_interface.h
void __tsan_acquire(void *address);
void __tsan_release(void *address);

// The methods of Synchronization._MutexHandle on Linux: _lockSlow(UInt32), _tryLockSlow() -> Bool, _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

METHOD void mutex_lock(uint32_t thread, SELF) __asm__(LOCK);
METHOD bool mutex_try_lock(SELF) __asm__(TRY_LOCK);
METHOD void mutex_unlock(SELF) __asm__(UNLOCK);

static METHOD void (*library_lock)(uint32_t thread, SELF);
static METHOD bool (*library_try_lock)(SELF);
static METHOD void (*library_unlock)(SELF);

__attribute__((constructor)) static void find_library(void) {
    *(void **)&library_lock = dlsym(RTLD_NEXT, LOCK);
    *(void **)&library_try_lock = dlsym(RTLD_NEXT, TRY_LOCK);
    *(void **)&library_unlock = dlsym(RTLD_NEXT, UNLOCK);
}

METHOD void mutex_lock(uint32_t thread, SELF) {
    library_lock(thread, mutex);
    __tsan_acquire(mutex);
}

METHOD bool mutex_try_lock(SELF) {
    bool is_locked = library_try_lock(mutex);
    if (is_locked) __tsan_acquire(mutex);
    return is_locked;
}

METHOD void mutex_unlock(SELF) {
    __tsan_release(mutex);
    library_unlock(mutex);
}
#endif
