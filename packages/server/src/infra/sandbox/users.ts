// User ids that no system assigns. Each process gets its own, so that hosted code can signal
// neither the server, nor the database, nor other code.
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'

const first = 60_578
const count = 600
const inUse = new Set<number>()
let last = randomInt(count)

export function freeUser(): number {
  for (let tried = 0; tried < count; tried += 1) {
    last = (last + 1) % count
    if (!inUse.has(first + last)) break
  }
  return first + last
}

export function holdUser(user: number, child: ChildProcess): void {
  inUse.add(user)
  child.on('exit', () => inUse.delete(user))
}
