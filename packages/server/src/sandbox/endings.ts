// Why a process ended, in words for the owner of the code. What it wrote last on stderr is only believed where the way it ended agrees.
export interface Ending {
  exitCode: number | null
  signal: string | null
  /** What it said that it dies of. */
  dying: string | null
  /** The last that it wrote on stderr. */
  lastWords: string
  memoryMb: number
}

/** V8 and the C++ library end the process when they get no more memory. */
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

export const outOfMemory = (memoryMb: number) => `The code ran out of memory (${memoryMb} MB)`

export function describeEnding({ exitCode, signal, dying, lastWords, memoryMb }: Ending): string {
  // Where another process stands between, a signal is told as an exit code, as shells do.
  const by = signal ?? (exitCode !== null && exitCode > 128 ? (signals[exitCode - 128] ?? null) : null)
  if (by !== null && starvedSignals.includes(by) && starved.test(lastWords)) return outOfMemory(memoryMb)
  if (dying !== null && /Array buffer allocation failed|ERR_WORKER_OUT_OF_MEMORY/.test(dying))
    return outOfMemory(memoryMb)
  if (dying !== null) return `The code ended its process: ${dying}`
  return by === null
    ? `The code ended its process with exit code ${exitCode}`
    : `The process was ended by ${by}`
}
