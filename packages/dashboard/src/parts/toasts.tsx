// Where notifications appear: away from the buttons of forms and lists. On a wide screen below the
// navigation, on a phone above the page.
import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'

export function Toasts() {
  const isWide = useMediaQuery('(min-width: 48.01em)', true, { getInitialValueInEffect: false })
  return (
    <Notifications
      position={isWide ? 'bottom-left' : 'top-center'}
      containerWidth={isWide ? 340 : 366}
      limit={3}
    />
  )
}
