// Where notifications appear: over the header, one at a time. There they cover neither the buttons of
// pages and forms nor the navigation nor the emulator, also on a phone. They are loaded when the first
// one is shown.
import type { NotificationData } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'
import { lazily } from './lazily.tsx'

const List = lazily(async () => (await import('@mantine/notifications')).Notifications)

let isWanted = false
let onWanted = () => {}

function listen(changed: () => void) {
  onWanted = changed
  return () => {}
}

export async function showToast(toast: NotificationData) {
  isWanted = true
  onWanted()
  const { notifications } = await import('@mantine/notifications')
  notifications.show(toast)
}

export async function replaceToasts(toast: NotificationData) {
  const { notifications } = await import('@mantine/notifications')
  notifications.clean()
  await showToast(toast)
}

export const Toasts = () =>
  useSyncExternalStore(listen, () => isWanted) && (
    <List position="top-center" containerWidth={340} limit={1} className="toasts" />
  )
