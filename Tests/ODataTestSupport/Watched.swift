import Foundation

/// A value behind a lock that tests can wait on: a task or a thread sleeps until a condition holds.
///
/// `@unchecked Sendable` because the value and the waiters are touched between lock and unlock only.
package final class Watched<Value>: @unchecked Sendable {
  private struct Waiter {
    var condition: @Sendable (Value) -> Bool
    var wake: CheckedContinuation<Void, Never>
  }

  private var value: Value
  private var waiters: [Waiter] = []
  private let lock = NSCondition()

  package init(_ value: sending Value) { self.value = value }

  /// Reads or changes the value, and wakes whoever waits for what it has become.
  @discardableResult
  package func update<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    let result = body(&value)
    let ready = waiters.filter { $0.condition(value) }
    if !ready.isEmpty { waiters.removeAll { $0.condition(value) } }
    lock.broadcast()
    lock.unlock()
    for waiter in ready { waiter.wake.resume() }
    return result
  }

  /// Waits, as a task, until the condition holds.
  package func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { wake in
      lock.lock()
      let holds = condition(value)
      if !holds { waiters.append(Waiter(condition: condition, wake: wake)) }
      lock.unlock()
      if holds { wake.resume() }
    }
  }

  /// Waits, as a thread, until the condition holds. Never call it from a task.
  package func block(until condition: (Value) -> Bool) {
    lock.lock()
    while !condition(value) { lock.wait() }
    lock.unlock()
  }
}

/// A door that a script waits at and a test opens.
package final class Gate: Sendable {
  private let isOpen = Watched(false)

  package init() {}

  /// Lets everyone pass from now on.
  package func open() { isOpen.update { $0 = true } }

  /// Waits as a thread.
  package func pass() { isOpen.block { $0 } }

  /// Waits as a task.
  package func passed() async { await isOpen.wait { $0 } }
}
