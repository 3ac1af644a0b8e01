// Explains to the owner of the code why its process ended. stderr is trusted only where it matches
// the exit code or signal.
interface ProcessEnding {
  exitCode: number | null
  signal: string | null
  /** The message of the process's own `dying` frame. */
  dying: string | null
  /** The end of its stderr. */
  lastWords: string
  memoryMb: number
}

/** Messages of V8 and the C++ library when an allocation fails. */
const starved = /out of memory|std::bad_alloc|Allocation failed/
const starvedSignals = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV']
const signals: Record<number, string> = {
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
  25: 'SIGXFSZ',
}

export const outOfMemory = (memoryMb: number) =>
  `The code ran out of memory (${memoryMb} MB)`

export function describeEnding({
  exitCode,
  signal,
  dying,
  lastWords,
  memoryMb,
}: ProcessEnding): string {
  // A wrapping process reports a signal as an exit code above 128, as shells do.
  const by =
    signal ??
    (exitCode !== null && exitCode > 128 ? (signals[exitCode - 128] ?? null) : null)
  if (by !== null && starvedSignals.includes(by) && starved.test(lastWords))
    return outOfMemory(memoryMb)
  if (
    dying !== null &&
    /Array buffer allocation failed|ERR_WORKER_OUT_OF_MEMORY/.test(dying)
  )
    return outOfMemory(memoryMb)
  if (dying !== null) return `The code ended its process: ${dying}`
  return by === null
    ? `The code ended its process with exit code ${exitCode}`
    : `The process was ended by ${by}`
}
