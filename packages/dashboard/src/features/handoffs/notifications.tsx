// Notifications of the browser about handoffs. A click on the button asks for the
// permission, and the choice stays in this browser.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { IconBell, IconBellRinging } from '../../icons/icons.tsx'
import { useNotificationsWanted, wantNotifications } from '../../shell/notices/notices.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.inbox.notifications

export function Notifications() {
  const isOn = useNotificationsWanted()
  const [isDenied, setDenied] = useState(false)
  if (!('Notification' in window)) return null
  const toggle = async () => {
    const isGranted = isOn || (await Notification.requestPermission()) === 'granted'
    setDenied(!isGranted)
    if (isGranted) wantNotifications(!isOn)
  }
  const Icon = isOn ? IconBellRinging : IconBell
  return (
    <Button
      variant="default"
      aria-pressed={isOn}
      leftSection={<Icon size={18} aria-hidden="true" />}
      onClick={() => void toggle()}
      title={isDenied ? t.denied : undefined}
    >
      {isDenied ? t.denied : t.button}
    </Button>
  )
}
