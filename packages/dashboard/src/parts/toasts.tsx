// Where notifications appear: over the header, one at a time. There they cover neither the buttons of
// pages and forms nor the navigation nor the emulator, also on a phone.
import { Notifications } from '@mantine/notifications'

export const Toasts = () => (
  <Notifications position="top-center" containerWidth={340} limit={1} className="toasts" />
)
