// Where notifications appear: over the header, one at a time. There they cover neither the buttons of
// pages and forms nor the navigation nor the emulator, also on a phone. They are loaded when the first
// one is shown.
import type { NotificationData } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'
import { lazily } from './lazily.tsx'

/** Asked for once: several requests of a part may be answered in any order. */
let library: Promise<typeof import('@mantine/notifications')> | undefined
const load = () =>
  (library ??= import('@mantine/notifications').catch((error) => {
    library = undefined
    throw error
  }))

const List = lazily(async () => (await load()).Notifications)

let isWanted = false
let onWanted = () => {}

function listen(changed: () => void) {
  onWanted = changed
  return () => {}
}

interface ToastOptions {
  /** Removes earlier ones, also those that wait. */
  replaces?: boolean
}

/** Toasts appear in the order of the calls. */
export async function showToast(
  toast: NotificationData,
  { replaces = false }: ToastOptions = {},
) {
  isWanted = true
  onWanted()
  const { notifications } = await load()
  if (replaces) notifications.clean()
  notifications.show(toast)
}

export const Toasts = () =>
  useSyncExternalStore(listen, () => isWanted) && (
    <List position="top-center" containerWidth={340} limit={1} className="toasts" />
  )
