// Limits the bytes of large bodies in memory, over all requests. Counts received bytes, not
// announced ones, so that announcing much and sending nothing occupies no capacity. The first bytes
// of each request are free, so that small requests always pass.
interface BodyCapacity {
  /** Begins a request and its response. */
  reserve(): Reservation
  /** Returns the number of bytes in memory. */
  held(): number
}

export interface Reservation {
  /** Adds bytes. Returns false, and adds none, without capacity. */
  add(bytes: number): boolean
  release(): void
}

const free = 65_536

export function createBodyCapacity(maxBytes: number): BodyCapacity {
  let held = 0
  return {
    held: () => held,
    reserve() {
      let size = 0
      let counted = 0
      let released = false
      return {
        add(bytes) {
          if (released) return false
          const next = Math.max(0, size + bytes - free)
          if (next > counted && held + next - counted > maxBytes) return false
          held += next - counted
          counted = next
          size += bytes
          return true
        },
        release() {
          if (released) return
          released = true
          held -= counted
        },
      }
    },
  }
}
