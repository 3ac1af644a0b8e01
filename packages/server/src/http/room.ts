// How many bytes of large bodies are in memory at a time, whoever sends them. What arrived is counted, not what was announced: who announces much
// and sends nothing takes no room. The first bytes of each are free, so that the small ones always pass.
export interface Room {
  /** For one request and its answer. */
  enter(): Place
  /** Bytes held. */
  held(): number
}

export interface Place {
  /** False when there is no more room; nothing of it was taken then. */
  take(bytes: number): boolean
  leave(): void
}

const free = 65_536

export function openRoom(most: number): Room {
  let held = 0
  return {
    held: () => held,
    enter() {
      let size = 0
      let counted = 0
      let left = false
      return {
        take(bytes) {
          if (left) return false
          const next = Math.max(0, size + bytes - free)
          if (next > counted && held + next - counted > most) return false
          held += next - counted
          counted = next
          size += bytes
          return true
        },
        leave() {
          if (left) return
          left = true
          held -= counted
        },
      }
    },
  }
}
