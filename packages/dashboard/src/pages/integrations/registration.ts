// The result of `register`, which an integration returns when it is installed or configured.
import type { Installation } from '@botstead/contract'
import { notifyDone } from '../../parts/notify.ts'
import { showToast } from '../../parts/toasts.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.integrations

/** Shows that something is done, or that the registration failed afterwards, with the reason. */
export function notifyRegistration(
  done: string,
  { integrations }: { integrations: Record<string, Installation> },
  alias: string,
) {
  const installation = Object.hasOwn(integrations, alias)
    ? integrations[alias]
    : undefined
  if (installation?.status !== 'registration_failed') return notifyDone(done)
  const reason = installation.statusReason ?? ''
  void showToast({
    title: t.statuses.registration_failed,
    message: done === t.isRegistered ? reason : t.registrationFailed(done, reason),
    color: 'red',
    autoClose: 10_000,
  })
}
