#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value behind a lock.
///
/// A pthread mutex (an unfair lock on Apple systems) rather than `Synchronization.Mutex`, whose futex the thread
/// sanitizer does not see on Linux. Never resume a continuation or call a user's code inside `withLock`.
///
/// `@unchecked Sendable` because every access to `value` happens between lock and unlock.
@safe package final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  #if canImport(Darwin)
    private let lock: UnsafeMutablePointer<os_unfair_lock>
  #else
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
  #endif

  package init(_ value: sending Value) {
    self.value = value
    unsafe lock = .allocate(capacity: 1)
    #if canImport(Darwin)
      unsafe lock.initialize(to: os_unfair_lock())
    #else
      unsafe lock.initialize(to: pthread_mutex_t())
      unsafe pthread_mutex_init(lock, nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      unsafe pthread_mutex_destroy(lock)
    #endif
    unsafe lock.deallocate()
  }

  package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows
    -> sending Result
  {
    #if canImport(Darwin)
      unsafe os_unfair_lock_lock(lock)
      defer { unsafe os_unfair_lock_unlock(lock) }
    #else
      unsafe pthread_mutex_lock(lock)
      defer { unsafe pthread_mutex_unlock(lock) }
    #endif
    return try body(&value)
  }
}
