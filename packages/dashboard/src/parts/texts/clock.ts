// Renders again as time passes, so that relative times stay true.
import { useSyncExternalStore } from 'react'

function createClock(stepMs: number) {
  const subscribe = (onChange: () => void) => {
    const timer = setInterval(onChange, stepMs)
    return () => clearInterval(timer)
  }
  const step = () => Math.floor(Date.now() / stepMs)
  return { subscribe, step }
}

const halfMinutes = createClock(30_000)
const seconds = createClock(1_000)

/** Renders again each second while a time is less than a minute away, and otherwise each half minute. */
export function useClock(at: string): void {
  const isNear = Math.abs(Date.parse(at) - Date.now()) < 60_000
  const { subscribe, step } = isNear ? seconds : halfMinutes
  useSyncExternalStore(subscribe, step)
}

/** Returns the seconds until a time, at least 0. */
export function useSecondsUntil(at: string): number {
  useSyncExternalStore(seconds.subscribe, seconds.step)
  return Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1_000))
}
