// Limits the bytes of large bodies in memory, over all requests. Counts received bytes, not
// announced ones, so that announcing much and sending nothing occupies no capacity. The first bytes
// of each request are free, so that small requests always pass. The share of a tenant depends on
// the free capacity, so some is left for others, however many tenants use it.
interface BodyCapacity {
  /** Begins a request and its response. */
  reserve(): Reservation
  /** Returns the number of bytes in memory. */
  held(): number
}

export interface Reservation {
  /** Sets the tenant that owns the bytes, before the first one. */
  assign(tenant: string): void
  /** Adds bytes. Returns false, and adds none, without capacity. */
  add(bytes: number): boolean
  release(): void
}

const free = 65_536
/** A tenant may hold this many times the bytes that are free: alone, three quarters of all. */
const maxTimesFree = 3

export function createBodyCapacity(maxBytes: number): BodyCapacity {
  let held = 0
  const heldBy = new Map<string, number>()
  return {
    held: () => held,
    reserve() {
      let tenant = ''
      let size = 0
      let counted = 0
      let released = false
      const count = (bytes: number) => {
        held += bytes
        counted += bytes
        const own = (heldBy.get(tenant) ?? 0) + bytes
        if (own > 0) heldBy.set(tenant, own)
        else heldBy.delete(tenant)
      }
      return {
        assign(given) {
          tenant = given
        },
        add(bytes) {
          if (released) return false
          const more = Math.max(0, size + bytes - free) - counted
          const own = (heldBy.get(tenant) ?? 0) + more
          if (more > 0 && own > maxTimesFree * (maxBytes - held - more)) return false
          count(more)
          size += bytes
          return true
        },
        release() {
          if (released) return
          released = true
          count(-counted)
        },
      }
    },
  }
}
