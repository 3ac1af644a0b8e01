import { explain } from './states.tsx'
import { showToast } from './toasts.tsx'

/** Failures of earlier attempts disappear. */
export const notifyDone = (message: string) =>
  void showToast({ message, color: 'pine', autoClose: 3_000 }, { replaces: true })

export const notifyFailed = (error: unknown) => {
  const { title, hint } = explain(error)
  void showToast({ title, message: hint, color: 'red', autoClose: 8_000 })
}
