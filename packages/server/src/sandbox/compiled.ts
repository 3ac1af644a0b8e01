// Code is compiled ahead: of the time that a bot takes to answer first, most went into compiling its bundle. A blank process, which never runs the code
// and so cannot be made to lie, compiles all of it, behind the walls; what comes of it goes along with the code to every process that loads it. In
// memory, the last used longest; without it, code loads as ever.
import { sha256 } from '../lib/secrets.ts'
import type { Runners } from './runners.ts'

export interface Compiled {
  /** As base64; null when there is none (yet). */
  of(code: string): string | null
  /** Compiles it in the background, unless that was tried before. */
  ahead(code: string, memoryMb: number): void
  /** Nothing is compiled any more. */
  close(): void
}

/** Of base64: about twenty large bots. */
const mostBytes = 67_108_864
const patienceMs = 20_000
/** What is smaller is compiled in no time. */
const leastLength = 65_536

export function createCompiled(runners: Pick<Runners, 'take'>): Compiled {
  /** By the hash of the code; empty where nothing came of it. */
  const known = new Map<string, string>()
  let bytes = 0
  let closed = false
  let last: Promise<void> = Promise.resolve()

  function keep(name: string, compiled: string): void {
    bytes += compiled.length - (known.get(name)?.length ?? 0)
    known.set(name, compiled)
    for (const [oldest, one] of known) {
      if (bytes <= mostBytes) return
      known.delete(oldest)
      bytes -= one.length
    }
  }

  async function compile(name: string, code: string, memoryMb: number): Promise<void> {
    if (closed) return
    const runner = runners.take(null, memoryMb)
    try {
      keep(name, await runner.compile(code, patienceMs))
    } catch {
      // It loads as it is, then.
    } finally {
      runner.end()
    }
  }

  return {
    of(code) {
      const name = nameOf(code)
      const compiled = known.get(name)
      if (!compiled) return null
      known.delete(name)
      known.set(name, compiled)
      return compiled
    },
    ahead(code, memoryMb) {
      const name = nameOf(code)
      if (code.length < leastLength || known.has(name)) return
      known.set(name, '')
      last = last.then(() => compile(name, code, memoryMb)).catch(() => {})
    },
    close() {
      closed = true
    },
  }
}

const nameOf = (code: string) => sha256(code).toString('base64')
