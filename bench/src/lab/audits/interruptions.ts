// How long writes were interrupted after each fault: the longest time in which no message was accepted.
import type { Injected } from '../faults.ts'
import type { Person } from '../people.ts'

interface Interruption {
  kind: string
  seconds: number
}

/** Measures from the start of each fault to the start of the next one, or to the end of the last fault. */
export function findInterruptions(people: Person[], faults: Injected[]): Interruption[] {
  const accepted = listAccepted(people).map(({ answeredAt }) => answeredAt)
  accepted.sort((a, b) => a - b)
  return faults.map(({ kind, from, to }, nth) => {
    const until = faults[nth + 1]?.from ?? to
    const times = [from, ...accepted.filter((at) => at >= from && at < until), until]
    const gaps = times.slice(1).map((at, before) => at - times[before]!)
    return { kind, seconds: Math.round(Math.max(...gaps) / 100) / 10 }
  })
}

/** Returns the time that 99 % of the accepted messages took at most outside of faults, in milliseconds. */
export function findLatency(people: Person[], faults: Injected[]): number {
  const times = listAccepted(people)
    .filter(
      ({ at, answeredAt }) =>
        !faults.some(({ from, to }) => at <= to && answeredAt >= from),
    )
    .map(({ at, answeredAt }) => answeredAt - at)
    .sort((a, b) => a - b)
  return Math.round(times[Math.floor(0.99 * times.length)] ?? Number.NaN)
}

const listAccepted = (people: Person[]) =>
  people.flatMap(({ sent }) =>
    sent.flatMap(({ attempts }) => attempts.filter(({ status }) => status === 201)),
  )
