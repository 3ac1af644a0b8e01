import { explain } from './states.tsx'
import { replaceToasts, showToast } from './toasts.tsx'

/** Failures of earlier attempts disappear. */
export const notifyDone = (message: string) =>
  void replaceToasts({ message, color: 'pine', autoClose: 3_000 })

export const notifyFailed = (error: unknown) => {
  const { title, hint } = explain(error)
  void showToast({ title, message: hint, color: 'red', autoClose: 8_000 })
}
