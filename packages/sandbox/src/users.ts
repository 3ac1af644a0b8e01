// User ids that no system assigns. Each process gets its own, so that hosted code can signal
// neither the server, nor the database, nor other code.
import { randomInt } from 'node:crypto'
import type { StartedProcess } from './runner/starter.ts'

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

export function holdUser(user: number, child: StartedProcess): void {
  inUse.add(user)
  child.on('exit', () => inUse.delete(user))
}
