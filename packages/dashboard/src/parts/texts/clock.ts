// Renders again as time passes, so that relative times stay true.
import { useSyncExternalStore } from 'react'

function createClock(stepMs: number) {
  const subscribe = (onChange: () => void) => {
    const timer = setInterval(onChange, stepMs)
    return () => clearInterval(timer)
  }
  const step = () => Math.floor(Date.now() / stepMs)
  return () => useSyncExternalStore(subscribe, step)
}

const useHalfMinutes = createClock(30_000)
const useSeconds = createClock(1_000)

export const useClock = (): void => void useHalfMinutes()

/** Returns the seconds until a time, at least 0. */
export function useSecondsUntil(at: string): number {
  useSeconds()
  return Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1_000))
}
