import { notifications } from '@mantine/notifications'
import { explain } from './states.tsx'

export const notifyDone = (message: string) =>
  notifications.show({ message, color: 'pine', autoClose: 3_000 })

export const notifyFailed = (error: unknown) => {
  const { title, hint } = explain(error)
  notifications.show({ title, message: hint, color: 'red', autoClose: 8_000 })
}
