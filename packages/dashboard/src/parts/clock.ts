// Renders again as time passes, so that relative times stay true.
import { useSyncExternalStore } from 'react'

const stepMs = 30_000
const subscribe = (onChange: () => void) => {
  const timer = setInterval(onChange, stepMs)
  return () => clearInterval(timer)
}
const step = () => Math.floor(Date.now() / stepMs)

export const useClock = (): void => void useSyncExternalStore(subscribe, step)
