// The outermost component: skip link, the page, and the dialog after the session expired.
import { Outlet } from '@tanstack/react-router'
import { useSessionExpired } from '../api/session.ts'
import { UnsavedDialog } from '../parts/forms/unsaved.tsx'
import { lazily } from '../parts/lazily.tsx'
import { texts } from '../texts/texts.ts'
import { useReturnFocus } from './return-focus.ts'

const Expired = lazily(async () => (await import('./expired.tsx')).Expired)

export function Root() {
  const isExpired = useSessionExpired()
  useReturnFocus()
  return (
    <>
      <a className="skip" href="#content">
        {texts.shell.skip}
      </a>
      <Outlet />
      <UnsavedDialog />
      {isExpired && <Expired />}
    </>
  )
}
