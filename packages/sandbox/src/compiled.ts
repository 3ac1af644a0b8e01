// Compiles code ahead of time, because compiling the bundle dominates a bot's cold start. An
// isolated blank process compiles all functions and never runs the code, so the code cannot forge
// the result. Every process that loads the code gets the result as V8 cached data. Results are kept
// in memory (LRU); code without one loads normally.
import { sha256InSlices } from '@botstead/lib'
import { findProgram } from './host/program.ts'
import type { Runners } from './runner/runners.ts'

export interface Compiled {
  /** Returns the cached data, or null when there is none yet. */
  of(code: Buffer): Promise<Buffer | null>
  /** Compiles in the background; skips code that was tried before. */
  ahead(code: Buffer, memoryMb: number): Promise<void>
  /** Stops further compilation. */
  close(): void
}

/** About twenty large bots. */
const maxBytes = 50_331_648
const timeoutMs = 20_000
/** In bytes. Shorter code compiles fast enough. */
const minLength = 65_536

export function createCompiled(runners: Pick<Runners, 'ready' | 'take'>): Compiled {
  /** By name of the code; null while compilation is pending, and after it failed. */
  const known = new Map<string, Buffer | null>()
  let bytes = 0
  let closed = false
  let last: Promise<void> = Promise.resolve()

  function keep(name: string, compiled: Buffer): void {
    bytes += compiled.length - (known.get(name)?.length ?? 0)
    known.set(name, compiled)
    for (const [oldest, one] of known) {
      if (bytes <= maxBytes) return
      known.delete(oldest)
      bytes -= one?.length ?? 0
    }
  }

  async function compile(name: string, code: Buffer, memoryMb: number): Promise<void> {
    await runners.ready()
    if (closed) return
    const runner = runners.take(null, memoryMb)
    try {
      keep(name, await runner.compile(code, timeoutMs))
    } catch {
      // The code then loads without cached data.
    } finally {
      runner.end()
    }
  }

  return {
    async of(code) {
      if (code.length < minLength) return null
      const name = await toName(code)
      const compiled = known.get(name)
      if (!compiled) return null
      known.delete(name)
      known.set(name, compiled)
      return compiled
    },
    async ahead(code, memoryMb) {
      if (code.length < minLength) return
      const name = await toName(code)
      if (known.has(name)) return
      known.set(name, null)
      last = last.then(() => compile(name, code, memoryMb)).catch(() => {})
    },
    close() {
      closed = true
    },
  }
}

/** Code with another program has the same result, which belongs to the rest. */
async function toName(code: Buffer): Promise<string> {
  const { rest = 0, lines = 0 } = findProgram(code) ?? {}
  return `${(await sha256InSlices(code.subarray(rest))).toString('base64')} ${lines}`
}
