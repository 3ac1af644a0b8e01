// Chooses which idle processes end when more are warm than fit. It resists scans: when more bots
// than fit are used in turn, ending the longest unused one (LRU) would end every process just
// before its next use.
//
// A process's disuse is the time since its last use, or the time between the last two uses of its
// key if that is longer; so one use does not make a rarely used bot valuable. Among processes of
// about equal disuse, the one that started last ends. So in a scan, the same processes stay warm
// and the others take turns. The most recently used eighth stays in any case: a conversation that
// has just begun keeps its process.

/** A process that may end. */
interface Candidate {
  key: string
  /** When its last invocation ended. */
  usedAt: number
}

interface Replacement {
  /** Notes a use of the key. */
  noteUse(key: string): void
  /** Returns `count` of these idle processes, which are in the order of their starts. */
  choose<Slot extends Candidate>(idle: Slot[], count: number): Slot[]
}

/** Uses within this time count as one, because one message often causes several invocations. */
const burstMs = 5_000
/** Keys whose uses are remembered, with and without a process. */
const maxKeys = 20_000
/** Disuses within this factor are about equal. */
const tolerance = 2
const recentShare = 1 / 8

export function createReplacement(
  now: () => number = () => performance.now(),
): Replacement {
  /** In order of use. `gapMs`: between the last two uses; infinite after the first. */
  const uses = new Map<string, { at: number; gapMs: number }>()

  function noteUse(key: string): void {
    const at = now()
    const last = uses.get(key)
    if (last && at - last.at < burstMs) return
    uses.delete(key)
    uses.set(key, { at, gapMs: last ? at - last.at : Number.POSITIVE_INFINITY })
    if (uses.size > maxKeys) uses.delete(uses.keys().next().value!)
  }

  const getDisuseMs = ({ key, usedAt }: Candidate) =>
    Math.max(now() - usedAt, uses.get(key)?.gapMs ?? Number.POSITIVE_INFINITY)

  return {
    noteUse,
    choose(idle, count) {
      const recent = Math.min(Math.floor(idle.length * recentShare), idle.length - count)
      const kept = new Set(
        idle.toSorted((a, b) => b.usedAt - a.usedAt).slice(0, Math.max(0, recent)),
      )
      const left = idle
        .filter((slot) => !kept.has(slot))
        .map((slot) => ({ slot, disuse: getDisuseMs(slot) }))
      return Array.from({ length: Math.min(count, left.length) }, () => {
        const most = Math.max(...left.map(({ disuse }) => disuse))
        const last = left.findLastIndex(({ disuse }) => disuse * tolerance >= most)
        return left.splice(last, 1)[0]!.slot
      })
    },
  }
}
